package overhead

import (
	"context"
	"fmt"
	"time"

	"ocr/apps/synchp2p"
	"ocr/apps/taskbench"
	"ocr/internal/peers"
	"ocr/runtime"
)

func programRows() []*Row {
	rows := []*Row{wavefrontRow(100), wavefrontRow(500)}
	for _, form := range []synchp2p.CloneForm{synchp2p.CloneNew, synchp2p.CloneAgain} {
		rows = append(rows,
			sweepRow("grid=25x50/tile=3x5", form, synchp2p.Defaults(), peers.StarPU),
			sweepRow("grid=1001x1000/tile=10x10", form, synchp2p.Config{Ranks: 100, ColumnsPerRank: 10,
				RowsPerBlock: 10, Phases: 100, Timesteps: 3}))
	}
	return append(rows, stencilRow(8))
}

// appRow is a row that runs an app: once runs it, and returns how many of its EDTs were timed, and
// how long they took together.
func appRow(
	name, what string,
	once func(ctx context.Context, b *Bench, workers int) (int, time.Duration, runtime.Counters, error),
) *Row {
	return &Row{Name: name, What: what, measure: func(ctx context.Context, b *Bench, workers int) (s Sample, err error) {
		for rounds := 0; rounds == 0 || !b.enough(rounds, s.Busy.Nanoseconds()); rounds++ {
			ops, elapsed, counts, err := once(ctx, b, workers)
			if err != nil {
				return s, err
			}
			s.Ops, s.Busy, s.Counts = s.Ops+uint64(ops), s.Busy+elapsed, counts
		}
		s.All, s.Rounds, s.Unaccounted, s.Rate = s.Ops, s.Ops, true, float64(s.Ops)/s.Busy.Seconds()
		return s, nil
	}}
}

// sweepRow is synch_p2p, in the form edt or edt-again of ocrbench synch_p2p. It verifies every point.
func sweepRow(problem string, form synchp2p.CloneForm, cfg synchp2p.Config, more ...*peers.Library) *Row {
	d := synchp2p.Defaults()
	cfg.Place, cfg.Events, cfg.Clone = d.Place, d.Events, form
	name, what := "edt", "a tile of synch_p2p's grid, an EDT that creates the next of its strip; made as it runs"
	if form == synchp2p.CloneAgain {
		name, what = "edt-again", "the same, and an EDT goes on as the next of its strip"
	}
	tiles := cfg.Ranks * cfg.Phases
	row := appRow("sweep/form="+name+"/"+problem, what,
		func(ctx context.Context, b *Bench, workers int) (int, time.Duration, runtime.Counters, error) {
			run := cfg
			run.Timesteps = b.sized(cfg.Timesteps, 2)
			a := synchp2p.New(run)
			counts, err := b.run(ctx, a.Main(), Pool{Workers: workers})
			if err != nil {
				return 0, 0, counts, err
			}
			r, err := a.Result()
			return tiles * r.TimedTimesteps, r.Elapsed, counts, err
		})
	ask := func(name string, l *peers.Library, bench string) {
		row.Others = append(row.Others, other(name, l, func(b *Bench) (peers.Request, int) {
			sweeps := b.sized(cfg.Timesteps, 2)
			return peers.Request{
				Bench: bench, Want: uint64(sweeps) * uint64(cfg.CornerAfter(1)),
				Sizes: []int{cfg.GridRows(), cfg.GridColumns(), cfg.RowsPerBlock, cfg.ColumnsPerRank, sweeps},
			}, tiles * sweeps
		}))
	}
	ask("tbb-flow-built-once", peers.TBB, "sweep-built-once")
	ask("tbb-flow-built-each", peers.TBB, "sweep-built-each")
	ask("omp-depend", peers.OpenMP, "sweep")
	for _, l := range more {
		ask("starpu", l, "sweep")
	}
	return row
}

// stencilSteps are those of a run of Task Bench's stencil.
const stencilSteps = 1000

// stencilRow is Task Bench's stencil_1d with an empty kernel, whose tasks check their inputs.
func stencilRow(width int) *Row {
	row := appRow(fmt.Sprintf("stencil_1d/width=%d", width), "a task of Task Bench's stencil_1d without work, its "+
		"inputs checked",
		func(ctx context.Context, b *Bench, workers int) (int, time.Duration, runtime.Counters, error) {
			g := taskbench.DefaultGraph()
			g.Type, g.Width, g.Steps = taskbench.Stencil1D, width, b.sized(stencilSteps, 5)
			cfg := taskbench.Defaults()
			cfg.Graphs = []taskbench.Graph{g}
			a := taskbench.New(cfg)
			counts, err := b.run(ctx, a.Main(), Pool{Workers: workers})
			if err != nil {
				return 0, 0, counts, err
			}
			r, err := a.Result()
			return width * g.Steps, r.Elapsed, counts, err
		})
	ask := func(name string, l *peers.Library) {
		row.Others = append(row.Others, other(name, l, func(b *Bench) (peers.Request, int) {
			steps := b.sized(stencilSteps, 5)
			// The checksum is how many inputs were right: three a task, two at either end.
			right := uint64((steps - 1) * (3*width - 2))
			return peers.Request{Bench: "stencil", Sizes: []int{width, steps}, Want: right}, width * steps
		}))
	}
	ask("omp-depend", peers.OpenMP)
	ask("mpi-ranks", peers.MPI)
	return row
}
