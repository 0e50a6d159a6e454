package metg

import (
	"math"
	"testing"
)

// of makes a curve from pairs of granularity and efficiency.
func of(pairs ...float64) curve {
	var c curve
	for i := 0; i < len(pairs); i += 2 {
		c = append(c, reading{pairs[i], pairs[i+1]})
	}
	return c
}

func TestMETG(t *testing.T) {
	falling := of(4000, 0.95, 2000, 0.8, 1000, 0.6, 600, 0.4, 500, 0.1)
	for _, c := range []struct {
		name       string
		curve      curve
		efficiency float64
		want       estimate
	}{
		{"between two points", falling, 0.5, estimate{exact, 800}},
		{"nearer to one", falling, 0.45, estimate{exact, 700}},
		{"on a point", falling, 0.6, estimate{exact, 1000}},
		{"on the largest", falling, 0.95, estimate{exact, 4000}},
		{"on the smallest", falling, 0.1, estimate{below, 500}},
		{"never below", falling, 0.05, estimate{below, 500}},
		{"never above", falling, 0.99, estimate{above, 4000}},
		{"one point above", of(70, 0.7), 0.5, estimate{below, 70}},
		{"one point below", of(70, 0.3), 0.5, estimate{above, 70}},
		{"no points", nil, 0.5, estimate{}},
		{"crosses thrice: the smallest", of(4000, 0.9, 2000, 0.4, 1500, 0.6, 800, 0.2), 0.5, estimate{exact, 1325}},
		{"bounds are extremes, wherever they lie", of(300, 0.3, 500, 0.2, 400, 0.1), 0.5, estimate{above, 500}},
		{"and below", of(300, 0.9, 90, 0.8, 100, 0.7), 0.5, estimate{below, 90}},
		{"above the peak", of(300, 1.02, 100, 0.4), 1, estimate{exact, 100 + 200*0.6/0.62}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := c.curve.metg(c.efficiency)
			if got.relation != c.want.relation || math.Abs(got.ns-c.want.ns) > 1e-9*c.want.ns {
				t.Errorf("METG(%v) = %+v, want %+v", c.efficiency, got, c.want)
			}
		})
	}
}

// TestMETGOfAModel: where each task costs o beside its kernel, METG(50 %) is 2*o.
func TestMETGOfAModel(t *testing.T) {
	const overhead = 300.0
	var c curve
	for _, size := range ladder(1<<12, 1, 4) {
		g := overhead + float64(size)
		c = append(c, reading{g, float64(size) / g})
	}
	for p := 10; p <= 90; p += 10 {
		efficiency := float64(p) / 100
		got := c.metg(efficiency)
		if want := overhead / (1 - efficiency); got.relation != exact || math.Abs(got.ns/want-1) > 0.01 {
			t.Errorf("METG(%d %%) = %v, want %v within 1 %%", p, got, want)
		}
	}
}
