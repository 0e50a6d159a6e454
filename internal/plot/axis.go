package plot

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
)

// maxTicks is how many numbers an axis has room for.
const maxTicks = 10

// setAxis makes a an axis for values, which all have a place on it.
func setAxis(a *plot.Axis, spec Axis, values []float64) {
	setScale(a, spec, values)
	a.Label.Text = spec.label()
	a.Label.TextStyle = style(labelSize, text.XCenter, a.Label.TextStyle.YAlign)
	a.Label.Padding = 4
	a.Tick.Label.Font = style(labelSize-1, 0, 0).Font
}

func setScale(a *plot.Axis, spec Axis, values []float64) {
	if spec.FromZero {
		a.Scale, a.Tick.Marker = plot.LinearScale{}, plot.DefaultTicks{}
		a.Min, a.Max = 0, evenRange(values)
		return
	}
	a.Scale, a.Tick.Marker = plot.LogScale{}, plot.TickerFunc(logTicks)
	a.Min, a.Max = logRange(values)
	if spec.Sizes {
		a.Tick.Marker = plot.TickerFunc(sizeTicks)
	}
}

// evenRange returns the upper end of an axis from 0 for values, with some space.
func evenRange(values []float64) float64 {
	const least = 1e-100
	if len(values) == 0 {
		return 1
	}
	return max(slices.Max(values)*1.03, least)
}

// logRange returns the ends of an axis for values, with some space around them. Even
// one value, or none, has a range, wide enough for some numbers on it and so that a
// small difference looks small.
func logRange(values []float64) (low, high float64) {
	if len(values) == 0 {
		return 1, 10
	}
	const narrowest = 4
	low, high = slices.Min(values), slices.Max(values)
	around := max(math.Pow(high/low, 0.03), math.Sqrt(narrowest*low/high))
	return low / around, high * around
}

// logTicks names the decades of an axis, or some numbers if it has less than two.
func logTicks(low, high float64) []plot.Tick {
	if high/low < 100 {
		return plot.DefaultTicks{}.Ticks(low, high)
	}
	return plot.LogTicks{Prec: -1}.Ticks(low/10, high) // which begin one late below 1
}

// sizeTicks marks powers of two, and names as many of them, at equal steps, as
// there is room for.
func sizeTicks(low, high float64) []plot.Tick {
	first, last := int(math.Ceil(math.Log2(low))), int(math.Floor(math.Log2(high)))
	step := (last-first)/maxTicks + 1
	var ticks []plot.Tick
	for exponent := first; exponent <= last; exponent++ {
		t := plot.Tick{Value: math.Ldexp(1, exponent)}
		if (exponent-first)%step == 0 {
			t.Label = sizeName(t.Value)
		}
		ticks = append(ticks, t)
	}
	return ticks
}

// sizeName writes a size with a binary prefix: 512, 4Ki, 1Mi.
func sizeName(size float64) string {
	prefixes := []string{"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"}
	i := 0
	for ; size >= 1024 && i < len(prefixes)-1; i++ {
		size /= 1024
	}
	return strconv.FormatFloat(size, 'g', 6, 64) + prefixes[i]
}
