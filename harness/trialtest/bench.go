package trialtest

import (
	"context"
	"fmt"
	goruntime "runtime"
	"slices"
	"testing"

	"ocr/apps/trial"
	"ocr/runtime"
)

// Benchmark runs all forms of an App in turns, on 1 and 2 workers, and reports each form's median time
// and that of the EDTs by that of the pool, round by round: a quarter of the ratios are
// below the first quartile and a quarter above the third. The results are verified once, the first ones.
func Benchmark(b *testing.B, app trial.App) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			defer goruntime.GOMAXPROCS(goruntime.GOMAXPROCS(workers))
			forms := AllForms(app)
			took := make(map[string][]float64)
			for round := 0; b.Loop(); round++ {
				for _, form := range forms {
					err := form.Run(b.Context(), workers)
					if err == nil && round == 0 {
						err = app.Verify()
					}
					if err != nil {
						b.Fatalf("%s: %v", form.Name, err)
					}
					took[form.Name] = append(took[form.Name], app.Elapsed().Seconds())
				}
			}
			for _, form := range forms {
				b.ReportMetric(quantile(took[form.Name], 0.5)*1e3, form.Name+"-ms")
			}
			var ratios []float64
			for k, t := range took[trial.Pooled] {
				ratios = append(ratios, took[trial.EDT][k]/t)
			}
			for _, q := range []float64{0.25, 0.5, 0.75} {
				b.ReportMetric(quantile(ratios, q), fmt.Sprintf("edt/%s-%.0f%%", trial.Pooled, q*100))
			}
		})
	}
}

// AllForms returns all forms of an App; the first is that of EDTs, which runs with these options. It has no
// pool that stays: its workers, at rest, would be in the way of the other forms.
func AllForms(app trial.App, options ...runtime.Option) []trial.Form {
	return append([]trial.Form{{Name: trial.EDT, Run: func(ctx context.Context, workers int) error {
		return runtime.Run(ctx, app.Main(), append(options, runtime.Workers(workers))...)
	}}}, app.Forms()...)
}

func quantile(of []float64, q float64) float64 {
	of = slices.Clone(of)
	slices.Sort(of)
	return of[int(q*float64(len(of)-1))]
}
