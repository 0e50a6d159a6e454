package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ocr/internal/proof/testrun"
)

// side returns a side that claims that each run took d, and records its runs.
func side(name string, d time.Duration, runs *[]string) Side {
	return Side{
		Name: name,
		Once: func(context.Context) (time.Duration, error) {
			*runs = append(*runs, name)
			return d, nil
		},
		Figures: func(elapsed time.Duration, runs int) []Value {
			ns := float64(elapsed.Nanoseconds()) / float64(runs)
			return []Value{{"ns/op", ns}, {"op/s", 1e9 / ns}}
		},
	}
}

func TestRunTakesSamplesInRounds(t *testing.T) {
	var runs []string
	plan := Plan{Warmup: 2, Samples: 5, Seed: 1}
	got, err := plan.Run(t.Context(), side("a", time.Millisecond, &runs), side("b", 2*time.Millisecond, &runs))
	testrun.OK(t, err)
	five := func(v float64) []float64 { return slices.Repeat([]float64{v}, 5) }
	want := []Series{
		{Side: "a", Runs: []int{1, 1, 1, 1, 1}, Metrics: []Metric{{"ns/op", five(1e6)}, {"op/s", five(1000)}}},
		{Side: "b", Runs: []int{1, 1, 1, 1, 1}, Metrics: []Metric{{"ns/op", five(2e6)}, {"op/s", five(500)}}},
	}
	testrun.Same(t, want, got, "series")
	if len(runs) != 14 {
		t.Fatalf("%d runs, want 14: warm-ups and samples of both sides", len(runs))
	}
	for i := 0; i < len(runs); i += 2 {
		if runs[i] == runs[i+1] {
			t.Errorf("round %d ran %s twice: %v", i/2, runs[i], runs)
		}
	}
}

// TestOver: a run may report that its side takes no more samples; others go on. The first 2 of 7 rounds are warm-ups.
func TestOver(t *testing.T) {
	var runs []string
	two := side("b", time.Millisecond, &runs)
	taken, ends := 0, side("c", time.Millisecond, &runs)
	once := ends.Once
	ends.Once = func(ctx context.Context) (time.Duration, error) {
		if taken++; taken > 4 {
			return 0, ErrOver
		}
		return once(ctx)
	}
	got, err := Plan{Warmup: 2, Samples: 5, OneRun: true, Seed: 1}.Run(t.Context(), ends, two)
	if err != nil || taken != 5 || len(got[0].Runs) != 2 || len(got[1].Runs) != 5 {
		t.Errorf("series %+v of %d runs, %v; want 2 samples of 5 runs, and 5", got, taken, err)
	}
}

func TestRunOrderFollowsSeed(t *testing.T) {
	order := func(seed uint64) string {
		var runs []string
		plan := Plan{Samples: 20, Seed: seed}
		_, err := plan.Run(t.Context(), side("a", time.Millisecond, &runs), side("b", time.Millisecond, &runs))
		testrun.OK(t, err)
		return strings.Join(runs, "")
	}
	one := order(1)
	testrun.Equal(t, order(1), one, "order of the same seed")
	if one == order(2) {
		t.Error("two seeds gave one order")
	}
	if one == strings.Repeat("ab", 20) || one == strings.Repeat("ba", 20) {
		t.Error("one side always goes first")
	}
}

// TestSampleLength: a sample has so many runs that it lasts SampleTime and a hundred steps of the clock, unless a
// sample is one run.
func TestSampleLength(t *testing.T) {
	const us = time.Microsecond
	for _, c := range []struct {
		took   time.Duration // a run
		plan   Plan
		runs   int // of a sample
		coarse bool
	}{
		{300 * us, Plan{SampleTime: time.Millisecond}, 4, false},
		{10 * us, Plan{Resolution: us}, 10, true},
		{100 * us, Plan{Resolution: us}, 1, false},
		{10 * us, Plan{OneRun: true, SampleTime: time.Second, Resolution: us}, 1, true},
	} {
		var runs []string
		c.plan.Samples = 3
		got, err := c.plan.Run(t.Context(), side("a", c.took, &runs))
		testrun.OK(t, err)
		want := []int{c.runs, c.runs, c.runs}
		testrun.Same(t, want, got[0].Runs, "%v: runs of samples", c)
		testrun.Equal(t, float64(c.took), got[0].Metrics[0].Samples[0], "%v: ns of a run", c)
		if got[0].Coarse != c.coarse || len(runs) != 3*c.runs {
			t.Errorf("%v: coarse %v, %d runs", c, got[0].Coarse, len(runs))
		}
	}
}

