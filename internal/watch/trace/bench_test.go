package trace_test

import (
	"math"
	"testing"
	"time"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/watch/trace"
	"ocr/runtime"
)

// programs make n EDTs each, besides main.
var programs = map[string]func(n int) edt.Func{
	// Each EDT creates the next.
	"chain": func(n int) edt.Func {
		return func(c *edt.Ctx, _ edt.Args) guid.GUID {
			c.NewEDT(link, edt.Params(uint64(n-1)))
			return guid.Null
		}
	},
	// Each EDT makes the next, with an event, and satisfies that.
	"events": func(n int) edt.Func {
		return func(c *edt.Ctx, _ edt.Args) guid.GUID {
			c.NewEDT(relay, edt.Params(uint64(n-1)), edt.From(guid.Null, datablock.Null))
			return guid.Null
		}
	},
	// Main creates all.
	"fan-out": func(n int) edt.Func {
		return func(c *edt.Ctx, _ edt.Args) guid.GUID {
			for range n {
				c.NewEDT(leaf, nil)
			}
			return guid.Null
		}
	},
}

var (
	leaf  = edt.NewTemplate("trace.leaf", 0, 0, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
	link  *edt.Template
	relay *edt.Template
)

func init() {
	link = edt.NewTemplate("trace.link", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
		if n := in.Param(0); n > 0 {
			c.NewEDT(link, edt.Params(n-1))
		}
		return guid.Null
	})
	relay = edt.NewTemplate("trace.relay", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		if n := in.Param(0); n > 0 {
			once := c.NewEvent(edt.Once)
			c.NewEDT(relay, edt.Params(n-1), edt.From(once, datablock.Null))
			c.Satisfy(once, guid.Null)
		}
		return guid.Null
	})
}

// BenchmarkCost tells what tracing adds to an EDT, without arrows and with them, and
// what of that an observer costs that does nothing: runs take turns, and the fastest
// of each count.
func BenchmarkCost(b *testing.B) {
	const edts = 100_000
	for name, program := range programs {
		b.Run(name, func(b *testing.B) {
			best := [4]float64{math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1)}
			observers := []func(*edt.Worker) edt.Observer{
				nil,
				func(*edt.Worker) edt.Observer { return edt.NopObserver{} },
				trace.New(1, trace.Config{Events: trace.DefaultEvents}).Observe,
				trace.New(1, trace.Config{Events: trace.DefaultEvents, Flows: true}).Observe,
			}
			for range b.N {
				for k, observe := range observers {
					options := []runtime.Option{runtime.Workers(1)}
					if observe != nil {
						options = append(options, runtime.Observe(observe))
					}
					var told runtime.Report
					if err := runtime.Run(b.Context(), program(edts), append(options, runtime.Into(&told))...); err != nil {
						b.Fatal(err)
					}
					best[k] = min(best[k], float64(told.Elapsed)/float64(time.Nanosecond)/edts)
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(best[0], "ns/edt")
			b.ReportMetric(best[1]-best[0], "ns/edt-told")
			b.ReportMetric(best[2]-best[0], "ns/edt-traced")
			b.ReportMetric(best[3]-best[0], "ns/edt-arrows")
			b.ReportMetric(best[3]/best[0], "ratio")
		})
	}
}
