package pgas

import (
	"fmt"
	"testing"
	"time"
)

// benchTest runs one Config as often as a sample of the command does, b.N iterations.
func benchTest(b *testing.B, cfg Config) {
	b.Helper()
	cfg.MaxTime, cfg.Iterations = 0, b.N
	r, err := runTest(b, cfg)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(r.NsPerIteration(), "ns/iter")
	if test, _ := Lookup(cfg.Test); test.Kind == Bandwidth {
		b.ReportMetric(r.MBPerSecond().Mean/1024, "GiB/s")
	}
}

// The latencies of both forms, beside the line that they are measured by.
func BenchmarkLatency(b *testing.B) {
	for _, test := range []string{"line", "putget", "putput", "getget", "sync", "put", "get"} {
		for _, form := range []Form{Direct, EDT} {
			cfg := Defaults(test)
			cfg.Form = form
			if cfg.uses().Bytes {
				cfg.Bytes = 8
			}
			for _, v := range variants(Test{Uses: Uses{Syncs: cfg.uses().Syncs}}, cfg) {
				if v.Validate() == nil {
					b.Run(fmt.Sprintf("%s/%s/sync=%s", test, form, v.Sync), func(b *testing.B) { benchTest(b, v) })
				}
			}
		}
	}
}

func BenchmarkBandwidth(b *testing.B) {
	for _, bytes := range []int{8, 4 << 10, 64 << 10, 1 << 20, 4 << 20} {
		for _, test := range []string{"copy", "copyfresh", "putbw", "getbw", "putbibw"} {
			for _, form := range []Form{Direct, EDT} {
				for _, window := range []int{1, 64} {
					cfg := Defaults(test)
					cfg.Form, cfg.Bytes, cfg.Window = form, bytes, window
					if cfg.Validate() != nil || window > 1 && !cfg.uses().Window {
						continue
					}
					b.Run(fmt.Sprintf("bytes=%d/%s/%s/window=%d", bytes, test, form, window), func(b *testing.B) { benchTest(b, cfg) })
				}
			}
		}
	}
}

func BenchmarkStrided(b *testing.B) {
	for _, test := range []string{"stridedput", "stridedget"} {
		for _, stride := range []int{1, 2, 32} {
			cfg := Defaults(test)
			cfg.Stride, cfg.Strided = stride, AtBoth
			b.Run(fmt.Sprintf("%s/stride=%d", test, stride), func(b *testing.B) { benchTest(b, cfg) })
		}
	}
}

func BenchmarkReduction(b *testing.B) {
	for _, test := range []string{"reduce", "reduceinplace"} {
		for _, bytes := range []int{8, 64, 256, 512, 4 << 10, 64 << 10, 4 << 20} {
			for _, form := range []Form{Direct, EDT} {
				cfg := Defaults(test)
				cfg.Form, cfg.Bytes = form, bytes
				b.Run(fmt.Sprintf("%s/bytes=%d/%s", test, bytes, form), func(b *testing.B) { benchTest(b, cfg) })
			}
		}
	}
}

// Many PEs on few processors: what a hand-over of the processor costs.
func BenchmarkOversubscribed(b *testing.B) {
	for _, pes := range []int{4, 8} {
		for _, form := range []Form{Direct, EDT} {
			cfg := Defaults("sync")
			cfg.Form, cfg.PEs = form, pes
			b.Run(fmt.Sprintf("pes=%d/%s", pes, form), func(b *testing.B) { benchTest(b, cfg) })
		}
	}
}

// How long a sample takes that measures next to nothing.
func BenchmarkStart(b *testing.B) {
	cfg := Defaults("putget")
	cfg.MaxTime, cfg.Iterations = 0, 1
	for range b.N {
		if _, err := runTest(b, cfg); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed()/time.Duration(b.N)), "ns/run")
}
