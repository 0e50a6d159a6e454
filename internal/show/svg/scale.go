package svg

import (
	"cmp"
	"math"
	"strconv"
	"strings"
)

// A Scale maps the values Low to High to places From to To along an axis. From is greater than To on an upright axis.
type Scale struct {
	Low, High float64
	From, To  float64
	Log       bool
}

// wide is the ratio of the greatest value to the least from which on an axis is logarithmic.
const wide = 20

// NewScale returns a scale for values from low to high, with a little space around them: logarithmic if they are
// positive and far apart.
func NewScale(low, high, from, to float64) Scale {
	if low > 0 && high/low >= wide {
		return LogScale(low, high, from, to)
	}
	around := 0.04*high - 0.04*low
	if around == 0 || high+around == high {
		around = cmp.Or(math.Abs(high)/10, 1)
	}
	s := Scale{max(low-around, -math.MaxFloat64), min(high+around, math.MaxFloat64), from, to, false}
	if low >= 0 {
		s.Low = max(s.Low, 0)
	}
	return s
}

// LogScale returns a logarithmic scale for positive values, with a little space around them.
func LogScale(low, high, from, to float64) Scale {
	around := max(math.Exp(0.04*(math.Log(high)-math.Log(low))), 1.1)
	return Scale{max(low/around, math.SmallestNonzeroFloat64), min(high*around, math.MaxFloat64), from, to, true}
}

// At returns the place of a value. A logarithmic axis has values that are not positive at its lower end.
func (s Scale) At(v float64) float64 {
	part := (v/2 - s.Low/2) / (s.High/2 - s.Low/2) // halves, because High - Low may overflow
	if s.Log && v <= s.Low {
		part = 0
	} else if s.Log {
		part = (math.Log(v) - math.Log(s.Low)) / (math.Log(s.High) - math.Log(s.Low))
	}
	return s.From + part*(s.To-s.From)
}

// A Tick is a number on an axis.
type Tick struct {
	At    float64
	Label string
}

// TickSize is the font size of numbers on an axis.
const TickSize = 12

// Ticks returns the ticks of values in ascending order, without those that there is no room for.
func (s Scale) Ticks(values []float64, write func(float64) string) []Tick {
	const gap = 10
	var list []Tick
	for _, v := range values {
		t := Tick{s.At(v), write(v)}
		if len(list) > 0 {
			last := list[len(list)-1]
			room := gap + (TextWidth(t.Label, TickSize)+TextWidth(last.Label, TickSize))/2
			if s.To < s.From { // upright
				room = 1.5 * TickSize
			}
			if math.Abs(t.At-last.At) < room {
				continue
			}
		}
		list = append(list, t)
	}
	return list
}

// mostRound bounds the round numbers of a linear axis; it has 3 to 8.
const mostRound = 10

// Rounds returns the round numbers of the range: at even steps if it is linear, else powers of ten and a few between.
func (s Scale) Rounds() []float64 {
	var list []float64
	if !s.Log || s.High/s.Low < 4 {
		step := math.Pow(10, math.Floor(math.Log10((s.High-s.Low)/3)))
		for _, more := range []float64{5, 2} {
			if (s.High-s.Low)/(step*more) >= 3 {
				step *= more
				break
			}
		}
		first := math.Ceil(s.Low / step)
		for i := 0.0; i < mostRound && (first+i)*step <= s.High; i++ {
			list = append(list, (first+i)*step)
		}
		return list
	}
	factors := []float64{1}
	if s.High/s.Low < 1000 {
		factors = []float64{1, 2, 5}
	}
	for e := math.Floor(math.Log10(s.Low)); e <= math.Ceil(math.Log10(s.High)); e++ {
		for _, f := range factors {
			if v := f * math.Pow(10, e); v >= s.Low && v <= s.High {
				list = append(list, v)
			}
		}
	}
	return list
}

// Decimal writes a round number in few characters: 1500000 is 1.5M.
func Decimal(v float64) string {
	switch size := math.Abs(v); {
	case size != 0 && size < 1e-4:
		return strconv.FormatFloat(v, 'g', 3, 64)
	case size < 1e4:
		return prefixed(v, 0)
	}
	return prefixed(v, 1000, "k", "M", "G", "T")
}

// Binary writes a number with a binary prefix: 4096 is 4Ki.
func Binary(v float64) string { return prefixed(v, 1024, "Ki", "Mi", "Gi", "Ti", "Pi", "Ei") }

// prefixed divides a number by unit, for each prefix in turn, until it is less than unit.
func prefixed(v, unit float64, prefixes ...string) string {
	prefix := ""
	for _, next := range prefixes {
		if math.Abs(v) < unit {
			break
		}
		v, prefix = v/unit, next
	}
	text := strings.TrimRight(strings.TrimRight(strconv.FormatFloat(v, 'f', 6, 64), "0"), ".")
	if len(text) > 7 {
		text = strconv.FormatFloat(v, 'g', 5, 64)
	}
	return text + prefix
}
