package c2c

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	app "ocr/apps/c2c"
	"ocr/internal/measure/testbed"
	"ocr/internal/proof/testrun"
)

func TestTrialsTakeLinesInTurn(t *testing.T) {
	r := testRun(single(), 22, zeroOne)
	x := rowOf(app.Polled, 100)
	var used []int
	x.once = func(_ context.Context, cfg app.Config) (app.Result, error) {
		used = append(used, cfg.Line)
		return trialOf(cfg, float64(100+10*cfg.Line)), nil
	}
	testrun.OK(t, r.measured(t, x))
	for trial, line := range used[3:] {
		testrun.Same(t, trial%20, line, "trial %d used line", trial)
	}
	row := r.rows[0]
	if row.kept != 22 || row.placement() != "0,1" {
		t.Errorf("%d trials on %s; want 22 on 0,1", row.kept, row.placement())
	}
	label := map[string]any{}
	for _, l := range row.labels() {
		label[l.Key] = l.Value
	}
	want := map[string]any{
		"test": "single", "form": "polled", "width": 8, "layout": "same", "length": 1, "cpu-a": 0, "cpu-b": 1,
		"class": row.class.String(), "transfers": 20000, "placement": "0,1",
		"warmup-transfers": 1000, "doubted": 0,
	}
	testrun.Same(t, want, label, "labels")
}

// TestTransfersAskedForAreKept holds that what is asked for is not cut to fit a trial, and
// that what is not asked for is.
func TestTransfersAskedForAreKept(t *testing.T) {
	for asked, want := range map[int]int{0: 800, 3_000_000: 3_000_000} {
		cfg := single()
		cfg.Transfers = asked
		r := testRun(cfg, 1, zeroOne)
		x := r.newRow(key{groupOf(app.Single, 1, 0, 1), app.Polled})
		x.once = rowOf(app.Polled, 10_000).once
		if err := r.measured(t, x); err != nil || r.rows[0].cfg.Transfers != want {
			t.Errorf("%d asked for: %d transfers, want %d: %v", asked, r.rows[0].cfg.Transfers, want, err)
		}
	}
}

// TestWrongValuesGiveNoRate holds that a trial that found wrong elements ends the run without results.
func TestWrongValuesGiveNoRate(t *testing.T) {
	r := testRun(single(), 3, zeroOne)
	cfg := app.Defaults()
	x := failing(rowOf(app.Polled, 100), cfg.WrongElements(2), func(n int) bool { return n == 5 })
	err := r.measured(t, x)
	if want := x.name() + ": " + cfg.WrongElements(2).Error(); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	if result, end := r.end(err); result != nil || !errors.Is(end, err) {
		t.Errorf("result %v, error %v", result, end)
	}
}

// TestDoubts holds that an end that shares a processor, or is not where it was asked to be,
// is counted, and reported once.
func TestDoubts(t *testing.T) {
	r := testRun(single(), 4, zeroOne)
	var sides []*row
	for _, form := range []app.Form{app.Polled, app.Goroutines} {
		x := rowOf(form, 100)
		once := x.once
		x.once = func(ctx context.Context, cfg app.Config) (app.Result, error) {
			result, err := once(ctx, cfg)
			if cfg.Line != 1 {
				result.Ends[1].CPU = [2]int{0, 0}
			}
			return result, err
		}
		sides = append(sides, x)
	}
	testrun.OK(t, r.measured(t, sides...))
	if row := r.rows[0]; row.doubted != 3 || row.placement() != "0,0 0,1" {
		t.Errorf("%d trials doubted on %s, want 3 on 0,0 and 0,1", row.doubted, row.placement())
	}
	text := strings.Join(strings.Fields(written(t, r)), " ")
	for _, doubt := range []string{
		"both ends ran on processor 0", "c2c/single/polled/width=8/layout=same/cpus=0,1: end B ran on processor 0, not on 1",
	} {
		testrun.Equal(t, 1, strings.Count(text, doubt), "lines with %q in\n%s", doubt, text)
	}
}

func TestStrayed(t *testing.T) {
	for _, c := range []struct {
		form app.Form
		cpus [2][2]int
		want string
	}{
		{app.Polled, [2][2]int{{0, 0}, {1, 1}}, ""},
		{app.Polled, [2][2]int{{1, 1}, {0, 0}}, "A1 B0"},
		{app.Polled, [2][2]int{{-1, -1}, {-1, -1}}, ""},
		{app.Polled, [2][2]int{{0, 3}, {1, 1}}, ""}, // has moved: another doubt
		{C, [2][2]int{{0, 0}, {2, 2}}, "B2"},
	} {
		x := rowOf(c.form, 100)
		var r app.Result
		r.Ends[0].CPU, r.Ends[1].CPU = c.cpus[0], c.cpus[1]
		var got []string
		for _, doubt := range x.strayed(r) {
			var end rune
			var cpu int
			_, rest, _ := strings.Cut(doubt, ": end ")
			fmt.Sscanf(rest, "%c ran on processor %d,", &end, &cpu)
			got = append(got, fmt.Sprintf("%c%d", end, cpu))
		}
		testrun.Equal(t, c.want, words(got...), "%s on %v: %v", c.form, c.cpus, got)
	}
}

