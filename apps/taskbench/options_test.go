package taskbench

import (
	"context"
	goruntime "runtime"
	"testing"

	"ocr/apps/taskbench/kernel"
	"ocr/apps/trial"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// kernels are all kernels, small.
var kernels = []kernel.Kernel{
	{Kind: kernel.Empty},
	{Kind: kernel.BusyWait, Iterations: 10},
	{Kind: kernel.MemoryBound, Iterations: 5, Samples: 4},
	{Kind: kernel.ComputeBound, Iterations: 4},
	{Kind: kernel.LoadImbalance, Iterations: 50, Imbalance: 2},
}

func TestKernelsAndSizes(t *testing.T) {
	turn, outputs := uint64(0), []int{16, 17, 40, 80, 1024}
	if testing.Short() {
		outputs = []int{47}
	}
	for p := range numPatterns {
		for _, k := range kernels {
			for _, output := range outputs {
				turn++
				g := shape(p, 6, 25)
				g.Kernel, g.Output, g.Scratch = k, output, 128
				cfg := one(g)
				cfg.Place = Placements()[turn%3]
				testrun.OK(t, cfg.Validate(1<<30))
				runPermuted(t, cfg, turn, 1+int(turn%3))
				runReal(t, cfg, []int{1, 2, 3, 8}[turn%4])
			}
		}
	}
}

// All patterns at once, with different widths and steps: no graph reads another's outputs.
func TestSeveralGraphs(t *testing.T) {
	cfg := Defaults()
	cfg.Graphs = nil
	for p := range numPatterns {
		cfg.Graphs = append(cfg.Graphs, shape(p, 3+int(p)%4, 10+3*int(p)), shape(p, 4, 30))
	}
	for seed := range uint64(30) {
		cfg.Place = Placements()[seed%3]
		runPermuted(t, cfg, seed, 1+int(seed%3))
	}
	for _, workers := range []int{1, 2, 3, 8} {
		for _, place := range Placements() {
			cfg.Place = place
			runReal(t, cfg, workers)
		}
	}
}

// A cancelled run has no result.
func TestCancelledRunIsIncomplete(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	app := New(one(shape(Stencil1D, 4, 1<<30)))
	_, err := app.Result()
	testrun.Is(t, err, trial.ErrIncomplete, "Result before the run")
	err = runtime.Run(ctx, func(c *edt.Ctx, in edt.Args) guid.GUID {
		defer cancel()
		return app.Main()(c, in)
	}, runtime.Workers(2))
	testrun.Is(t, err, context.Canceled, "Run")
	_, err = app.Result()
	testrun.Is(t, err, trial.ErrIncomplete, "Result")

	// A run that does not begin has no result either, not that of the run before.
	app = New(one(shape(Stencil1D, 4, 3)))
	testrun.OK(t, runtime.Run(t.Context(), app.Main(), runtime.Workers(2)))
	testrun.Is(t, runtime.Run(ctx, app.Main(), runtime.Workers(2)), context.Canceled, "Run")
	_, err = app.Result()
	testrun.Is(t, err, trial.ErrIncomplete, "Result of no run")
}

// Twenty times the steps take no more blocks, events or memory: a run allocates at its beginning, except a batch of
// records where workers exchange them. If each task allocated, an EDT's record of 128 bytes for each of 2*10^5 more
// would show.
func TestMemoryDoesNotGrowWithSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("2*10^5 tasks of each pattern: not in short tests")
	}
	for p := range numPatterns {
		few, objects := allocated(t, shape(p, 8, 1250))
		many, moreObjects := allocated(t, shape(p, 8, 25_000))
		if many > few+2<<20 || moreObjects != objects {
			t.Errorf("%v: %d bytes and %d objects for 10^4 tasks, %d and %d for 2*10^5", p, few, objects, many, moreObjects)
		}
	}
}

// allocated returns the bytes, and the blocks and events, that a run allocates.
func allocated(t *testing.T, g Graph) (bytes, objects uint64) {
	t.Helper()
	var before, after goruntime.MemStats
	var report runtime.Report
	goruntime.ReadMemStats(&before)
	app := New(one(g))
	testrun.OK(t, runtime.Run(t.Context(), app.Main(), runtime.Workers(2), runtime.Into(&report)))
	goruntime.ReadMemStats(&after)
	_, err := app.Result()
	testrun.OK(t, err, "%v", &g)
	n := report.Counters.Counters
	return after.TotalAlloc - before.TotalAlloc, n.BlockCreated + n.EventCreated
}
