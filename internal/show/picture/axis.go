package picture

import "slices"

// An Axis names the quantity along it, such as "bandwidth (MiB/s)".
type Axis struct {
	Name string
	Kind Kind
}

// A Kind is the scale of an axis, and the places of its numbers.
type Kind int

// The kinds of axis.
const (
	Figures Kind = iota // round numbers; logarithmic if the values are positive and far apart
	Sizes               // logarithmic, numbers at the values: 64, 1Ki, 1Mi
	Values              // as Figures, numbers at the values
	Percent             // from 0 to 100 or more, with a dashed line at 50
)

// farApart is the ratio of the greatest value to the least from which an axis is logarithmic.
const farApart = 20

// half is the percentage at which a vertical axis of kind Percent has its dashed line.
const half = 50

// scale returns a scale of values between two places.
func (a Axis) scale(values []float64, from, to float64) scale {
	if len(values) == 0 {
		values = []float64{1, 10}
	}
	low, high := slices.Min(values), slices.Max(values)
	if a.Kind == Percent {
		return scale{high: max(1.05*high, 105), from: from, to: to}
	}
	log := low > 0 && (a.Kind == Sizes || high/low >= farApart)
	return newScale(low, high, from, to, log)
}

// ticks returns the numbers on a scale of values.
func (a Axis) ticks(s scale, values []float64) []tick {
	write, at := decimal, s.rounds()
	if a.Kind == Sizes {
		write = binary
	}
	if a.Kind == Sizes || a.Kind == Values {
		at = slices.Compact(slices.Sorted(slices.Values(values)))
	}
	return s.ticks(at, write)
}
