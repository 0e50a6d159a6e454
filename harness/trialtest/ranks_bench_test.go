package trialtest_test

import (
	"slices"
	"testing"
	"time"

	"ocr/apps/synchp2p"
	"ocr/apps/taskbench"
	"ocr/edt"
	"ocr/runtime"
)

// The benchmarks of apps over ranks alternate runs on the workers of one rank with runs on ranks of one worker each,
// and report the least and the median time, the ratios of ranks to workers, and how many messages a run sends: go test
// -run '^$' -bench Ranks -benchtime 20x ./harness/trialtest

func benchRanks(b *testing.B, ranks int, run func(options ...runtime.Option) time.Duration) {
	job, err := runtime.StartJob(ranks)
	if err != nil {
		b.Fatal(err)
	}
	defer job.Close()
	var workers, over []float64
	messages := uint64(0)
	for b.Loop() {
		var report runtime.Report
		workers = append(workers, run(runtime.Workers(ranks)).Seconds())
		over = append(over, run(job.Option(), runtime.Workers(1), runtime.Into(&report)).Seconds())
		for _, rank := range report.Ranks {
			for _, sent := range rank.Sent {
				messages += sent.Messages
			}
		}
	}
	b.ReportMetric(float64(messages)/float64(len(over)), "messages")
	slices.Sort(workers)
	slices.Sort(over)
	half := len(workers) / 2
	b.ReportMetric(1e3*workers[0], "workers-min-ms")
	b.ReportMetric(1e3*workers[half], "workers-median-ms")
	b.ReportMetric(1e3*over[0], "ranks-min-ms")
	b.ReportMetric(1e3*over[half], "ranks-median-ms")
	b.ReportMetric(over[0]/workers[0], "min-ratio")
	b.ReportMetric(over[half]/workers[half], "median-ratio")
	b.ReportMetric(0, "ns/op")
}

func benchRun(b *testing.B, main edt.Func, options []runtime.Option) {
	if err := runtime.Run(b.Context(), main, options...); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkRanksSynchP2P(b *testing.B) {
	for _, events := range []synchp2p.EventForm{synchp2p.EventsSticky, synchp2p.EventsChannel} {
		b.Run(string(events), func(b *testing.B) {
			cfg := synchp2p.Defaults()
			cfg.Events, cfg.Clone = events, synchp2p.CloneAgain
			app := synchp2p.New(cfg)
			benchRanks(b, 2, func(options ...runtime.Option) time.Duration {
				benchRun(b, app.Main(), options)
				r, err := app.Result()
				if err != nil {
					b.Fatal(err)
				}
				return r.Elapsed
			})
		})
	}
}

func BenchmarkRanksStencil(b *testing.B) {
	cfg := taskbench.Defaults()
	cfg.Verify = false
	g := &cfg.Graphs[0]
	g.Type, g.Width, g.Steps = taskbench.Stencil1D, 8, 500
	app := taskbench.New(cfg)
	benchRanks(b, 4, func(options ...runtime.Option) time.Duration {
		benchRun(b, app.Main(), options)
		r, err := app.Result()
		if err != nil {
			b.Fatal(err)
		}
		return r.Elapsed
	})
}
