package metg

import (
	"math"
	"testing"
	"time"
)

// curve makes one of sizes 2^(n-1) to 1, from pairs of granularity and efficiency.
func curve(pairs ...float64) Curve {
	var c Curve
	for i := 0; i < len(pairs); i += 2 {
		c = append(c, Point{Size: 1 << (len(pairs)/2 - 1 - i/2), Granularity: pairs[i], Efficiency: pairs[i+1]})
	}
	return c
}

func TestMETG(t *testing.T) {
	falling := curve(4000, 0.95, 2000, 0.8, 1000, 0.6, 600, 0.4, 500, 0.1)
	for _, c := range []struct {
		name       string
		curve      Curve
		efficiency float64
		between    Interpolation
		want       Estimate
	}{
		{"between two points", falling, 0.5, Linear, Estimate{Exact, 800}},
		{"nearer to one", falling, 0.45, Linear, Estimate{Exact, 700}},
		{"logarithmic", falling, 0.5, Log, Estimate{Exact, math.Sqrt(600 * 1000)}},
		{"on a point", falling, 0.6, Linear, Estimate{Exact, 1000}},
		{"on a point, logarithmic", falling, 0.6, Log, Estimate{Exact, 1000}},
		{"on the largest", falling, 0.95, Linear, Estimate{Exact, 4000}},
		{"on the smallest", falling, 0.1, Linear, Estimate{Below, 500}},
		{"never below", falling, 0.05, Linear, Estimate{Below, 500}},
		{"never above", falling, 0.99, Linear, Estimate{Above, 4000}},
		{"one point above", curve(70, 0.7), 0.5, Linear, Estimate{Below, 70}},
		{"one point below", curve(70, 0.3), 0.5, Linear, Estimate{Above, 70}},
		{"no points", nil, 0.5, Linear, Estimate{}},
		{"crosses thrice: the smallest", curve(4000, 0.9, 2000, 0.4, 1500, 0.6, 800, 0.2), 0.5, Linear, Estimate{Exact, 1325}},
		{"bounds are extremes, wherever they lie", curve(300, 0.3, 500, 0.2, 400, 0.1), 0.5, Linear, Estimate{Above, 500}},
		{"and below", curve(300, 0.9, 90, 0.8, 100, 0.7), 0.5, Linear, Estimate{Below, 90}},
		{"above the peak", curve(300, 1.02, 100, 0.4), 1, Linear, Estimate{Exact, 100 + 200*0.6/0.62}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := c.curve.METG(c.efficiency, c.between)
			if got.Relation != c.want.Relation || math.Abs(got.NS-c.want.NS) > 1e-9*c.want.NS {
				t.Errorf("METG(%v) = %+v, want %+v", c.efficiency, got, c.want)
			}
		})
	}
}

// TestMETGOfAModel: where each task costs o beside its kernel, METG(50 %) is 2*o.
func TestMETGOfAModel(t *testing.T) {
	const overhead = 300.0
	var c Curve
	for _, size := range ladder(1<<12, 1, 4) {
		g := overhead + float64(size)
		c = append(c, Point{size, g, float64(size) / g})
	}
	for _, between := range []Interpolation{Linear, Log} {
		for p := 10; p <= 90; p += 10 {
			efficiency := float64(p) / 100
			got := c.METG(efficiency, between)
			if want := overhead / (1 - efficiency); got.Relation != Exact || math.Abs(got.NS/want-1) > 0.01 {
				t.Errorf("%s METG(%d %%) = %v, want %v within 1 %%", between, p, got, want)
			}
		}
	}
}

func TestCrossings(t *testing.T) {
	for _, c := range []struct {
		curve Curve
		want  int
	}{
		{nil, 0},
		{curve(3, 0.9, 2, 0.8), 0},
		{curve(3, 0.9, 2, 0.5, 1, 0.4), 1},
		{curve(4, 0.9, 3, 0.4, 2, 0.6, 1, 0.1), 3},
	} {
		if got := c.curve.Crossings(0.5); got != c.want {
			t.Errorf("%v crosses %d times, want %d", c.curve, got, c.want)
		}
	}
}

func TestGranularity(t *testing.T) {
	if got := Granularity(3*time.Millisecond, 2, 8000); got != 750 {
		t.Errorf("3 ms of 2 cores for 8000 tasks is %v ns each, want 750", got)
	}
}
