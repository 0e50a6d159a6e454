package picture

import (
	"cmp"
	"math"
	"strconv"
)

// A scale maps values in [low, high] to places in [from, to] on an axis; on an upright axis from > to.
type scale struct {
	low, high, from, to float64
	log                 bool
}

// decades is the greatest number of decades of a logarithmic axis. Smaller values, and zero, are at its lower end.
const decades = 15

// newScale returns a scale for values from low to high, with a little space around them.
func newScale(low, high, from, to float64, log bool) scale {
	if log {
		low = max(low, high/math.Pow(10, decades))
		around := max(math.Pow(high/low, 0.04), 1.1)
		return scale{low / around, high * around, from, to, true}
	}
	around := 0.04 * (high - low)
	if around == 0 || high+around == high {
		around = cmp.Or(math.Abs(high)/10, 1)
	}
	s := scale{low - around, high + around, from, to, false}
	if low >= 0 {
		s.low = max(s.low, 0)
	}
	return s
}

// at returns the place of a value.
func (s scale) at(v float64) float64 {
	low, high := s.low, s.high
	if s.log {
		v, low, high = math.Log(max(v, low)), math.Log(low), math.Log(high)
	}
	return s.from + (v-low)/(high-low)*(s.to-s.from)
}

// rounds returns the round numbers of the range: 3 to 8 at even steps, or powers of ten and a few between.
func (s scale) rounds() (list []float64) {
	if !s.log || s.high/s.low < 4 {
		step := math.Pow(10, math.Floor(math.Log10((s.high-s.low)/3)))
		for _, more := range []float64{5, 2} {
			if (s.high-s.low)/(step*more) >= 3 {
				step *= more
				break
			}
		}
		for k := math.Ceil(s.low / step); k*step <= s.high && len(list) < 10; k++ {
			list = append(list, k*step)
		}
		return list
	}
	factors := []float64{1}
	if s.high/s.low < 1000 {
		factors = []float64{1, 2, 5}
	}
	for e := math.Floor(math.Log10(s.low)); e <= math.Log10(s.high); e++ {
		for _, f := range factors {
			if v := f * math.Pow(10, e); v >= s.low && v <= s.high {
				list = append(list, v)
			}
		}
	}
	return list
}

// A tick is a number on an axis.
type tick struct {
	at    float64
	label string
}

const fontSize = 12

// ticks returns the ticks of ascending values, without those for which there is no room.
func (s scale) ticks(values []float64, write func(float64) string) (list []tick) {
	for _, v := range values {
		t, room := tick{s.at(v), write(v)}, 1.5*fontSize
		if len(list) > 0 {
			last := list[len(list)-1]
			if s.to > s.from { // not upright
				room = 10 + (textWidth(t.label, fontSize)+textWidth(last.label, fontSize))/2
			}
			if math.Abs(t.at-last.at) < room {
				continue
			}
		}
		list = append(list, t)
	}
	return list
}

// decimal writes a number in few characters: 1500000 is 1.5M.
func decimal(v float64) string {
	if math.Abs(v) < 1e4 {
		return prefixed(v, 0)
	}
	return prefixed(v, 1000, "k", "M", "G", "T")
}

// binary writes a number with a binary prefix: 4096 is 4Ki.
func binary(v float64) string { return prefixed(v, 1024, "Ki", "Mi", "Gi", "Ti", "Pi", "Ei") }

// prefixed divides a number by unit, for each prefix in turn, until it is less than unit.
func prefixed(v, unit float64, prefixes ...string) string {
	prefix := ""
	for _, next := range prefixes {
		if math.Abs(v) < unit {
			break
		}
		v, prefix = v/unit, next
	}
	return strconv.FormatFloat(v, 'g', 5, 64) + prefix
}
