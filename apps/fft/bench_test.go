package fft

import (
	"fmt"
	"slices"
	"testing"
)

// alternate runs the forms in turn. There is no pool that stays: its sleeping workers would be in the way of goroutines.
func alternate(b *testing.B, app *App, workers int) {
	forms := formsOf(app)
	took := make([][]float64, len(forms))
	for b.Loop() {
		for k, f := range forms {
			if err := f.Run(b.Context(), workers); err != nil {
				b.Fatal(err)
			}
			amount, _ := app.Work()
			took[k] = append(took[k], float64(app.Elapsed().Nanoseconds())/amount)
		}
	}
	_, unit := app.Work()
	for k, f := range forms {
		t := took[k]
		slices.Sort(t)
		n := len(t)
		b.ReportMetric(t[n/10], f.Name+"-ns/"+unit)
		b.Logf("%-16s least %.1f, 10%% %.1f, 25%% %.1f, 50%% %.1f ns/%s", f.Name, t[0], t[n/10], t[n/4], t[n/2], unit)
	}
}

// BenchmarkForms runs all forms in turn, so that what disturbs the machine disturbs all of them.
func BenchmarkForms(b *testing.B) {
	for _, points := range []int{1 << 16, 1 << 20} {
		for _, cutoff := range []int{1 << 10, 1 << 12, 1 << 14, 1 << 16} {
			for _, workers := range []int{1, 2} {
				b.Run(fmt.Sprintf("points=%d/cutoff=%d/workers=%d", points, cutoff, workers), func(b *testing.B) {
					alternate(b, New(Config{Points: points, Cutoff: cutoff}), workers)
				})
			}
		}
	}
}
