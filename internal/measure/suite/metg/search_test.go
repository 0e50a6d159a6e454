package metg

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ocr/internal/proof/testrun"
)

// model is a runtime whose tasks cost overhead beside their size, in ns; a trial is
// of 1000 tasks. It counts the trials of each size.
func model(overhead float64, trials map[int64]int) attempt {
	return func(size int64) (float64, time.Duration, error) {
		trials[size]++
		g := overhead + float64(size)
		return float64(size) / g, time.Duration(1000 * g), nil
	}
}

func TestSearch(t *testing.T) {
	usual := limits{most: 1 << 26, longest: time.Second, high: 0.93, low: 0.08, perOctave: 1}
	for _, c := range []struct {
		name        string
		overhead    float64
		change      func(*limits)
		top, bottom int64
	}{
		{"some overhead", 100, nil, 4096, 4},
		{"little overhead", 1, nil, 32, 0},
		{"much overhead", 1e5, func(l *limits) { l.longest = time.Hour }, 1 << 22, 4096},
		{"may not be larger", 100, func(l *limits) { l.most = 1000 }, 1000, 4},
		{"may not take longer", 100, func(l *limits) { l.longest = 1000 * 500 }, 512, 4},
		{"no overhead at all", 1e-9, nil, 2, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, trials := usual, map[int64]int{}
			if c.change != nil {
				c.change(&l)
			}
			got, err := chooseSizes(model(c.overhead, trials), l)
			testrun.OK(t, err)
			if got[0].size != c.top || got[len(got)-1].size != c.bottom {
				t.Errorf("sizes from %d to %d, want %d to %d", got[0].size, got[len(got)-1].size, c.top, c.bottom)
			}
			for size, n := range trials {
				if n > 1 {
					t.Errorf("size %d was tried %d times", size, n)
				}
			}
			for i, r := range got {
				own := time.Duration(1000 * (c.overhead + float64(r.size)))
				if i > 0 && r.took < own || trials[r.size] > 0 && r.size > 0 && r.size&(r.size-1) == 0 && r.took != own {
					t.Errorf("size %d takes %v, want its trial's %v, or more where it had none", r.size, r.took, own)
				}
				if i > 0 && got[i-1].size <= r.size {
					t.Errorf("sizes do not fall: %v", got)
				}
			}
		})
	}
}

// TestSearchBetweenTrials holds that a size that was not tried gets the time of a larger one.
func TestSearchBetweenTrials(t *testing.T) {
	l := limits{most: 8, longest: time.Hour, high: 2, low: 0.5, perOctave: 2}
	got, err := chooseSizes(model(3, map[int64]int{}), l)
	want := []rung{{8, 11000}, {6, 11000}, {4, 7000}, {3, 7000}, {2, 5000}, {1, 4000}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(rung{})); diff != "" || err != nil {
		t.Errorf("error %v, rungs (-want +got):\n%s", err, diff)
	}
}

// TestSearchSurvivesADisturbance holds that one slow trial does not end the search.
func TestSearchSurvivesADisturbance(t *testing.T) {
	l := limits{most: 1 << 26, longest: time.Second, high: 0.93, low: 0.08, perOctave: 1}
	quiet := model(100, map[int64]int{})
	for _, disturbed := range []int64{1, 64, 128, 1024} {
		got, err := chooseSizes(func(size int64) (float64, time.Duration, error) {
			efficiency, took, err := quiet(size)
			if size == disturbed {
				efficiency /= 100
			}
			return efficiency, took, err
		}, l)
		if err != nil || got[0].size != 4096 || got[len(got)-1].size > 8 {
			t.Errorf("size %d disturbed: %v, sizes %v, want some from 4096 to 8 or less", disturbed, err, got)
		}
	}
}

func TestSearchFails(t *testing.T) {
	wrong := errors.New("input from the wrong task")
	for _, size := range []int64{1, 32, 512} {
		l := limits{most: 1 << 20, longest: time.Second, high: 0.9, low: 0.1, perOctave: 1}
		got, err := chooseSizes(func(tried int64) (float64, time.Duration, error) {
			if tried == size {
				return 0, 0, wrong
			}
			return model(100, map[int64]int{})(tried)
		}, l)
		if !errors.Is(err, wrong) || got != nil {
			t.Errorf("size %d fails: %v, %v", size, got, err)
		}
	}
}

func TestLadder(t *testing.T) {
	for _, c := range []struct {
		top, bottom int64
		perOctave   int
		want        []int64
	}{
		{16, 1, 1, []int64{16, 8, 4, 2, 1}},
		{16, 4, 2, []int64{16, 11, 8, 6, 4}},
		{4, 0, 4, []int64{4, 3, 2, 1, 0}},
		{5, 5, 1, []int64{5}},
		{0, 0, 1, []int64{0}},
		{1, 0, 1, []int64{1, 0}},
	} {
		testrun.Same(t, c.want, ladder(c.top, c.bottom, c.perOctave),
			"ladder(%d, %d, %d)", c.top, c.bottom, c.perOctave)
	}
}
