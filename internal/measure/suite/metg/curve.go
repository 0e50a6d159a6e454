package metg

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"ocr/internal/measure/bench"
)

// A reading is the result of one task size in one repetition.
type reading struct {
	ns         float64 // granularity, greater than 0
	efficiency float64 // rate of computation over the peak's; 1 is the peak
}

// A curve is one repetition of a sweep: its readings by falling size, each size once.
type curve []reading

// metg returns the smallest granularity at which the curve reaches the efficiency, 0.5 for METG(50 %). It interpolates
// linearly, as Task Bench does, between the smallest task size that reaches the efficiency and the next smaller one,
// which does not. If noise makes a curve cross several times the last crossing counts, as the definition asks for the
// smallest granularity.
//
// If the smallest size reaches the efficiency, METG is below the least granularity of the curve. If no size reaches the
// efficiency, METG is above the greatest granularity. A curve without readings says nothing.
func (c curve) metg(efficiency float64) estimate {
	for i := len(c) - 1; i >= 0; i-- {
		if c[i].efficiency < efficiency {
			continue
		}
		if i == len(c)-1 {
			return estimate{0, slices.MinFunc(c, byGranularity).ns}
		}
		less, enough := c[i+1], c[i]
		share := (efficiency - less.efficiency) / (enough.efficiency - less.efficiency)
		ns := less.ns + share*(enough.ns-less.ns)
		return estimate{ns, ns}
	}
	if len(c) == 0 {
		return estimate{0, math.Inf(1)}
	}
	return estimate{slices.MaxFunc(c, byGranularity).ns, math.Inf(1)}
}

// crossings returns how often the curve crosses the efficiency.
func (c curve) crossings(efficiency float64) (n int) {
	for i := range max(0, len(c)-1) {
		if (c[i].efficiency < efficiency) != (c[i+1].efficiency < efficiency) {
			n++
		}
	}
	return n
}

func byGranularity(a, b reading) int { return cmp.Compare(a.ns, b.ns) }

// An estimate is the two granularities between which METG lies, in ns: a number if both are equal, a bound if low is 0
// or high is infinite.
type estimate struct{ low, high float64 }

// format writes the estimate: a number, a bound as "< 85.2", or "unknown".
func (e estimate) format(number func(ns float64) string) string {
	switch {
	case e.low == e.high:
		return number(e.low)
	case e.low > 0:
		return "> " + number(e.low)
	case !math.IsInf(e.high, 1):
		return "< " + number(e.high)
	}
	return "unknown"
}

// known reports whether format has a number to write.
func (e estimate) known() bool { return e.low > 0 || !math.IsInf(e.high, 1) }

// String writes the estimate in ns.
func (e estimate) String() string {
	return e.format(func(ns float64) string { return fmt.Sprintf("%.4g", ns) })
}

// A finding is METG by the repetitions of a sweep: bounds over all repetitions, and samples, if each gave a number.
type finding struct {
	estimate
	samples            []float64
	all, crossed, back int // repetitions; those with a number; those whose curve crosses the efficiency several times
}

// combine makes one finding of the estimates of all repetitions.
func combine(sweeps []estimate) finding {
	if len(sweeps) == 0 {
		return finding{estimate: curve{}.metg(0)}
	}
	f := finding{estimate: sweeps[0], all: len(sweeps)}
	for _, e := range sweeps {
		f.low, f.high = min(f.low, e.low), max(f.high, e.high)
		if e.low == e.high {
			f.samples = append(f.samples, e.low)
		}
	}
	if f.crossed = len(f.samples); f.crossed < f.all {
		f.samples = nil
	}
	return f
}

func (f finding) summary() bench.Summary { return bench.Summarize(f.samples) }

// micros writes the finding in microseconds: its median, or its bound.
func (f finding) micros() string {
	if f.samples != nil {
		return micros(f.summary().Median)
	}
	return f.format(micros)
}
