package metg

import (
	"math"
	"math/bits"
	"time"
)

// limits bound the task sizes of a sweep.
type limits struct {
	most      int64         // largest size to try
	longest   time.Duration // no size is tried that is larger than one whose trial takes this long
	high, low float64       // a size near the largest reaches high; the smallest stay below low
	perOctave int           // sizes in a halving, 1 or more
}

// An attempt tries a size once, and returns its efficiency and the time it took.
type attempt func(size int64) (efficiency float64, took time.Duration, err error)

// A rung is a size to measure.
type rung struct {
	size int64
	took time.Duration // of the trial of this size, or of the next larger or the largest one tried
}

// chooseSizes tries sizes that double, and returns those to measure, by falling size: from twice a size whose
// efficiency reaches high to half of the last size below low, within the limits, as later measurements may differ from
// the trials. A size below low that is larger than one not below low is a disturbance. If a trial fails it returns the
// error.
func chooseSizes(try attempt, l limits) ([]rung, error) {
	var took []time.Duration
	low := int64(0)
	for size := int64(1); ; size = min(2*size, l.most) {
		efficiency, t, err := try(size)
		if err != nil {
			return nil, err
		}
		if took = append(took, t); efficiency < l.low && low == size/2 {
			low = size
		}
		if efficiency < l.high && size < l.most && t < l.longest {
			continue
		}
		if t < l.longest {
			size = min(2*size, l.most)
		}
		var rungs []rung
		for _, size := range ladder(size, low/2, l.perOctave) {
			tried := min(bits.Len64(uint64(max(size, 1)-1)), len(took)-1)
			rungs = append(rungs, rung{size, took[tried]})
		}
		return rungs, nil
	}
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
