package metg

import (
	"fmt"
	"slices"

	"ocr/internal/measure/bench"
)

// relation says how METG relates to an estimate's number.
type relation int

const (
	none  relation = iota // nothing is known
	exact                 // it is the number, interpolated
	below                 // every size that was measured reaches the efficiency
	above                 // no size that was measured reaches it
)

// An estimate is METG by one sweep or by several.
type estimate struct {
	relation relation
	ns       float64 // METG, or the bound that it is below or above
}

// String writes the estimate in ns: a number, a bound as "< 85.2", or "unknown".
func (e estimate) String() string {
	return e.format(func(v float64) string { return fmt.Sprintf("%.4g", v) })
}

func (e estimate) format(number func(ns float64) string) string {
	switch e.relation {
	case exact:
		return number(e.ns)
	case below:
		return "< " + number(e.ns)
	case above:
		return "> " + number(e.ns)
	}
	return "unknown"
}

// why says why there is no number.
func (e estimate) why() string {
	switch e.relation {
	case below:
		return "in some sweeps every size reaches it"
	case above:
		return "in some sweeps no size reaches it, see --max-run"
	}
	return "no sweep is whole, or sweeps contradict each other"
}

// A finding is METG by repeated sweeps.
type finding struct {
	// samples are METG of each sweep in ns, if every one has a number; else nil.
	samples []float64
	// bound is what is known if a sweep has no number: a number of some sweeps beside a
	// bound of others is a bound too, that of all of them.
	bound estimate
}

func (f finding) summary() bench.Summary { return bench.Summarize(f.samples) }

// known reports whether there is a number or a bound.
func (f finding) known() bool { return f.samples != nil || f.bound.relation != none }

// micros writes the finding in microseconds: its median, or its bound.
func (f finding) micros() string {
	if f.samples != nil {
		return micros(f.summary().Median)
	}
	return f.bound.format(micros)
}

// combine makes one finding of sweeps. Sweeps of which some say "below" and some "above"
// show nothing. A bound holds for the sweeps that have a number too.
func combine(sweeps []estimate) finding {
	var samples []float64
	has := map[relation]bool{}
	for _, e := range sweeps {
		has[e.relation] = true
		samples = append(samples, e.ns)
	}
	switch {
	case has[none] || has[below] && has[above]:
		return finding{}
	case has[below]:
		return finding{bound: estimate{below, slices.Max(samples)}}
	case has[above]:
		return finding{bound: estimate{above, slices.Min(samples)}}
	}
	return finding{samples: samples}
}
