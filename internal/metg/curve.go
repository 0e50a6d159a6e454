package metg

import (
	"math"
	"time"
)

// Granularity returns the average granularity of tasks that took elapsed on so many
// cores together, in ns: wall time x cores / tasks.
func Granularity(elapsed time.Duration, cores int, tasks int64) float64 {
	return float64(elapsed.Nanoseconds()) * float64(cores) / float64(tasks)
}

// Point is what one task size gave in one sweep.
type Point struct {
	Size        int64   // of a task: iterations of its kernel
	Granularity float64 // ns, greater than 0
	Efficiency  float64 // rate of computation over the peak's; 1 is the peak
}

// Curve is one sweep: its points by falling size, each size once.
type Curve []Point

// Interpolation says how the granularity runs between two points.
type Interpolation string

const (
	// Linear is Task Bench's: efficiency is linear in granularity.
	Linear Interpolation = "linear"
	// Log has efficiency linear in the logarithm of granularity.
	Log Interpolation = "log"
)

// METG returns the smallest granularity at which the efficiency is reached, 0.5 for
// METG(50 %). The smallest task size that reaches it and the next smaller one, which
// does not, bracket it; if noise makes a curve cross several times that is the
// last crossing, as the definition asks for the smallest.
//
// If every point reaches the efficiency, METG is below the smallest granularity
// seen; if none does, it is above the greatest. A curve without points has none.
func (c Curve) METG(efficiency float64, between Interpolation) Estimate {
	if len(c) == 0 {
		return Estimate{}
	}
	last := len(c) - 1
	for i := last; i >= 0; i-- {
		if c[i].Efficiency < efficiency {
			continue
		}
		if i == last {
			return Estimate{Relation: Below, NS: c.extreme(math.Min)}
		}
		return Estimate{Relation: Exact, NS: between.at(efficiency, c[i+1], c[i])}
	}
	return Estimate{Relation: Above, NS: c.extreme(math.Max)}
}

// Crossings returns how often the curve passes the efficiency. More than once is noise,
// or a cost that depends on the size of a task in an odd way.
func (c Curve) Crossings(efficiency float64) int {
	crossings := 0
	for i := 1; i < len(c); i++ {
		if (c[i].Efficiency >= efficiency) != (c[i-1].Efficiency >= efficiency) {
			crossings++
		}
	}
	return crossings
}

func (c Curve) extreme(of func(a, b float64) float64) float64 {
	v := c[0].Granularity
	for _, p := range c {
		v = of(v, p.Granularity)
	}
	return v
}

// at returns the granularity at an efficiency that less does not reach and enough does.
func (i Interpolation) at(efficiency float64, less, enough Point) float64 {
	share := (efficiency - less.Efficiency) / (enough.Efficiency - less.Efficiency)
	if i == Log {
		return less.Granularity * math.Pow(enough.Granularity/less.Granularity, share)
	}
	return less.Granularity + share*(enough.Granularity-less.Granularity)
}
