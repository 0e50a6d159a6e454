package metg

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ocr/internal/proof/testrun"
)

func TestCombine(t *testing.T) {
	number := func(ns float64) estimate { return estimate{exact, ns} }
	under := func(ns float64) estimate { return estimate{below, ns} }
	over := func(ns float64) estimate { return estimate{above, ns} }
	for _, c := range []struct {
		name   string
		sweeps []estimate
		want   finding
	}{
		{"nothing", nil, finding{}},
		{"numbers", []estimate{number(3), number(1), number(2)}, finding{samples: []float64{3, 1, 2}}},
		{"all below", []estimate{under(3), under(4), under(2)}, finding{bound: under(4)}},
		{"all above", []estimate{over(3), over(4), over(2)}, finding{bound: over(2)}},
		{"a number above a bound below", []estimate{under(3), number(5), under(2)}, finding{bound: under(5)}},
		{"a number under a bound below", []estimate{under(3), number(1)}, finding{bound: under(3)}},
		{"a number and a bound above", []estimate{number(1), over(3)}, finding{bound: over(1)}},
		{"both bounds", []estimate{under(3), over(1)}, finding{}},
		{"one unknown", []estimate{number(3), {}}, finding{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, combine(c.sweeps), cmp.AllowUnexported(finding{}, estimate{})); diff != "" {
				t.Errorf("finding (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEstimateFormat(t *testing.T) {
	for _, c := range []struct {
		estimate estimate
		want     string
	}{
		{estimate{exact, 812.34}, "812.3"},
		{estimate{below, 85.2}, "< 85.2"},
		{estimate{above, 1e6}, "> 1e+06"},
		{estimate{}, "unknown"},
	} {
		testrun.Same(t, c.want, c.estimate.String(), "%+v is written", c.estimate)
	}
}
