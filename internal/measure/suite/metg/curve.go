package metg

import (
	"cmp"
	"slices"
)

// A reading is what one task size gave in one sweep.
type reading struct {
	ns         float64 // granularity, greater than 0
	efficiency float64 // rate of computation over the peak's; 1 is the peak
}

// A curve is one sweep: its readings by falling size, each size once.
type curve []reading

// metg returns the smallest granularity at which the efficiency is reached, 0.5 for METG(50 %). The smallest task size
// that reaches it and the next smaller one, which does not, bracket it, and efficiency is linear in granularity between
// them, as in Task Bench. If noise makes a curve cross several times that is the last crossing, as the definition asks
// for the smallest.
//
// If every size reaches the efficiency, METG is below the smallest granularity seen; if
// none does, it is above the greatest. A curve without readings has none.
func (c curve) metg(efficiency float64) estimate {
	if len(c) == 0 {
		return estimate{}
	}
	last := len(c) - 1
	for i := last; i >= 0; i-- {
		if c[i].efficiency < efficiency {
			continue
		}
		if i == last {
			return estimate{below, slices.MinFunc(c, byGranularity).ns}
		}
		less, enough := c[i+1], c[i]
		share := (efficiency - less.efficiency) / (enough.efficiency - less.efficiency)
		return estimate{exact, less.ns + share*(enough.ns-less.ns)}
	}
	return estimate{above, slices.MaxFunc(c, byGranularity).ns}
}

func byGranularity(a, b reading) int { return cmp.Compare(a.ns, b.ns) }
