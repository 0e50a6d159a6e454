package wordcount

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"ocr/apps/trial"
	"ocr/runtime"
)

// BenchmarkForms runs all forms in turn, so that what else the machine does meets all alike, and reports
// medians in ms, and how many times the time of the best goroutine form the EDTs took.
func BenchmarkForms(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			cfg := Defaults()
			cfg.Text = 4 << 20
			app := New(cfg)
			forms := append([]trial.Form{{Name: "edt"}}, app.Forms()...)
			took := make(map[string][]time.Duration)
			for b.Loop() {
				for _, f := range forms {
					err := error(nil)
					if f.Run == nil {
						err = runtime.Run(b.Context(), app.Main(), runtime.Workers(workers))
					} else {
						err = f.Run(b.Context(), workers)
					}
					if err == nil {
						err = app.Verify()
					}
					if err != nil {
						b.Fatal(f.Name, err)
					}
					took[f.Name] = append(took[f.Name], app.Elapsed())
				}
			}
			for name, samples := range took {
				slices.Sort(samples)
				b.ReportMetric(samples[len(samples)/2].Seconds()*1e3, name+"-ms")
			}
			half := b.N / 2
			b.ReportMetric(float64(took["edt"][half])/float64(took[trial.Pooled][half]), "edt/pool")
			b.ReportMetric(float64(took["edt"][0])/float64(took[trial.Pooled][0]), "fastest-edt/pool")
			b.ReportMetric(0, "ns/op")
		})
	}
}
