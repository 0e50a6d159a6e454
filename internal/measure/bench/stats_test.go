package bench

import (
	"math"
	"testing"

	"ocr/internal/proof/testrun"
)

func TestMedianOrder(t *testing.T) {
	// Levels from tables of the binomial distribution with p = 1/2.
	for _, c := range []struct {
		n, k  int
		level float64
	}{
		{1, 1, 0},
		{2, 1, 0.5},
		{5, 1, 0.9375},
		{6, 1, 0.96875},
		{8, 1, 0.9921875},
		{9, 2, 0.9609375},
		{10, 2, 0.978515625},
		{20, 6, 0.958610535},
		{100, 40, 0.964799800},
		{100000, 49690, 0.95044},
	} {
		k, level := medianOrder(c.n)
		if k != c.k || math.Abs(level-c.level) > 1e-4 {
			t.Errorf("medianOrder(%d) = %d, %.6f, want %d, %.6f", c.n, k, level, c.k, c.level)
		}
	}
}

func TestSummarize(t *testing.T) {
	samples := []float64{7, 1, 9, 3, 5, 10, 2, 8, 4, 6}
	got := Summarize(samples)
	if math.Abs(got.StdDev-math.Sqrt(82.5/9)) > 1e-12 || math.Abs(got.P90-9.1)+math.Abs(got.P99-9.91) > 1e-12 {
		t.Errorf("stddev %v, p90 %v, p99 %v", got.StdDev, got.P90, got.P99)
	}
	got.StdDev, got.P90, got.P99 = 0, 0, 0
	testrun.Same(t, Summary{N: 10, Median: 5.5, Lo: 2, Hi: 9, Min: 1, Max: 10, Mean: 5.5}, got, "summary")
	testrun.Equal(t, 7, samples[0], "first sample after Summarize")
}

func TestSummarizeFew(t *testing.T) {
	testrun.Same(t, Summary{}, Summarize(nil), "Summarize(nil)")
	one := Summarize([]float64{4})
	if one.Median != 4 || one.Lo != 4 || one.Hi != 4 || one.StdDev != 0 || one.P99 != 4 || !one.BelowConfidence {
		t.Errorf("Summarize of one sample = %+v", one)
	}
	five := Summarize([]float64{5, 4, 3, 2, 1})
	if five.Lo != 1 || five.Hi != 5 || !five.BelowConfidence {
		t.Errorf("interval of five samples = %v..%v, below %v; want the range, below", five.Lo, five.Hi, five.BelowConfidence)
	}
}

// TestQuantileOfInfinities: between two equal infinities the quantile is the infinity, and no quantile is NaN.
func TestQuantileOfInfinities(t *testing.T) {
	inf := math.Inf(1)
	for _, tt := range []struct {
		ascending []float64
		q, want   float64
	}{
		{[]float64{inf, inf}, 0.5, inf},
		{[]float64{-inf, -inf, -inf, -inf}, 0.9, -inf},
		{[]float64{1, 3, inf}, 0.5, 3},
		{[]float64{0, inf}, 0.5, inf},
		{[]float64{-inf, 0}, 0.5, -inf},
		{[]float64{1, 3}, 0.5, 2},
	} {
		testrun.Same(t, tt.want, Quantile(tt.ascending, tt.q), "Quantile(%v, %v)", tt.ascending, tt.q)
	}
}

// TestRatio: the ratio is the median of the rounds' ratios. The sides' medians are of different states of the machine.
func TestRatio(t *testing.T) {
	side, base := []float64{20, 200, 200, 20, 200}, []float64{10, 100, 11, 10, 10} // changes amid rounds 3, 5
	testrun.Equal(t, 2, Ratio(side, base),
		"ratio, beside that of the medians, %v", Summarize(side).Median/Summarize(base).Median)
	testrun.Equal(t, 2, Ratio(side[:2], base), "ratio of two rounds")
	testrun.Equal(t, 0, Ratio(nil, base), "ratio of no round")
}