// TestSpoiltTrialsAreTakenAgain holds that a run survives trials that fail by chance.
func TestSpoiltTrialsAreTakenAgain(t *testing.T) {
	r := testRun(single(), 4, zeroOne)
	// 1 to 3 calibrate, with 2 taken again; 6, 7 and 8 are one that was kept.
	x := failing(rowOf(app.Polled, 100), app.ErrNoMeeting, func(n int) bool { return n == 2 || n >= 6 && n <= 8 })
	if err := r.measured(t, x, rowOf(app.Goroutines, 90)); err != nil || len(r.rows) != 2 {
		t.Fatalf("%d rows, %v, want both", len(r.rows), err)
	}
	if row := r.rows[0]; row.kept != 4 || row.doubted != 1 || !strings.Contains(row.doubts[0], app.ErrNoMeeting.Error()) {
		t.Errorf("%d trials, %d doubted for %q; want 4, 1 for that", row.kept, row.doubted, row.doubts)
	}
	if _, err := r.end(nil); err != nil {
		t.Errorf("the run ended with %v", err)
	}
}

// TestFailingTrialEndsTheRun holds that a trial that fails ends the run with an error that names
// it, and that what was measured before is there, marked.
func TestFailingTrialEndsTheRun(t *testing.T) {
	other := errors.New("no more threads")
	for _, c := range []struct {
		name  string
		err   error
		fails func(n int) bool
		rows  int
	}{
		{"at once", app.ErrNoMeeting, func(int) bool { return true }, 0},
		{"after some trials", app.ErrNothing, func(n int) bool { return n > 5 }, 2},
		{"not to be repeated", other, func(n int) bool { return n == 5 }, 2},
	} {
		r := testRun(single(), 40, zeroOne)
		x := failing(rowOf(app.Polled, 100), c.err, c.fails)
		err := r.measured(t, x, rowOf(app.Goroutines, 90))
		want := "c2c/single/polled/width=8/layout=same/cpus=0,1: " + c.err.Error()
		if err == nil || err.Error() != want {
			t.Fatalf("%s: error %v, want %s", c.name, err, want)
		}
		result, end := r.end(err)
		if end != err || len(r.rows) != c.rows || (result != nil) != (c.rows > 0) {
			t.Fatalf("%s: %d rows, result %v, error %v; want %d rows", c.name, len(r.rows), result, end, c.rows)
		}
		if result != nil {
			contains(t, c.name, textOf(t, result), []string{"partial", "\npolled ", "\ngoroutines "}, nil)
		}
	}
	r := testRun(single(), 1, zeroOne)
	r.bed.Note("skipped: form c: no compiler")
	if _, err := r.end(nil); err == nil || err.Error() != "c2c: nothing was measured: skipped: form c: no compiler" {
		t.Errorf("error %v, want that nothing was measured, and why", err)
	}
}

// TestInterrupted holds that what there is comes back, marked.
func TestInterrupted(t *testing.T) {
	r := testRun(single(), 1_000_000, zeroOne)
	ctx, interrupt := context.WithCancelCause(t.Context())
	x := failing(rowOf(app.Polled, 100), nil, func(n int) bool {
		if n == 6 {
			interrupt(testbed.ErrInterrupted)
		}
		return false
	})
	err := r.takeTurns(ctx, []*row{x}, r.bed.Tell)
	result, err := r.end(err)
	if !errors.Is(err, testbed.ErrInterrupted) || result == nil || !result.Partial || len(result.Results) != 1 {
		t.Errorf("result %+v, error %v, want the trials before the interrupt", result, err)
	}
}

// TestObservedIsAGraph holds which row is observed.
func TestObservedIsAGraph(t *testing.T) {
	for want, forms := range map[app.Form][]app.Form{
		app.Polled: {app.Goroutines, app.Polled}, app.EDT: {app.Polled, app.EDT},
	} {
		cfg := single()
		cfg.Forms = forms
		r := testRun(cfg, 1)
		if err := r.prepare(); err != nil || r.observed.form != want {
			t.Errorf("of %v: %+v, %v, want %s", forms, r.observed, err, want)
		}
	}
	cfg := single()
	cfg.Forms = []app.Form{app.Goroutines}
	r := testRun(cfg, 1)
	r.bed.Watch = &testbed.Watch{Asked: "stats"}
	testrun.Fails(t, r.prepare(), "goroutines is none")
}

// TestFigures: a round trip is two ways, and transfers a second are those of one way.
func TestFigures(t *testing.T) {
	for _, test := range app.Tests() {
		cfg := app.Defaults()
		cfg.Test, cfg.Transfers = test, 1000
		r := trialOf(cfg, 50)
		got := map[string]float64{}
		for _, v := range figures(r) {
			got[v.Unit] = v.Value
		}
		way := got["ns/oneway"]
		if way <= 0 || got["ns/roundtrip"] != 2*way {
			t.Errorf("%s: %v", test, got)
		}
	}
}
