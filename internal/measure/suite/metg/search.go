package metg

import (
	"context"
	"math"
	"time"
)

// limits say which task sizes a sweep covers.
type limits struct {
	start     int64         // size tried first, 1 or more
	most      int64         // largest size to try
	longest   time.Duration // no size is tried that is larger than one whose trial takes as long
	high, low float64       // a size near the largest reaches high, the smallest stay below low
	perOctave int           // sizes in a halving, 1 or more
}

// An attempt tries a size once, and returns its efficiency and the time it took.
type attempt func(ctx context.Context, size int64) (efficiency float64, took time.Duration, err error)

// A rung is a size to measure.
type rung struct {
	size int64
	took time.Duration // of the trial of this size, or of the next larger one tried
}

// chooseSizes tries sizes by doubling and halving and returns those to measure, by falling size: from twice one whose
// efficiency reaches high to half of one below low, or as far as the limits and size 0 let it: later measurements may
// differ from the trials. It ends with the trial's error if one fails.
func chooseSizes(ctx context.Context, try attempt, l limits) ([]rung, error) {
	s := &search{limits: l, try: try, tried: map[int64]tried{}}
	at := s.at(ctx, l.start)
	for s.err == nil && at.efficiency < l.high && at.size < l.most && at.took < l.longest {
		at = s.at(ctx, min(2*at.size, l.most))
	}
	top, bottom := s.descend(ctx, at)
	if s.err == nil && s.tookAt(top) < l.longest {
		top = s.at(ctx, min(2*top, l.most)).size
	}
	if s.err != nil {
		return nil, s.err
	}
	var rungs []rung
	for _, size := range ladder(top, bottom, l.perOctave) {
		rungs = append(rungs, rung{size, s.tookAt(size)})
	}
	return rungs, nil
}

// A search is what the trials gave so far.
type search struct {
	limits limits
	try    attempt
	tried  map[int64]tried
	err    error // of the trial that failed, which was the last
}

type tried struct {
	size       int64
	efficiency float64
	took       time.Duration
}

// at returns the trial of a size, which is made once.
func (s *search) at(ctx context.Context, size int64) tried {
	t, known := s.tried[size]
	if !known {
		t.size = size
		t.efficiency, t.took, s.err = s.try(ctx, size)
		s.tried[size] = t
	}
	return t
}

// descend halves the size until it is inefficient twice on end: once may be a disturbance. The top is the smallest of a
// row of sizes from the first on that are all efficient.
func (s *search) descend(ctx context.Context, t tried) (top, bottom int64) {
	top = t.size
	efficient := t.efficiency >= s.limits.high
	for low := 0; s.err == nil && t.size > 0; {
		if low++; t.efficiency >= s.limits.low {
			low = 0
		}
		if low == 2 {
			break
		}
		t = s.at(ctx, t.size/2)
		if efficient = efficient && t.efficiency >= s.limits.high; efficient {
			top = t.size
		}
	}
	return top, t.size
}

// tookAt returns the time of the smallest size tried that is not below this one.
func (s *search) tookAt(size int64) time.Duration {
	at := tried{size: math.MaxInt64}
	for _, t := range s.tried {
		if t.size >= size && t.size < at.size {
			at = t
		}
	}
	return at.took
}

// ladder returns the sizes from top down to bottom, evenly on a logarithmic scale.
func ladder(top, bottom int64, perOctave int) []int64 {
	var sizes []int64
	for i := 0; ; i++ {
		size := int64(math.Round(float64(top) * math.Exp2(-float64(i)/float64(perOctave))))
		if size <= bottom || size == 0 {
			return append(sizes, bottom)
		}
		if len(sizes) == 0 || sizes[len(sizes)-1] != size {
			sizes = append(sizes, size)
		}
	}
}
