package plot

import (
	"slices"

	"ocr/internal/show/svg"
)

// Axis names what is along an axis, such as "bandwidth (MiB/s)". It is logarithmic if the values are far apart.
type Axis struct {
	Name     string
	Sizes    bool    // logarithmic, marked at the points' values: 64, 1Ki, 1Mi
	Chosen   bool    // marked at the points' values, in place of round numbers
	FromZero bool    // linear, from 0 to 100 or more: of a percentage
	Log      bool    // logarithmic, marked at round numbers
	Line     float64 // of an upright axis: a value with a dashed line across the panel; 0 for none
}

// scale returns a scale of values between two places.
func (a Axis) scale(values []float64, from, to float64) svg.Scale {
	if len(values) == 0 {
		values = []float64{1, 10}
	}
	low, high := slices.Min(values), slices.Max(values)
	if a.FromZero {
		return svg.Scale{High: max(1.05*high, 105), From: from, To: to}
	}
	if low == 0 && high > 0 { // a logarithmic axis has 0 at its lower end
		positive := slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return v == 0 })
		if s := svg.NewScale(slices.Min(positive)/4, high, from, to); s.Log {
			return s
		}
	}
	if (a.Sizes || a.Log) && low > 0 {
		return svg.LogScale(low, high, from, to)
	}
	return svg.NewScale(low, high, from, to)
}

// ticks returns the numbers on a scale of values.
func (a Axis) ticks(s svg.Scale, values []float64) []svg.Tick {
	write, at := svg.Decimal, s.Rounds()
	if a.Sizes {
		write = svg.Binary
	}
	if a.Sizes || a.Chosen {
		at = slices.Compact(slices.Sorted(slices.Values(values)))
	}
	return s.Ticks(at, write)
}
