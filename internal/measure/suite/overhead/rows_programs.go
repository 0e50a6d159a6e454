package overhead

import (
	"context"
	"slices"
	"time"

	"ocr/apps/synchp2p"
	"ocr/apps/taskbench"
	"ocr/edt"
	"ocr/internal/measure/peers"
)

func programRows() []*Row {
	small, large := synchp2p.Defaults(), synchp2p.Defaults()
	large.Ranks, large.ColumnsPerRank, large.RowsPerBlock, large.Phases, large.Timesteps = 100, 10, 10, 100, 3
	const grid, largeGrid = "/grid=25x50/tile=3x5", "/grid=1001x1000/tile=10x10"
	const tile = "a tile of synch_p2p's grid, an EDT "
	starPU := program{"starpu", peers.StarPU, "sweep", builtEach}
	return []*Row{
		sweepRow("form=edt"+grid, tile+"that creates the next of its strip; made as it runs",
			synchp2p.CloneNew, small, builtEach, starPU),
		sweepRow("form=edt-again"+grid, tile+"that goes on as the next of its strip",
			synchp2p.CloneAgain, small, builtEach, starPU),
		sweepRow("recorded"+grid, tile+"that is a node of a graph, recorded once and run again",
			synchp2p.CloneRecorded, small, builtOnce, starPU),
		sweepRow("recorded"+largeGrid, "the same of a large grid", synchp2p.CloneRecorded, large, builtOnce),
		stencilRow(),
	}
}

// An appRun is one run of an app: its main EDT, and what returns afterwards how many EDTs were timed, and how long they
// took together.
type appRun struct {
	main   edt.Func
	result func() (edts int, elapsed time.Duration, err error)
}

// runApp is a form of runs of an app, which verifies its results.
func runApp(does string, next func() appRun) Form {
	return Form{Does: does, Once: func(ctx context.Context, b *Bench) (s Sample, err error) {
		for rounds := 0; s.Elapsed < b.Target || rounds < max(1, b.Rounds); rounds++ {
			run := next()
			if _, err := b.Run(ctx, run.main); err != nil {
				return s, err
			}
			edts, elapsed, err := run.result()
			if err != nil {
				return s, err
			}
			s.Ops, s.Elapsed = s.Ops+edts, s.Elapsed+elapsed
		}
		return s, nil
	}}
}

// sweepRow is synch_p2p, in a form of ocrbench synch_p2p. It verifies every point.
func sweepRow(name, what string, form synchp2p.CloneForm, cfg synchp2p.Config, does string, more ...program) *Row {
	cfg.Clone = form
	tiles := cfg.Ranks * cfg.Phases
	programs := slices.Concat(gridPrograms("sweep"), []program{
		{"omp-flags", peers.OpenMP, "sweep-flags", plainLoops}, {"gomp-flags", peers.GOMP, "sweep-flags", plainLoops},
		{"mpi-ranks", peers.MPI, "sweep", plainLoops},
	}, more)
	own := runApp(does, func() appRun {
		a := synchp2p.New(cfg)
		return appRun{a.Main(), func() (int, time.Duration, error) {
			r, err := a.Result()
			return tiles * r.TimedTimesteps, r.Elapsed, err
		}}
	})
	sizes := []int{cfg.GridRows(), cfg.GridColumns(), cfg.RowsPerBlock, cfg.ColumnsPerRank, cfg.Timesteps}
	sum := uint64(cfg.Timesteps) * uint64(cfg.CornerAfter(1))
	return &Row{Name: "sweep/" + name, What: what,
		Forms: append([]Form{own}, ask(tiles*cfg.Timesteps, sum, sizes, programs...)...)}
}

// stencilRow is Task Bench's stencil_1d with an empty kernel, whose tasks check their inputs.
func stencilRow() *Row {
	const width, steps = 8, 1000
	const right = (steps - 1) * (3*width - 2) // inputs that are right: three a task, two at either end
	g := taskbench.DefaultGraph()
	g.Type, g.Width, g.Steps = taskbench.Stencil1D, width, steps
	cfg := taskbench.Defaults()
	cfg.Graphs = []taskbench.Graph{g}
	own := runApp(builtEach, func() appRun {
		a := taskbench.New(cfg)
		return appRun{a.Main(), func() (int, time.Duration, error) {
			r, err := a.Result()
			return width * steps, r.Elapsed, err
		}}
	})
	return &Row{Name: "stencil_1d/width=8", What: "a task of Task Bench's stencil_1d without work, its inputs checked",
		Forms: append([]Form{own}, ask(width*steps, right, []int{width, steps},
			program{"omp-depend", peers.OpenMP, "stencil", builtEach},
			program{"gomp-depend", peers.GOMP, "stencil", builtEach},
			program{"mpi-ranks", peers.MPI, "stencil", plainLoops})...)}
}
