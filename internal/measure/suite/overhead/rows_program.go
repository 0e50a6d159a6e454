package overhead

import (
	"context"
	"fmt"
	"time"

	"ocr/apps/synchp2p"
	"ocr/apps/taskbench"
	"ocr/edt"
	"ocr/internal/measure/peers"
)

func programRows() []*Row {
	rows := []*Row{wavefrontRow(100), wavefrontRow(500), recordedWavefrontRow(100), recordedWavefrontRow(500),
		recordedEachWavefrontRow(100)}
	for _, form := range []synchp2p.CloneForm{synchp2p.CloneNew, synchp2p.CloneAgain, synchp2p.CloneRecorded} {
		rows = append(rows,
			sweepRow("grid=25x50/tile=3x5", form, synchp2p.Defaults(), program{"starpu", peers.StarPU, "sweep", builtEach}),
			sweepRow("grid=1001x1000/tile=10x10", form, synchp2p.Config{Ranks: 100, ColumnsPerRank: 10,
				RowsPerBlock: 10, Phases: 100, Timesteps: 3}))
	}
	return append(rows, stencilRow(8))
}

// An appRun is one run of an app: its main EDT, and what returns afterwards how many EDTs were timed, and how long they
// took together.
type appRun struct {
	main   edt.Func
	result func() (edts int, elapsed time.Duration, err error)
}

// measureApp takes samples of runs of an app, until those have taken long enough.
func measureApp(once func(b *Bench) appRun) measure {
	return func(ctx context.Context, b *Bench, workers int) (Sample, error) {
		s := Sample{Unaccounted: true}
		for rounds := uint64(0); rounds == 0 || !b.enough(rounds, s.Busy.Nanoseconds()); rounds++ {
			run := once(b)
			counts, err := b.run(ctx, run.main, Pool{Workers: workers})
			if err != nil {
				return s, err
			}
			edts, elapsed, err := run.result()
			if err != nil {
				return s, err
			}
			s.Ops, s.Busy, s.Counts = s.Ops+uint64(edts), s.Busy+elapsed, counts
		}
		s.All, s.Rate = s.Ops, float64(s.Ops)/s.Busy.Seconds()
		return s, nil
	}
}

// sweepRow is synch_p2p, in the form edt, edt-again or edt-recorded of ocrbench synch_p2p. It verifies every point.
func sweepRow(problem string, form synchp2p.CloneForm, cfg synchp2p.Config, more ...program) *Row {
	d := synchp2p.Defaults()
	cfg.Place, cfg.Events, cfg.Clone = d.Place, d.Events, form
	does := builtEach
	name, what := "form=edt", "a tile of synch_p2p's grid, an EDT that creates the next of its strip; made as it runs"
	switch form {
	case synchp2p.CloneAgain:
		name, what = "form=edt-again", "the same, and an EDT goes on as the next of its strip"
	case synchp2p.CloneRecorded:
		does = builtOnce
		name, what = "recorded", "the same, as a node of a graph that is recorded once and run again"
	}
	tiles := cfg.Ranks * cfg.Phases
	programs := append([]program{
		{"tbb-flow", peers.TBB, "sweep-once", builtOnce}, {"tbb-flow-light", peers.TBB, "sweep-light", builtOnce},
		{"tbb-flow-each", peers.TBB, "sweep-each", builtEach}, {"tbb-tasks", peers.TBB, "sweep-counted", byHand},
		{"omp-depend", peers.OpenMP, "sweep", builtEach}, {"gomp-depend", peers.GOMP, "sweep", builtEach},
		{"omp-doacross", peers.OpenMP, "sweep-doacross", plainLoops},
		{"gomp-doacross", peers.GOMP, "sweep-doacross", plainLoops},
		{"omp-flags", peers.OpenMP, "sweep-flags", plainLoops}, {"gomp-flags", peers.GOMP, "sweep-flags", plainLoops},
		{"mpi-ranks", peers.MPI, "sweep", plainLoops},
	}, more...)
	return &Row{
		Name: "sweep/" + name + "/" + problem, What: what, Does: does,
		measure: measureApp(func(b *Bench) appRun {
			run := cfg
			run.Timesteps = b.sized(cfg.Timesteps, 2)
			a := synchp2p.New(run)
			return appRun{a.Main(), func() (int, time.Duration, error) {
				r, err := a.Result()
				return tiles * r.TimedTimesteps, r.Elapsed, err
			}}
		}),
		Peers: asked(func(b *Bench) (peers.Request, int) {
			sweeps := b.sized(cfg.Timesteps, 2)
			return peers.Request{
				Want:  uint64(sweeps) * uint64(cfg.CornerAfter(1)),
				Sizes: []int{cfg.GridRows(), cfg.GridColumns(), cfg.RowsPerBlock, cfg.ColumnsPerRank, sweeps},
			}, tiles * sweeps
		}, programs...),
	}
}

// stencilSteps are those of a run of Task Bench's stencil.
const stencilSteps = 1000

// stencilRow is Task Bench's stencil_1d with an empty kernel, whose tasks check their inputs.
func stencilRow(width int) *Row {
	return &Row{
		Name: fmt.Sprintf("stencil_1d/width=%d", width),
		Does: builtEach,
		What: "a task of Task Bench's stencil_1d without work, its inputs checked",
		measure: measureApp(func(b *Bench) appRun {
			g := taskbench.DefaultGraph()
			g.Type, g.Width, g.Steps = taskbench.Stencil1D, width, b.sized(stencilSteps, 5)
			cfg := taskbench.Defaults()
			cfg.Graphs = []taskbench.Graph{g}
			a := taskbench.New(cfg)
			return appRun{a.Main(), func() (int, time.Duration, error) {
				r, err := a.Result()
				return width * g.Steps, r.Elapsed, err
			}}
		}),
		Peers: asked(func(b *Bench) (peers.Request, int) {
			steps := b.sized(stencilSteps, 5)
			right := (steps - 1) * (3*width - 2) // inputs that are right: three a task, two at either end
			return peers.Request{Sizes: []int{width, steps}, Want: uint64(right)}, width * steps
		}, program{"omp-depend", peers.OpenMP, "stencil", builtEach},
			program{"gomp-depend", peers.GOMP, "stencil", builtEach},
			program{"mpi-ranks", peers.MPI, "stencil", plainLoops}),
	}
}
