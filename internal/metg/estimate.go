package metg

import "fmt"

// Relation says how METG relates to an estimate's number.
type Relation int

const (
	None  Relation = iota // nothing is known
	Exact                 // it is the number, interpolated
	Below                 // every size that was measured reaches the efficiency
	Above                 // no size that was measured reaches it
)

// Estimate is METG by one sweep or by several.
type Estimate struct {
	Relation Relation
	NS       float64 // METG, or the bound that it is below or above, in ns
}

// String writes the estimate in ns: a number, a bound as "< 85.2", or "unknown".
func (e Estimate) String() string {
	return e.Format(1, func(v float64) string { return fmt.Sprintf("%.4g", v) })
}

// Format writes the estimate in a unit of so many ns.
func (e Estimate) Format(unit float64, number func(float64) string) string {
	switch e.Relation {
	case Exact:
		return number(e.NS / unit)
	case Below:
		return "< " + number(e.NS/unit)
	case Above:
		return "> " + number(e.NS/unit)
	}
	return "unknown"
}

// Finding is METG by repeated sweeps.
type Finding struct {
	// Samples are METG of each sweep in ns, if every one has a number; else nil.
	Samples []float64
	// Bound is what is known if a sweep has no number: a number of some sweeps
	// beside a bound of others is a bound too, that of all of them.
	Bound Estimate
}

// Combine makes one finding of sweeps. Sweeps of which some say "below" and some
// "above" tell nothing.
func Combine(sweeps []Estimate) Finding {
	var samples []float64
	var bound Estimate
	for _, e := range sweeps {
		switch e.Relation {
		case None:
			return Finding{}
		case Exact:
			samples = append(samples, e.NS)
		default:
			if bound.Relation != None && bound.Relation != e.Relation {
				return Finding{}
			}
			bound = widest(bound, e.Relation, e.NS)
		}
	}
	if bound.Relation == None {
		return Finding{Samples: samples}
	}
	for _, ns := range samples {
		bound = widest(bound, bound.Relation, ns)
	}
	return Finding{Bound: bound}
}

// widest returns the bound that holds for b and for ns alike.
func widest(b Estimate, r Relation, ns float64) Estimate {
	if b.Relation == None || r == Below && ns > b.NS || r == Above && ns < b.NS {
		return Estimate{Relation: r, NS: ns}
	}
	return b
}
