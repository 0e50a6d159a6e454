package synchp2p

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/edt/edttest"
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
	testrun.OK(t, err, "%v, %d workers", cfg, workers)
	r, err := app.Result()
	checkResult(t, cfg, r, err)
	checkCounters(t, cfg, report.Counters.Counters)
	testrun.Equal(t, 0, len(report.Leaks), "%v, %d workers: leaks %v", cfg, workers, report.Leaks)
	return r
}

// runOver runs one Config on a host, in a drawn order.
func runOver(t *testing.T, cfg Config, h *edttest.Host) {
	t.Helper()
	defer h.Graph.Close()
	app := New(cfg)
	testrun.OK(t, h.Run(app.Main()), "%v", cfg)
	r, err := app.Result()
	checkResult(t, cfg, r, err)
	checkCounters(t, cfg, h.Graph.Counters())
	testrun.Equal(t, 0, len(h.Graph.Leaks()), "%v: leaks %v", cfg, h.Graph.Leaks())
}

func runPermuted(t *testing.T, cfg Config, seed uint64, workers int) {
	t.Helper()
	testrun.OK(t, cfg.Validate(0))
	runOver(t, cfg, edttest.New(seed, edt.Config{Workers: workers}))
}

// Every combination of small parameters in all forms: each runs in a drawn order, and on a host that starts EDTs in the
// middle of the EDT that makes them ready, so that a new EDT may overtake its creator. Some run on the pool too.
// Numbers of workers and placements take turns.
func TestEveryShape(t *testing.T) {
	every := testrun.Sized(29, 13, 1) // no factor in common with the numbers of forms, placements and workers
	turn := 0
	eachShape(func(cfg Config) {
		for name, run := range references {
			r, err := run(t.Context(), cfg)
			testrun.OK(t, err, "%s", name)
			checkResult(t, cfg, r, err)
		}
		for _, form := range graphForms {
			turn++
			cfg = form.in(cfg)
			cfg.Place = placements[turn%3]
			runPermuted(t, cfg, uint64(turn), 1+turn%4)
			if turn%every == 0 {
				runReal(t, cfg, []int{1, 2, 3, 8}[turn/3%4])
			}
			cfg.Place = PlaceNone
			found := edttest.Search(func(trial *edttest.Trial) edt.Func {
				app := New(cfg)
				trial.Check(func() error {
					r, err := app.Result()
					checkResult(t, cfg, r, err)
					return nil
				})
				return app.Main()
			}, edttest.Replay(fmt.Sprintf("overlap:%d", turn)), edttest.Workers([]int{2, 3, 6}[turn%3]))
			if found.Failure != nil {
				t.Errorf("%v: %v", cfg, found.Failure)
			}
		}
	})
}

// The seed's problem, columns that P does not divide, and more phases than strips, with which a pool of P buffers would
// overwrite a buffer in use.
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
				cfg.Strips, cfg.Phases = 3, 40
				runReal(t, cfg, workers)
			}
		}
	}
}

// TestRanks: the forms over 2 and 4 ranks of the runtime. Of 2 ranks each runs at least a fifth of the EDTs, of 4 an
// eighth. The recorded form refuses to run, in one line.
func TestRanks(t *testing.T) {
	cfg := Config{Strips: 8, ColumnsPerStrip: 2, RowsPerBlock: 2, Phases: 4, Timesteps: 4}
	for seed := range uint64(4) {
		for _, form := range formsOverRanks {
			cfg = form.in(cfg)
			cfg.Place = placements[seed%2]
			for ranks, share := range map[int]int{2: 5, 4: 8} {
				runtime := edt.Config{Workers: 1 + int(seed/2)}
				runOver(t, cfg, edttest.NewRanks(seed, ranks, runtime))
				apart := edttest.NewApart(seed, ranks, runtime)
				runOver(t, cfg, apart)
				for rank, n := range apart.Ran() {
					if n < int(cfg.SweepEDTs())/share {
						t.Errorf("%v: rank %d of %d has run %d EDTs", cfg, rank, ranks, n)
					}
				}
			}
		}
	}
	cfg = Defaults()
	cfg.Form = EDTRecorded
	h := edttest.NewRanks(1, 2, edt.Config{Workers: 1})
	defer h.Graph.Close()
	err := h.Run(New(cfg).Main())
	testrun.Is(t, err, edt.ErrHint)
	testrun.Fails(t, err, "a recording lives on one rank")
}

