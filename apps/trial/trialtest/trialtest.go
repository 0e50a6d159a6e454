// Package trialtest tests what every [trial.App] has to do, and measures its forms.
package trialtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/runtime"
)

// Forms runs an App as EDTs and in its forms, one after the other, on several numbers of workers, and
// calls same after each with the form's name. Each result must be verified, and nothing be left of the EDTs.
func Forms(t *testing.T, app trial.App, same func(form string)) {
	t.Helper()
	for _, workers := range []int{1, 2, 3, 8} {
		for _, form := range append(app.Forms(), asEDTs(t, app)) {
			name := fmt.Sprintf("%s, %d workers", form.Name, workers)
			if err := form.Run(t.Context(), workers); err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if err := app.Verify(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			same(name)
		}
	}
}

// asEDTs is the run as EDTs as a form.
func asEDTs(t testing.TB, app trial.App) trial.Form {
	return trial.Form{Name: "edt", Run: func(ctx context.Context, workers int) error {
		var report runtime.Report
		err := runtime.Run(ctx, app.Main(), runtime.Workers(workers), runtime.Into(&report), runtime.LeakReport())
		for _, leak := range report.Leaks {
			t.Errorf("leak: %v", leak)
		}
		return err
	}}
}

// Cancelled tests that a run whose context has ended has no result, in any form, though a run before it had one.
func Cancelled(t *testing.T, app trial.App) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, form := range append(app.Forms(), asEDTs(t, app)) {
		if err := form.Run(t.Context(), 2); err != nil {
			t.Fatal(err)
		}
		if err := form.Run(ctx, 2); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled: %v", form.Name, err)
		}
		if err := app.Verify(); !errors.Is(err, trial.ErrIncomplete) {
			t.Errorf("%s: cancelled: Verify says %v", form.Name, err)
		}
	}
}

// Explore runs an App under many schedules of its EDTs: the result must be verified under each, and the
// same as far as result tells.
func Explore(t *testing.T, newApp func() (app trial.App, result func() any), opts ...edttest.Option) {
	t.Helper()
	r := edttest.Explore(t, func(run *edttest.Trial) edt.Func {
		app, result := newApp()
		run.Check(app.Verify)
		run.Same("result", result)
		return app.Main()
	}, append(opts, edttest.NoLeaks())...)
	if r.Schedules < 10 && !r.Complete {
		t.Error(r)
	}
}

// Check runs an App in check mode, which must find nothing, not even for a note.
func Check(t *testing.T, app trial.App) {
	t.Helper()
	var report runtime.Report
	if err := runtime.Run(t.Context(), app.Main(), runtime.Workers(2), runtime.Check(), runtime.UnwrittenReads(), runtime.Into(&report)); err != nil {
		t.Error(err)
	}
	for _, finding := range report.Findings {
		t.Errorf("found: %v", finding)
	}
	if err := app.Verify(); err != nil {
		t.Error(err)
	}
}

// Spread runs an App on two pretended workers: each must be preferred by a fifth or more of the EDTs.
func Spread(t *testing.T, app trial.App) {
	t.Helper()
	counts := map[edt.Affinity]int{}
	h := edttest.New(1, edt.Config{Workers: 2, Observe: func(w *edt.Worker) edt.Observer { return &placements{w: w, counts: counts} }})
	defer h.Graph.Close()
	if err := h.Run(app.Main()); err != nil {
		t.Fatal(err)
	}
	all := 0
	for _, n := range counts {
		all += n
	}
	for worker := range 2 {
		if n := counts[edt.PlaceOn(worker)] + counts[edt.BindTo(worker)]; 5*n < all {
			t.Errorf("%d of %d EDTs prefer worker %d", n, all, worker)
		}
	}
}

// placements counts EDTs by where they should run.
type placements struct {
	edt.NopObserver
	w      *edt.Worker
	counts map[edt.Affinity]int
}

func (p *placements) EDTBegin(g guid.GUID, _ *edt.Template, _ edt.Args) {
	p.counts[p.w.Ctx().HintOf(g).Affinity]++
}

// Benchmark measures an App's EDTs and forms, in turn, by the App's own clock, on one and two workers. It
// reports medians, and the ratio of the EDTs' time to that of the best form of goroutines, with quartiles of the
// ratio of a turn.
func Benchmark(b *testing.B, app trial.App) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			forms := append([]trial.Form{asEDTs(b, app)}, app.Forms()...)
			times := make([][]float64, len(forms))
			for b.Loop() {
				for k := range forms {
					if err := forms[k].Run(b.Context(), workers); err != nil {
						b.Fatal(err)
					}
					if err := app.Verify(); err != nil {
						b.Fatal(err)
					}
					times[k] = append(times[k], app.Elapsed().Seconds())
				}
			}
			b.ReportMetric(0, "ns/op")
			for k, form := range forms {
				b.ReportMetric(quantile(times[k], 0.5)*1e3, form.Name+"-ms")
				if form.Name == trial.Pooled {
					ratios := make([]float64, len(times[k]))
					for turn := range ratios {
						ratios[turn] = times[0][turn] / times[k][turn]
					}
					b.ReportMetric(quantile(times[0], 0.5)/quantile(times[k], 0.5), "ratio")
					b.ReportMetric(quantile(ratios, 0.25), "ratio-25%")
					b.ReportMetric(quantile(ratios, 0.75), "ratio-75%")
				}
			}
		})
	}
}

func quantile(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[int(q*float64(len(sorted)-1)+0.5)]
}
