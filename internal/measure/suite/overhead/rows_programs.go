package overhead

import (
	"context"
	"time"

	"ocr/apps/synchp2p"
	"ocr/apps/taskbench"
	"ocr/edt"
	"ocr/internal/measure/peers"
)

func programRows() []*Row {
	const tile = "a tile of synch_p2p's grid of 25x50, an EDT "
	return []*Row{
		sweepRow("form=edt", tile+"that creates the next of its strip", synchp2p.EDT, builtEach),
		sweepRow("recorded", tile+"that is a node of a graph, recorded once and run again", synchp2p.EDTRecorded,
			builtOnce),
		stencilRow(),
	}
}

// runApp is the form of an app, which verifies its results. The function run returns the main EDT of the next run, and
// a function that returns, after the run, how many EDTs were timed, and their time together.
func runApp(does string, run func() (main edt.Func, result func() (edts int, elapsed time.Duration, err error))) Form {
	return Form{Does: does, Once: func(ctx context.Context, b *Bench) (s Sample, err error) {
		for n := 0; s.Elapsed < b.Target || n < max(1, b.Rounds); n++ {
			main, result := run()
			if _, err := b.Run(ctx, main); err != nil {
				return s, err
			}
			edts, elapsed, err := result()
			if err != nil {
				return s, err
			}
			s.Ops, s.Elapsed = s.Ops+edts, s.Elapsed+elapsed
		}
		return s, nil
	}}
}

// sweepRow is synch_p2p, in a form of ocrbench synch_p2p. It verifies every point.
func sweepRow(name, what string, form synchp2p.Form, does string) *Row {
	cfg := synchp2p.Defaults()
	cfg.Form = form
	tiles := cfg.Strips * cfg.Phases
	own := runApp(does, func() (edt.Func, func() (int, time.Duration, error)) {
		a := synchp2p.New(cfg)
		return a.Main(), func() (int, time.Duration, error) {
			r, err := a.Result()
			return tiles * r.TimedTimesteps, r.Elapsed, err
		}
	})
	programs := gridPrograms("sweep", program("starpu", peers.StarPU, "sweep", builtEach),
		program("omp-flags", peers.OpenMP, "sweep-flags", plainLoops),
		program("gomp-flags", peers.GOMP, "sweep-flags", plainLoops), program("mpi-ranks", peers.MPI, "sweep", messages))
	sizes := []int{cfg.GridRows(), cfg.GridColumns(), cfg.RowsPerBlock, cfg.ColumnsPerStrip, cfg.Timesteps}
	sum := uint64(cfg.Timesteps) * uint64(cfg.CornerAfter(1))
	return row("sweep/"+name+"/grid=25x50/tile=3x5", what, own).programs(tiles*cfg.Timesteps, sum, sizes, programs...)
}

// stencilRow is Task Bench's stencil_1d with an empty kernel, whose tasks check their inputs.
func stencilRow() *Row {
	const width, steps = 8, 1000
	const right = (steps - 1) * (3*width - 2) // right inputs: three a task, two at either end
	cfg := taskbench.Defaults()
	g := &cfg.Graphs[0]
	g.Type, g.Width, g.Steps = taskbench.Stencil1D, width, steps
	own := runApp(builtEach, func() (edt.Func, func() (int, time.Duration, error)) {
		a := taskbench.New(cfg)
		return a.Main(), func() (int, time.Duration, error) {
			r, err := a.Result()
			return width * steps, r.Elapsed, err
		}
	})
	return row("stencil_1d/width=8", "a task of Task Bench's stencil_1d without work, its inputs checked", own).programs(
		width*steps, right, []int{width, steps}, program("omp-depend", peers.OpenMP, "stencil", builtEach),
		program("gomp-depend", peers.GOMP, "stencil", builtEach), program("mpi-ranks", peers.MPI, "stencil", messages))
}
