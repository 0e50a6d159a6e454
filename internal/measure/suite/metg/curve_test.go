package metg

import (
	"math"
	"testing"

	"ocr/internal/proof/testrun"
)

// of makes a curve from pairs of granularity and efficiency.
func of(pairs ...float64) curve {
	var c curve
	for i := 0; i < len(pairs); i += 2 {
		c = append(c, reading{pairs[i], pairs[i+1]})
	}
	return c
}

func exact(ns float64) estimate { return estimate{ns, ns} }
func below(ns float64) estimate { return estimate{0, ns} }
func above(ns float64) estimate { return estimate{ns, math.Inf(1)} }

var unknown = estimate{0, math.Inf(1)}

func near(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-9*b }

func TestMETG(t *testing.T) {
	falling := of(4000, 0.95, 2000, 0.8, 1000, 0.6, 600, 0.4, 500, 0.1)
	for _, c := range []struct {
		name       string
		curve      curve
		efficiency float64
		want       estimate
	}{
		{"between two points", falling, 0.5, exact(800)},
		{"nearer to one", falling, 0.45, exact(700)},
		{"on a point", falling, 0.6, exact(1000)},
		{"on the largest", falling, 0.95, exact(4000)},
		{"on the smallest", falling, 0.1, below(500)},
		{"never below", falling, 0.05, below(500)},
		{"never above", falling, 0.99, above(4000)},
		{"one point above", of(70, 0.7), 0.5, below(70)},
		{"one point below", of(70, 0.3), 0.5, above(70)},
		{"no points", nil, 0.5, unknown},
		{"crosses thrice: the smallest", of(4000, 0.9, 2000, 0.4, 1500, 0.6, 800, 0.2), 0.5, exact(1325)},
		{"bounds are extremes, wherever they lie", of(300, 0.3, 500, 0.2, 400, 0.1), 0.5, above(500)},
		{"and below", of(300, 0.9, 90, 0.8, 100, 0.7), 0.5, below(90)},
		{"above the peak", of(300, 1.02, 100, 0.4), 1, exact(100 + 200*0.6/0.62)},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := c.curve.metg(c.efficiency)
			if !near(got.low, c.want.low) || !near(got.high, c.want.high) {
				t.Errorf("METG(%v) = %+v, want %+v", c.efficiency, got, c.want)
			}
		})
	}
}

func TestCombine(t *testing.T) {
	for _, c := range []struct {
		name   string
		sweeps []estimate
		want   string // what holds for all
		n      int    // samples
	}{
		{"nothing", nil, "unknown", 0},
		{"numbers", []estimate{exact(3), exact(1), exact(2)}, "> 1", 3},
		{"all below", []estimate{below(3), below(4), below(2)}, "< 4", 0},
		{"all above", []estimate{above(3), above(4), above(2)}, "> 2", 0},
		{"a number above a bound below", []estimate{below(3), exact(5), below(2)}, "< 5", 0},
		{"a number under a bound below", []estimate{below(3), exact(1)}, "< 3", 0},
		{"a number and a bound above", []estimate{exact(1), above(3)}, "> 1", 0},
		{"both bounds", []estimate{below(3), above(1)}, "unknown", 0},
		{"one unknown", []estimate{exact(3), unknown}, "unknown", 0},
		{"one number", []estimate{exact(812.34)}, "812.3", 1},
		{"a large number", []estimate{above(1e6)}, "> 1e+06", 0},
	} {
		got := combine(c.sweeps)
		testrun.Same(t, c.want, got.String(), "%s", c.name)
		testrun.Equal(t, c.n, len(got.samples), "%s: samples", c.name)
	}
	testrun.Same(t, "0.002000", combine([]estimate{exact(3), exact(1), exact(2)}).micros(), "the median of numbers")
}
