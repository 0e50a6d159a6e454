// Package trialtest tests the promises of every [trial.App]: each form's result is right, for any number of workers and
// order of EDTs; a run leaves no object; and EDTs spread over ranks.
package trialtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
	"ocr/runtime/finding"
)

// Forms runs every form of an App on 1, 2, 3 and 8 workers, verifies each result, and looks for leaks.
func Forms(t *testing.T, app trial.App) {
	t.Helper()
	for _, workers := range []int{1, 2, 3, 8} {
		for _, form := range app.Forms() {
			if err := form.Run(t.Context(), workers); err != nil {
				t.Errorf("%s, %d workers: %v", form.Name, workers, err)
			}
			verify(t, app, form.Name, workers)
		}
		for _, graph := range graphs(app) {
			runGraph(t, graph, workers)
		}
	}
}

// graphs returns the app, and, if it is a [trial.Recorder], a second one whose Main is the recorded graph.
func graphs(app trial.App) []trial.App {
	switch a := app.(type) {
	case trial.Recorder:
		return []trial.App{a, recorded{a}}
	case spoilt:
		list := graphs(a.App)
		for k := range list {
			list[k] = spoilt{list[k], a.spoil}
		}
		return list
	}
	return []trial.App{app}
}

type recorded struct{ trial.Recorder }

func (r recorded) Main() edt.Func { return r.MainRecorded() }

// AllForms returns all forms of an App; the first is that of EDTs. It makes a pool for each run: the idle workers of a
// lasting pool would disturb the other forms.
func AllForms(app trial.App) []trial.Form {
	return append([]trial.Form{{Name: trial.EDT, Run: func(ctx context.Context, workers int) error {
		return runtime.Run(ctx, app.Main(), runtime.Workers(workers))
	}}}, app.Forms()...)
}

// Checked runs an App's EDTs in check mode, which must find nothing, not even notes, except findings of the expected
// kinds, about what the app does on purpose.
func Checked(t *testing.T, app trial.App, expected ...finding.Kind) {
	t.Helper()
	for _, workers := range []int{1, 3} {
		for _, graph := range graphs(app) {
			report := runGraph(t, graph, workers, runtime.Check(), runtime.Blocking(time.Hour))
			for _, found := range report.Findings {
				if !slices.Contains(expected, found.Kind) {
					t.Errorf("check mode, %d workers: %v", workers, found)
				}
			}
		}
	}
}

func runGraph(t *testing.T, app trial.App, workers int, opts ...runtime.Option) (report runtime.Report) {
	t.Helper()
	hangs := func(s runtime.Stall) { testrun.Hangs(t, s) }
	opts = append(opts, runtime.Workers(workers), runtime.LeakReport(), runtime.Into(&report),
		runtime.Watchdog(runtime.Watch{Still: testrun.HangAfter(), Report: hangs}))
	if err := runtime.Run(t.Context(), app.Main(), opts...); err != nil {
		t.Errorf("EDTs, %d workers: %v", workers, err)
	}
	testrun.Equal(t, 0, len(report.Leaks), "EDTs, %d workers: leaks %v", workers, report.Leaks)
	verify(t, app, "EDTs", workers)
	return report
}

func verify(t *testing.T, app trial.App, form string, workers int) {
	t.Helper()
	if err := app.Verify(); err != nil {
		t.Errorf("%s, %d workers: %v", form, workers, err)
	}
	if app.Elapsed() < 0 {
		t.Errorf("%s, %d workers: took %v", form, workers, app.Elapsed())
	}
}

// Sabotaged runs an App's EDTs and then changes each element of the result in turn: Verify must find each change.
func Sabotaged[T any](t *testing.T, app trial.App, change func(T) T, result func() []*T) {
	t.Helper()
	runGraph(t, app, 2)
	for k, element := range result() {
		right := *element
		*element = change(right)
		err := app.Verify()
		if _, wrong := errors.AsType[*trial.VerifyError](err); !wrong {
			t.Errorf("element %d of the result is %v in place of %v: Verify says %v", k, *element, right, err)
		}
		*element = right
	}
	verify(t, app, "the EDTs' own result", 2)
}

// Slightly changes a number for [Sabotaged].
func Slightly(v float64) float64 {
	if v == 0 {
		return 1e-6
	}
	return v * (1 + 1e-6)
}

// Explore searches for an order of an App's EDTs in which its result is wrong, or an object is left.
func Explore(t *testing.T, newApp func() trial.App, opts ...edttest.Option) {
	t.Helper()
	edttest.Explore(t, func(run *edttest.Trial) edt.Func {
		app := newApp()
		run.Check(app.Verify)
		return app.Main()
	}, append(opts, edttest.NoLeaks())...)
}

// Incomplete checks that an App has no result before a run, nor after a cancelled run, even if the run before had a
// result. A cancelled form returns the cause.
func Incomplete(t *testing.T, app trial.App) {
	t.Helper()
	refused := func(when string) { testrun.Is(t, app.Verify(), trial.ErrIncomplete, "Verify %s", when) }
	refused("before a run")
	done, cancel := context.WithCancelCause(t.Context())
	why := fmt.Errorf("enough: %w", context.Canceled)
	cancel(why)
	for _, form := range AllForms(app) {
		if err := form.Run(t.Context(), 2); err != nil {
			t.Errorf("%s: %v", form.Name, err)
		}
		verify(t, app, form.Name, 2)
		testrun.Is(t, form.Run(done, 2), context.Canceled, "%s, cancelled", form.Name)
		refused("after " + form.Name + " was cancelled")
	}
}

// Ranks runs an App's EDTs on 2 and 4 ranks, of one worker each and of two, in orders drawn from seeds. EDTs without a
// place run once on the rank of their creator, as in processes, and once on any rank. It verifies each result, and
// looks for leaks. If the App spreads, and ranks run as processes do, each rank must run at least 20 of 100 EDTs.
//
// All ranks are in this process, so Ranks does not find an EDT that uses a variable of Go which another rank has set. A
// run with [runtime.Ranks] does.
func Ranks(t *testing.T, app trial.App, spreads bool) {
	t.Helper()
	share := 0.0
	if spreads {
		share = 0.2
	}
	for seed := range uint64(4) {
		for _, ranks := range []int{2, 4} {
			cfg := edt.Config{Workers: 1 + int(seed/2)}
			onRanks(t, app, fmt.Sprintf("on any of %d ranks, seed %d", ranks, seed), edttest.NewRanks(seed, ranks, cfg), 0)
			onRanks(t, app, fmt.Sprintf("%d ranks, seed %d", ranks, seed), edttest.NewApart(seed, ranks, cfg), share)
		}
	}
}

func onRanks(t *testing.T, app trial.App, name string, h *edttest.Host, share float64) {
	t.Helper()
	defer h.Graph.Close()
	if err := h.Run(app.Main()); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if err := app.Verify(); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	testrun.Equal(t, 0, len(h.Graph.Leaks()), "%s: leaks %v", name, h.Graph.Leaks())
	all := 0
	for _, n := range h.Ran() {
		all += n
	}
	for rank, n := range h.Ran() {
		if float64(n) < share*float64(all) {
			t.Errorf("%s: rank %d has run %d of %d EDTs, want %.0f %%", name, rank, n, all, 100*share)
		}
	}
}
