package compare

import (
	"math"
	"testing"
)

// TestSignTest: exact values: of n pairs, 2 in 2^n are as extreme as all one way, and n
// times as many more as all but one.
func TestSignTest(t *testing.T) {
	ones := []float64{1, 1, 1, 1, 1, 1}
	for _, tt := range []struct {
		old, new []float64
		want     float64
	}{
		{ones, []float64{2, 3, 4, 5, 6, 700}, 2.0 / 64},
		{[]float64{2, 3, 4, 5, 6, 7}, ones, 2.0 / 64},
		{ones, []float64{-900, 3, 4, 5, 6, 7}, 14.0 / 64},
		{ones, []float64{1, 1, 2, 3, 4, 5}, 2.0 / 16}, // two without a difference
		{ones, []float64{0, 2, 0, 2, 0, 2}, 1},
		{ones, ones, 1},
	} {
		if got := signTest(tt.old, tt.new); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%v, %v: p = %v, want %v", tt.old, tt.new, got, tt.want)
		}
	}
	if got := pairedChange([]float64{1, 10, 100}, []float64{1.1, 11, 90}); math.Abs(got-0.1) > 1e-12 {
		t.Errorf("change of pairs = %v, want 0.1", got)
	}
}

// TestPaired: pairs are judged as such, and rows that cannot differ do not count.
func TestPaired(t *testing.T) {
	pace := []float64{1, 2, 1, 3, 1, 2, 5, 1} // both go at it
	var slower []float64
	for _, v := range pace {
		slower = append(slower, 1.1*v)
	}
	same := make([]float64, len(pace))
	before := file(t, result{"X", "ns/op", pace}, result{"X", "allocs/op", same}, result{"Y", "B/op", same})
	after := file(t, result{"X", "ns/op", slower}, result{"X", "allocs/op", same}, result{"Y", "B/op", same})
	o := Options{Alpha: 0.01, FailOver: 5}
	if r := Compare(before, after, o).Rows[0]; r.Verdict != Unknown || !r.TooWide {
		t.Errorf("not paired: %+v", r)
	}
	for _, f := range []*File{before, after} {
		for i := range f.Series {
			f.Series[i].Paired = true
		}
	}
	c := Compare(before, after, o)
	if r := c.Rows[0]; r.Verdict != Slower || !r.Regression || math.Abs(r.Change-0.1) > 1e-12 ||
		math.Abs(r.Holm-2.0/256) > 1e-12 {
		t.Errorf("paired: %+v", r)
	}
	if c.Rows[1].Verdict != Same || c.Rows[2].Verdict != Same {
		t.Errorf("what is always 0 differs: %+v", c.Rows)
	}
	o.Alpha = 2.0 / 256
	if few, enough := Compare(before, after, o).TooFew(); few != 1 || enough != 9 {
		t.Errorf("%d rows have too few pairs, %d are enough, want 1, 9", few, enough)
	}
}

// TestPairedFromZero: what was 0 in every run and is not any more is a regression.
func TestPairedFromZero(t *testing.T) {
	for _, pairs := range []int{10, 11} {
		before, after := one(t, "allocs/op", make([]float64, pairs)...), one(t, "allocs/op", around(1, pairs)...)
		before.Series[0].Paired, after.Series[0].Paired = true, true
		r := Compare(before, after, Options{Alpha: 0.05, FailOver: 1000}).Rows[0]
		if !math.IsInf(r.Change, 1) || r.ChangeText() != "from 0" || r.Verdict != Worse || !r.Regression {
			t.Errorf("%d pairs: %s, change %v, regression %v, want worse, from 0, a regression", pairs, r.Verdict, r.Change,
				r.Regression)
		}
	}
}
