package metg

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCombine(t *testing.T) {
	exact := func(ns float64) Estimate { return Estimate{Exact, ns} }
	below := func(ns float64) Estimate { return Estimate{Below, ns} }
	above := func(ns float64) Estimate { return Estimate{Above, ns} }
	for _, c := range []struct {
		name   string
		sweeps []Estimate
		want   Finding
	}{
		{"nothing", nil, Finding{}},
		{"numbers", []Estimate{exact(3), exact(1), exact(2)}, Finding{Samples: []float64{3, 1, 2}}},
		{"all below", []Estimate{below(3), below(4), below(2)}, Finding{Bound: below(4)}},
		{"all above", []Estimate{above(3), above(4), above(2)}, Finding{Bound: above(2)}},
		{"a number above a bound below", []Estimate{below(3), exact(5), below(2)}, Finding{Bound: below(5)}},
		{"a number under a bound below", []Estimate{below(3), exact(1)}, Finding{Bound: below(3)}},
		{"a number and a bound above", []Estimate{exact(1), above(3)}, Finding{Bound: above(1)}},
		{"both bounds", []Estimate{below(3), above(1)}, Finding{}},
		{"one unknown", []Estimate{exact(3), {}}, Finding{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, Combine(c.sweeps)); diff != "" {
				t.Errorf("finding (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEstimateFormat(t *testing.T) {
	for _, c := range []struct {
		estimate Estimate
		want     string
	}{
		{Estimate{Exact, 812.34}, "812.3"},
		{Estimate{Below, 85.2}, "< 85.2"},
		{Estimate{Above, 1e6}, "> 1e+06"},
		{Estimate{}, "unknown"},
	} {
		if got := c.estimate.String(); got != c.want {
			t.Errorf("%+v is written %q, want %q", c.estimate, got, c.want)
		}
	}
}

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name        string
		fewer, more []float64
		median      float64
		superlinear bool
	}{
		{"nothing", nil, nil, 0, false},
		{"the same", []float64{10, 11, 12}, []float64{10, 11, 12}, 1, false},
		{"falls", []float64{20, 20, 20}, []float64{10, 10, 10}, 0.5, false},
		{"a little more", []float64{10, 10, 10}, []float64{12, 12, 12}, 1.2, false},
		{"four times", []float64{10, 10, 10}, []float64{40, 41, 39}, 4, true},
		{"noise: one pair is as before", []float64{10, 40, 10}, []float64{40, 40, 40}, 4, false},
		{"the last pair is not whole", []float64{10, 10}, []float64{40}, 4, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Compare(c.fewer, c.more)
			if got.Ratio.Median != c.median || got.Superlinear != c.superlinear {
				t.Errorf("ratio %v, superlinear %v; want %v, %v", got.Ratio.Median, got.Superlinear, c.median, c.superlinear)
			}
		})
	}
}
