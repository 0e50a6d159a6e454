package synchp2p

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// runReal runs one Config on the worker pool and checks everything about it.
func runReal(t *testing.T, cfg Config, workers int) Result {
	t.Helper()
	var report runtime.Report
	app := New(cfg)
	err := runtime.Run(t.Context(), app.Main(), runtime.Workers(workers), runtime.Into(&report), runtime.LeakReport())
	if err != nil {
		t.Errorf("%v, %d workers: %v", cfg, workers, err)
		return Result{}
	}
	r, err := app.Result()
	checkResult(t, cfg, r, err)
	checkCounters(t, cfg, report.Counters.Counters)
	for _, leak := range report.Leaks {
		t.Errorf("%v, %d workers: leak: %v", cfg, workers, leak)
	}
	return r
}

// Every combination of small parameters in both forms; number of workers and placement take turns.
func TestEveryShape(t *testing.T) {
	workers := []int{1, 2, 3, 8}
	every := testrun.Sized(25, 5, 1) // no factor in common with the numbers of forms, placements and workers
	turn := 0
	eachShape(func(cfg Config) {
		for _, form := range graphForms {
			turn++
			if turn%every != 0 {
				continue
			}
			cfg = form.in(cfg)
			cfg.Place = placements[turn%3]
			runReal(t, cfg, workers[turn/3%len(workers)])
		}
	})
}

func TestPlacementsAndWorkers(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 8} {
		for _, place := range placements {
			for _, form := range graphForms {
				cfg := form.in(Defaults())
				cfg.Place = place
				r := runReal(t, cfg, workers)
				if r.Checksum != 7300 || r.MFlops() <= 0 || r.NsPerEDT() <= 0 {
					t.Errorf("%v, %d workers: corner %v, %v Mflop/s, %v ns per EDT", cfg, workers, r.Checksum,
						r.MFlops(), r.NsPerEDT())
				}
				cfg.Columns, cfg.Timesteps = 53, 7
				runReal(t, cfg, workers)
				cfg.Ranks, cfg.Phases = 3, 40
				runReal(t, cfg, workers)
			}
		}
	}
}

func TestManyRanks(t *testing.T) {
	for _, form := range graphForms {
		cfg := Config{
			Ranks: 700, ColumnsPerRank: 1, RowsPerBlock: 1, Phases: 3, Timesteps: 3,
			Place: PlaceBlock,
		}
		runReal(t, form.in(cfg), 2)
	}
}

func TestAppRunsAgain(t *testing.T) {
	app := New(Defaults())
	for range 3 {
		testrun.OK(t, runtime.Run(t.Context(), app.Main(), runtime.Workers(2)))
		if r, err := app.Result(); err != nil || r.Checksum != 7300 {
			t.Errorf("corner %v, error %v", r.Checksum, err)
		}
	}
}

// A run that was ended from outside has no result.
func TestCancelledRunIsIncomplete(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cfg := Defaults()
	cfg.Timesteps = 1_000_000_000
	app := New(cfg)
	err := runtime.Run(ctx, func(c *edt.Ctx, in edt.Args) guid.GUID {
		defer cancel()
		return app.Main()(c, in)
	}, runtime.Workers(2))
	testrun.Is(t, err, context.Canceled, "Run")
	if _, err := app.Result(); !errors.Is(err, trial.ErrIncomplete) {
		t.Errorf("Result: %v, want trial.ErrIncomplete", err)
	}
}

// BenchmarkEDT runs the seed's parameters and the sizes that are compared with other programs. cmd/ocrbench/profile.sh
// makes a profile of it.
func BenchmarkEDT(b *testing.B) {
	for _, cfg := range []Config{
		{Ranks: 10, ColumnsPerRank: 5, RowsPerBlock: 3, Phases: 8, Timesteps: 1001},
		{Ranks: 100, ColumnsPerRank: 10, RowsPerBlock: 10, Phases: 100, Timesteps: 6},
		{Ranks: 2, ColumnsPerRank: 500, RowsPerBlock: 10, Phases: 100, Timesteps: 101},
	} {
		for _, form := range graphForms {
			for _, workers := range []int{1, 2} {
				cfg = form.in(cfg)
				cfg.Place = PlaceBlock
				b.Run(fmt.Sprintf("%v/workers=%d", cfg, workers), func(b *testing.B) {
					app := New(cfg)
					for b.Loop() {
						if err := runtime.Run(b.Context(), app.Main(), runtime.Workers(workers)); err != nil {
							b.Fatal(err)
						}
					}
					r, err := app.Result()
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(r.NsPerEDT(), "ns/edt")
					b.ReportMetric(r.MFlops(), "Mflop/s")
				})
			}
		}
	}
}
