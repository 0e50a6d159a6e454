package metg

import (
	"context"
	"math"
	"slices"
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

// chooseSizes tries sizes by doubling and halving and returns those to measure, by falling
// size: from twice one whose efficiency reaches high to half of one below low, or as far
// as the limits and size 0 let it: later measurements may differ from the trials.
// It ends with the trial's error if one fails.
func chooseSizes(ctx context.Context, try attempt, l limits) ([]rung, error) {
	s := &search{limits: l, try: try}
	from, err := s.climb(ctx)
	if err != nil {
		return nil, err
	}
	top, bottom, err := s.descend(ctx, from)
	if err != nil {
		return nil, err
	}
	if top, err = s.beyond(ctx, top); err != nil {
		return nil, err
	}
	return s.rungs(top, bottom), nil
}

// A search is what the trials gave so far.
type search struct {
	limits limits
	try    attempt
	tried  []tried
}

type tried struct {
	size       int64
	efficiency float64
	took       time.Duration
}

func (s *search) trial(ctx context.Context, size int64) (tried, error) {
	efficiency, took, err := s.try(ctx, size)
	t := tried{size, efficiency, took}
	s.tried = append(s.tried, t)
	return t, err
}

// climb doubles the size until it is efficient, or as large as may be.
func (s *search) climb(ctx context.Context) (tried, error) {
	size := s.limits.start
	for {
		t, err := s.trial(ctx, size)
		if err != nil || t.efficiency >= s.limits.high || size >= s.limits.most || t.took >= s.limits.longest {
			return t, err
		}
		size = min(2*size, s.limits.most)
	}
}

// descend halves the size until it is inefficient twice on end: once may be a
// disturbance. The top becomes the smallest of a row of sizes from the old one on that
// are all efficient.
func (s *search) descend(ctx context.Context, from tried) (top, bottom int64, err error) {
	top, t := from.size, from
	efficient := from.efficiency >= s.limits.high
	for low := 0; t.size > 0; {
		if low = s.lowInRow(low, t); low == 2 {
			break
		}
		if t, err = s.known(ctx, t.size/2); err != nil {
			return 0, 0, err
		}
		if efficient = efficient && t.efficiency >= s.limits.high; efficient {
			top = t.size
		}
	}
	return top, t.size, nil
}

// lowInRow counts the sizes below low up to this one.
func (s *search) lowInRow(before int, t tried) int {
	if t.efficiency >= s.limits.low {
		return 0
	}
	return before + 1
}

// beyond returns twice a size, or less if a limit is nearer.
func (s *search) beyond(ctx context.Context, size int64) (int64, error) {
	larger := min(2*size, s.limits.most)
	if s.tookAt(size) >= s.limits.longest {
		return size, nil
	}
	_, err := s.known(ctx, larger)
	return larger, err
}

// known returns the trial of a size, which may have been made.
func (s *search) known(ctx context.Context, size int64) (tried, error) {
	if i := slices.IndexFunc(s.tried, func(t tried) bool { return t.size == size }); i >= 0 {
		return s.tried[i], nil
	}
	return s.trial(ctx, size)
}

func (s *search) rungs(top, bottom int64) []rung {
	var rungs []rung
	for _, size := range ladder(top, bottom, s.limits.perOctave) {
		rungs = append(rungs, rung{size, s.tookAt(size)})
	}
	return rungs
}

// tookAt returns the time of the smallest size tried that is not below this one.
func (s *search) tookAt(size int64) time.Duration {
	var at *tried
	for i, t := range s.tried {
		if t.size >= size && (at == nil || t.size < at.size) {
			at = &s.tried[i]
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
