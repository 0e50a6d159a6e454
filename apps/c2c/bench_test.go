package c2c_test

import (
	"fmt"
	"slices"
	"testing"

	"ocr/apps/c2c"
	"ocr/internal/sys"
	"ocr/runtime"
)

// BenchmarkForms alternates the forms of a test trial by trial; a trial is an
// iteration, and the metrics are medians over all of them.
func BenchmarkForms(b *testing.B) {
	allowed, err := sys.GetAffinity()
	if err != nil || len(allowed) < 2 {
		b.Skip("needs two processors")
	}
	for _, c := range []struct {
		test   c2c.Test
		layout c2c.Layout
		width  int
		length int
	}{
		{c2c.Single, c2c.Same, 1, 1}, {c2c.Single, c2c.Same, 8, 1},
		{c2c.Dual, c2c.Same, 8, 1}, {c2c.Dual, c2c.Separate, 8, 1},
		{c2c.Array, c2c.Same, 4, 512}, {c2c.DualArray, c2c.Same, 4, 512},
		{c2c.Flow, c2c.Same, 4, 512}, {c2c.Blocked, c2c.Same, 4, 512}, {c2c.Ring, c2c.Same, 4, 256},
	} {
		b.Run(fmt.Sprintf("%s/width=%d/layout=%s/length=%d", c.test, c.width, c.layout, c.length), func(b *testing.B) {
			cfg := c2c.Defaults()
			cfg.Test, cfg.Layout, cfg.Width, cfg.Length = c.test, c.layout, c.width, c.length
			if c.length > 1 {
				cfg.Transfers = 4000
			}
			series := map[c2c.Form][]float64{}
			for n := 0; b.Loop(); n++ {
				cfg.Line = n % c2c.Lines
				for _, form := range []c2c.Form{c2c.Polled, c2c.Goroutines, c2c.EDT, c2c.Chain, c2c.Local} {
					asEDTs := form != c2c.Polled && form != c2c.Goroutines
					if asEDTs && c.test == c2c.Dual && c.layout == c2c.Same {
						continue // EDTs pass on blocks of their own
					}
					if form.Has(c.test) {
						series[form] = append(series[form], oneTrial(b, cfg, form, allowed))
					}
				}
			}
			for form, samples := range series {
				slices.Sort(samples)
				b.ReportMetric(samples[len(samples)/2], "ns/"+string(form))
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

func oneTrial(b *testing.B, cfg c2c.Config, form c2c.Form, cpus []int) float64 {
	cfg.Form = form
	var r c2c.Result
	var err error
	if form == c2c.Goroutines {
		r, err = c2c.RunGoroutines(cfg, [2]int{cpus[0], cpus[1]})
	} else {
		r, err = run(b, cfg, runtime.CPUs(cpus[:2]), runtime.Bind(runtime.BindListed))
	}
	if err != nil {
		b.Fatal(err)
	}
	return r.OneWay(0)
}
