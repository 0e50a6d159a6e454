package workspan_test

import (
	"math"
	"testing"

	"ocr/apps/synchp2p"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/sys"
	"ocr/internal/watch/workspan"
	"ocr/runtime"
)

var link *edt.Template

func init() {
	link = edt.NewTemplate("workspan.link", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
		if n := in.Param(0); n > 0 {
			c.NewEDT(link, edt.Params(n-1))
		}
		return guid.Null
	})
}

// BenchmarkCost tells what measuring adds to an EDT: runs with and without take turns,
// and the fastest of each count.
func BenchmarkCost(b *testing.B) {
	for name, program := range map[string]func() edt.Func{
		"chain": func() edt.Func {
			return func(c *edt.Ctx, _ edt.Args) guid.GUID {
				c.NewEDT(link, edt.Params(100_000))
				return guid.Null
			}
		},
		"fib": func() edt.Func { return runFib(22) },
		"sweep": func() edt.Func {
			cfg := synchp2p.Defaults()
			cfg.Timesteps = 1000
			return synchp2p.New(cfg).Main()
		},
	} {
		b.Run(name, func(b *testing.B) {
			best := [2]float64{math.Inf(1), math.Inf(1)}
			for range b.N {
				for k := range best {
					options := []runtime.Option{runtime.Workers(1)}
					if k == 1 {
						options = append(options, runtime.Observe(workspan.New(1, sys.Cycles, sys.CyclePeriod).Observe))
					}
					var told runtime.Report
					if err := runtime.Run(b.Context(), program(), append(options, runtime.Into(&told))...); err != nil {
						b.Fatal(err)
					}
					best[k] = min(best[k], float64(told.Elapsed)/float64(told.Counters.EDTRun))
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(best[0], "ns/edt")
			b.ReportMetric(best[1]-best[0], "ns/edt-measured")
			b.ReportMetric(best[1]/best[0], "ratio")
		})
	}
}
