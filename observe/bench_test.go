package observe_test

import (
	"math"
	"slices"
	"testing"

	"ocr/apps/synchp2p"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/observe"
	"ocr/runtime"
)

// An EDT of chain creates the next at once; an EDT of events creates it with an event that it then satisfies.
var chain, events *edt.Template

func init() {
	chain = edt.NewTemplate("observe.chain", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
		if n := in.Param(0); n > 0 {
			c.NewEDT(chain, edt.Params(n-1))
		}
		return guid.Null
	})
	events = edt.NewTemplate("observe.events", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		if n := in.Param(0); n > 0 {
			once := c.NewEvent(edt.Once)
			c.NewEDT(events, edt.Params(n-1), edt.From(once, datablock.Null))
			c.Satisfy(once, guid.Null)
		}
		return guid.Null
	})
}

// many runs a hundred thousand EDTs.
func many(t *edt.Template, deps ...edt.Source) func() edt.Func {
	return func() edt.Func {
		return func(c *edt.Ctx, _ edt.Args) guid.GUID {
			c.NewEDT(t, edt.Params(100_000), deps...)
			return guid.Null
		}
	}
}

// BenchmarkCost reports what each observer adds to an EDT. Runs take turns, and the fastest of each counts.
func BenchmarkCost(b *testing.B) {
	observers := []struct {
		name   string
		option runtime.Option
	}{
		{"unobserved", runtime.Options()},
		{"nothing", runtime.Observe(func(*edt.Worker) edt.Observer { return edt.NopObserver{} })},
		{"trace", new(observe.Trace).Option()}, {"stats", new(observe.Stats).Option()},
	}
	for name, program := range map[string]func() edt.Func{
		"chain": many(chain), "events": many(events, edt.From(guid.Null, datablock.Null)),
		"sweep": func() edt.Func {
			cfg := synchp2p.Defaults()
			cfg.Timesteps = 1000
			return synchp2p.New(cfg).Main()
		},
	} {
		b.Run(name, func(b *testing.B) {
			best := slices.Repeat([]float64{math.Inf(1)}, len(observers))
			for range b.N {
				for k, o := range observers {
					var told runtime.Report
					if err := runtime.Run(b.Context(), program(), runtime.Workers(1), o.option, runtime.Into(&told)); err != nil {
						b.Fatal(err)
					}
					best[k] = min(best[k], float64(told.Elapsed)/float64(told.Counters.EDTRun))
				}
			}
			b.ReportMetric(0, "ns/op")
			for k, o := range observers {
				b.ReportMetric(best[k], "ns/edt-"+o.name)
			}
		})
	}
}
