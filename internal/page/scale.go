package page

import (
	"cmp"
	"math"
	"strconv"
	"strings"
)

// scale maps values to places along an axis.
type scale struct {
	low, high float64
	from, to  float64
	log       bool
}

// wide is from which ratio on of the greatest value to the least an axis is logarithmic.
const wide = 20

// newScale returns a scale of all values from low to high, with a little space around them.
func newScale(low, high, from, to float64) scale {
	if low > 0 && high/low >= wide {
		around := math.Exp(0.04 * (math.Log(high) - math.Log(low)))
		return scale{max(low/around, math.SmallestNonzeroFloat64), min(high*around, math.MaxFloat64), from, to, true}
	}
	around := 0.04*high - 0.04*low
	if around == 0 || high+around == high {
		around = cmp.Or(math.Abs(high)/10, 1)
	}
	s := scale{max(low-around, -math.MaxFloat64), min(high+around, math.MaxFloat64), from, to, false}
	if low >= 0 {
		s.low = max(s.low, 0)
	}
	return s
}

// at returns the place of a value.
func (s scale) at(v float64) float64 {
	part := (v/2 - s.low/2) / (s.high/2 - s.low/2) // halves: the range may be more than a number
	if s.log && v <= s.low {
		part = 0
	} else if s.log {
		part = (math.Log(v) - math.Log(s.low)) / (math.Log(s.high) - math.Log(s.low))
	}
	return s.from + part*(s.to-s.from)
}

// tick is a number on an axis.
type tick struct {
	at    float64
	label string
}

// lineHeight is the room that numbers take on an upright axis.
const lineHeight = 18

// ticks returns values in ascending order, without those that there is no room for.
func (s scale) ticks(values []float64, write func(float64) string) []tick {
	var list []tick
	for _, v := range values {
		t := tick{s.at(v), write(v)}
		if len(list) > 0 {
			last := list[len(list)-1]
			room := (labelWidth(t.label) + labelWidth(last.label)) / 2
			if s.to < s.from { // upright
				room = lineHeight
			}
			if math.Abs(t.at-last.at) < room {
				continue
			}
		}
		list = append(list, t)
	}
	return list
}

// mostRound bounds the numbers of a linear axis; it has 3 to 8.
const mostRound = 10

// rounds returns the round numbers of the range: some if it is linear, powers of ten and a few
// between if it is logarithmic.
func (s scale) rounds() []float64 {
	var list []float64
	if !s.log || s.high/s.low < 4 {
		step := math.Pow(10, math.Floor(math.Log10((s.high-s.low)/3)))
		for _, more := range []float64{5, 2} {
			if (s.high-s.low)/(step*more) >= 3 {
				step *= more
				break
			}
		}
		first := math.Ceil(s.low / step)
		for i := 0.0; i < mostRound && (first+i)*step <= s.high; i++ {
			list = append(list, (first+i)*step)
		}
		return list
	}
	factors := []float64{1}
	if s.high/s.low < 1000 {
		factors = []float64{1, 2, 5}
	}
	for e := math.Floor(math.Log10(s.low)); e <= math.Ceil(math.Log10(s.high)); e++ {
		for _, f := range factors {
			if v := f * math.Pow(10, e); v >= s.low && v <= s.high {
				list = append(list, v)
			}
		}
	}
	return list
}

// prefixed writes a round number in few characters: 1500000 is 1.5M.
func prefixed(v float64) string {
	suffix := ""
	for _, p := range []struct {
		from, unit float64
		name       string
	}{{1e12, 1e12, "T"}, {1e9, 1e9, "G"}, {1e6, 1e6, "M"}, {1e4, 1e3, "k"}} {
		if math.Abs(v) >= p.from {
			v, suffix = v/p.unit, p.name
			break
		}
	}
	text := strconv.FormatFloat(v, 'f', 6, 64)
	if v != 0 && math.Abs(v) < 1e-4 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	if len(text) > 7 {
		text = strconv.FormatFloat(v, 'g', 5, 64)
	}
	return text + suffix
}