// sweeps counts the EDTs of the sweep that one worker runs.
type sweeps struct {
	edt.NopObserver
	n *int
}

func (s sweeps) EDTBegin(_ guid.GUID, t *edt.Template, _ edt.Args) {
	if strings.HasPrefix(t.Name(), "synch_p2p.sweep") {
		*s.n++
	}
}

// A worker runs all EDTs of its strips: in block placement neighbouring strips share a worker, in cyclic they do not.
func TestPlacement(t *testing.T) {
	for _, test := range []struct {
		place  Placement
		strips []int // number of each worker's strips
	}{
		{PlaceBlock, []int{10}},
		{PlaceBlock, []int{5, 5}},
		{PlaceBlock, []int{4, 3, 3}},
		{PlaceCyclic, []int{4, 3, 3}},
		{PlaceCyclic, []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0}},
	} {
		for seed, form := range graphForms {
			cfg := form.in(Defaults())
			cfg.Place, cfg.Timesteps = test.place, 10
			ran, want := make([]int, len(test.strips)), slices.Clone(test.strips)
			for worker := range want {
				want[worker] *= cfg.Phases * cfg.Timesteps
			}
			h := edttest.New(uint64(seed), edt.Config{Workers: len(want), Observe: func(w *edt.Worker) edt.Observer {
				return sweeps{n: &ran[w.Number()]}
			}})
			if err := h.Run(New(cfg).Main()); err != nil || !slices.Equal(ran, want) {
				t.Errorf("%v: the workers ran %d EDTs, want %d, error %v", cfg, ran, want, err)
			}
			h.Graph.Close()
		}
	}
}

// A cancelled run has no result.
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
	_, err = app.Result()
	testrun.Is(t, err, trial.ErrIncomplete, "Result")

	// A run that does not begin has no result either, not that of the run before.
	app = New(Defaults())
	testrun.OK(t, runtime.Run(t.Context(), app.Main(), runtime.Workers(2)))
	testrun.Is(t, runtime.Run(ctx, app.Main(), runtime.Workers(2)), context.Canceled, "Run")
	_, err = app.Result()
	testrun.Is(t, err, trial.ErrIncomplete, "Result of no run")
}

// countdown is a context that is cancelled after a number of calls of Err.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// The other forms check their context once a timestep, and refuse a bad Config.
func TestReferencesEnd(t *testing.T) {
	for name, run := range references {
		for _, after := range []int{0, 1, 7, 99} {
			_, err := run(&countdown{t.Context(), after}, Defaults())
			testrun.Is(t, err, context.Canceled, "%s cancelled after %d timesteps: error", name, after)
		}
		_, err := run(&countdown{t.Context(), 100}, Defaults())
		testrun.OK(t, err, name)
		_, err = run(t.Context(), Config{})
		testrun.As[*trial.ConfigError](t, err, "%s of the zero Config", name)
	}
}

// BenchmarkEDT runs the seed's parameters and the sizes that are compared with other programs. cmd/ocrbench/profile.sh
// makes a profile of it.
func BenchmarkEDT(b *testing.B) {
	for _, cfg := range []Config{
		{Strips: 10, ColumnsPerStrip: 5, RowsPerBlock: 3, Phases: 8, Timesteps: 1001, Place: PlaceBlock},
		{Strips: 100, ColumnsPerStrip: 10, RowsPerBlock: 10, Phases: 100, Timesteps: 6, Place: PlaceBlock},
		{Strips: 2, ColumnsPerStrip: 500, RowsPerBlock: 10, Phases: 100, Timesteps: 101, Place: PlaceBlock},
	} {
		for _, form := range graphForms {
			for _, workers := range []int{1, 2} {
				app := New(form.in(cfg))
				b.Run(fmt.Sprintf("%v/workers=%d", app.cfg, workers), func(b *testing.B) {
					for b.Loop() {
						testrun.OK(b, runtime.Run(b.Context(), app.Main(), runtime.Workers(workers)))
					}
					r, err := app.Result()
					testrun.OK(b, err)
					b.ReportMetric(r.NsPerEDT(), "ns/edt")
				})
			}
		}
	}
}