// slow returns a side whose run takes 50 ms, of which the timed part is d.
func slow(d time.Duration, runs *[]string) Side {
	s := side("slow", d, runs)
	once := s.Once
	s.Once = func(ctx context.Context) (time.Duration, error) {
		time.Sleep(50 * time.Millisecond)
		return once(ctx)
	}
	return s
}

func TestRunTooShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var runs []string
		_, err := Plan{Samples: 1}.Run(t.Context(), slow(0, &runs))
		testrun.Is(t, err, ErrTooShort)
		testrun.Fails(t, err, "slow: the timed part")
	})
}

// TestSampleEndsLate: a sample whose runs are mostly not timed does not run for ever.
func TestSampleEndsLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var runs []string
		_, err := Plan{Samples: 1, SampleTime: 10 * time.Millisecond}.Run(t.Context(), slow(50*time.Microsecond, &runs))
		if err != nil || len(runs) != 41 {
			t.Errorf("%d runs of 50 ms, error %v; want 41 to pass two seconds, and none", len(runs), err)
		}
	})
}

func TestRunStopsAtFailure(t *testing.T) {
	wrong := errors.New("expected 7300, got 7299")
	var runs []string
	good, bad := side("good", time.Millisecond, &runs), side("bad", time.Millisecond, &runs)
	bad.Once = func(context.Context) (time.Duration, error) { return time.Millisecond, wrong }
	_, err := Plan{Samples: 3}.Run(t.Context(), good, bad)
	testrun.Is(t, err, wrong)
	testrun.Equal(t, "bad: expected 7300, got 7299", err.Error(), "error")
}

func TestRunCancelledKeepsWholeSamples(t *testing.T) {
	stop := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(t.Context())
	var runs []string
	s := side("a", time.Millisecond, &runs)
	once := s.Once
	s.Once = func(ctx context.Context) (time.Duration, error) {
		if len(runs) == 7 { // inside the third sample of three runs
			cancel(stop)
			return 0, ctx.Err()
		}
		return once(ctx)
	}
	got, err := Plan{Samples: 10, SampleTime: 3 * time.Millisecond}.Run(ctx, s)
	testrun.Is(t, err, stop, "the cause of the cancellation")
	testrun.Same(t, []int{3, 3}, got[0].Runs, "runs of the samples kept")
}

func TestRunRefusesBadFigures(t *testing.T) {
	for _, bad := range [][]Value{
		{{"ns/op", math.NaN()}},
		{{"ns/op", math.Inf(1)}},
		{{"ns/edt", 1}},
		{{"ns/op", 1}, {"op/s", 1}},
	} {
		var runs []string
		s := side("a", time.Millisecond, &runs)
		s.Figures = func(time.Duration, int) []Value {
			if len(runs) == 1 {
				return []Value{{"ns/op", 1}}
			}
			return bad
		}
		got, err := Plan{Samples: 2}.Run(t.Context(), s)
		if err == nil || len(got[0].Metrics[0].Samples) != 1 {
			t.Errorf("figures %v: error %v, %d samples kept; want an error, 1", bad, err, len(got[0].Metrics[0].Samples))
		}
	}
}

func TestProgress(t *testing.T) {
	var told []string
	var runs []string
	plan := Plan{Warmup: 1, Samples: 2, Progress: func(p Progress) {
		told = append(told, fmt.Sprintf("%s warmup=%v %d/%d, %.2f", p.Side, p.Warmup, p.Done, p.Total, p.Share))
	}}
	_, err := plan.Run(t.Context(), side("a", time.Millisecond, &runs))
	testrun.OK(t, err)
	want := []string{"a warmup=true 0/1, 0.00", "a warmup=false 0/2, 0.33", "a warmup=false 1/2, 0.67"}
	testrun.Same(t, want, told, "progress")
}
