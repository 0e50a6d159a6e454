package overhead

import (
	"context"
	"fmt"
	"time"

	"ocr/apps/synchp2p"
	"ocr/apps/taskbench"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/measure/peers"
)

func programRows() []*Row {
	rows := []*Row{wavefrontRow(100), wavefrontRow(500)}
	for _, form := range []synchp2p.CloneForm{synchp2p.CloneNew, synchp2p.CloneAgain} {
		rows = append(rows,
			sweepRow("grid=25x50/tile=3x5", form, synchp2p.Defaults(), program{"starpu", peers.StarPU, "sweep"}),
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

// sweepRow is synch_p2p, in the form edt or edt-again of ocrbench synch_p2p. It verifies every point.
func sweepRow(problem string, form synchp2p.CloneForm, cfg synchp2p.Config, more ...program) *Row {
	d := synchp2p.Defaults()
	cfg.Place, cfg.Events, cfg.Clone = d.Place, d.Events, form
	name, what := "edt", "a tile of synch_p2p's grid, an EDT that creates the next of its strip; made as it runs"
	if form == synchp2p.CloneAgain {
		name, what = "edt-again", "the same, and an EDT goes on as the next of its strip"
	}
	tiles := cfg.Ranks * cfg.Phases
	programs := append([]program{
		{"tbb-flow-built-once", peers.TBB, "sweep-built-once"}, {"tbb-flow-built-each", peers.TBB, "sweep-built-each"},
		{"omp-depend", peers.OpenMP, "sweep"},
	}, more...)
	return &Row{
		Name: "sweep/form=" + name + "/" + problem, What: what,
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
		}, program{"omp-depend", peers.OpenMP, "stencil"}, program{"mpi-ranks", peers.MPI, "stencil"}),
	}
}

// wavefront is a grid of n x n cells, each the sum of the one above and the one to the left: an
// EDT for each cell, which waits for the events of those two. The first cell grows by one from
// grid to grid, so a cell that was not computed, or too early, shows in the last.
type wavefront struct {
	n          int
	corner     uint32 // by how much the last cell grows
	cells      []uint32
	last       uint32 // the last cell of the grid before
	events     []guid.GUID
	cell, ends *edt.Template
}

func wavefrontRow(n int) *Row {
	w := &wavefront{n: n, corner: cornerOf(n)}
	all := n * n
	programs := []program{
		{"tbb-flow-built-once", peers.TBB, "wavefront-built-once"},
		{"tbb-flow-built-each", peers.TBB, "wavefront-built-each"},
		{"tbb-task_group-counters-by-hand", peers.TBB, "wavefront-counted"},
		{"omp-depend", peers.OpenMP, "wavefront"}, {"starpu", peers.StarPU, "wavefront"},
	}
	if n > 100 { // StarPU has a handle for each cell, and takes microseconds for each
		programs = programs[:4]
	}
	return graph{
		parts: all, begin: w.begin, build: w.build,
		counts: plus(ran(all+1), times(uint64(all), plus(anEvent, satisfied)), times(2, dependence)),
	}.row(fmt.Sprintf("wavefront/n=%d", n),
		"a cell of a grid of n x n, which waits for the one above and the one to the left by an event each; built and run",
		asked(func(b *Bench) (peers.Request, int) {
			n := b.sized(n, 6)
			return peers.Request{Sizes: []int{n}, Want: uint64(cornerOf(n))}, n * n
		}, programs...)...)
}

// cornerOf returns the last cell of a wavefront of n x n whose first is 1: it is computed by rows.
func cornerOf(n int) uint32 {
	row := make([]uint32, n)
	row[0] = 1
	for range n {
		for j := 1; j < n; j++ {
			row[j] += row[j-1]
		}
	}
	return row[n-1]
}

func (w *wavefront) begin(r *team, c *edt.Ctx) {
	w.cells, w.events, w.last = make([]uint32, w.n*w.n), make([]guid.GUID, w.n*w.n), 0
	w.cell = r.template(c, "overhead.wave-cell", 3, 2, w.compute)
	w.ends = r.template(c, "overhead.wave-ends", 2, 1, w.check)
}

// build makes a grid. Its first cell can run once all others are there.
func (w *wavefront) build(c *edt.Ctx, end guid.GUID) {
	for k := range w.events {
		w.events[k] = c.NewEvent(edt.Once)
	}
	hi, lo := end.Words()
	c.NewEDT(w.ends, edt.Params(hi, lo), edt.From(w.events[len(w.events)-1], datablock.Null))
	none := edt.From(guid.Null, datablock.Null)
	first := w.place(c, 0, edt.Open, none)
	for k := 1; k < len(w.events); k++ {
		up, left := none, none
		if k >= w.n {
			up = edt.From(w.events[k-w.n], datablock.Null)
		}
		if k%w.n > 0 {
			left = edt.From(w.events[k-1], datablock.Null)
		}
		w.place(c, k, up, left)
	}
	signal(c, first)
}

// place makes the EDT of a cell.
func (w *wavefront) place(c *edt.Ctx, k int, up, left edt.Source) guid.GUID {
	hi, lo := w.events[k].Words()
	return c.NewEDT(w.cell, edt.Params(uint64(k), hi, lo), up, left)
}

// compute is the body of a cell.
func (w *wavefront) compute(c *edt.Ctx, in edt.Args) guid.GUID {
	k := int(in.Param(0))
	sum := uint32(0)
	if k >= w.n {
		sum = w.cells[k-w.n]
	}
	if k%w.n > 0 {
		sum += w.cells[k-1]
	}
	if k == 0 {
		sum = w.cells[0] + 1
	}
	w.cells[k] = sum
	c.Satisfy(guid.FromWords(in.Param(1), in.Param(2)), guid.Null)
	return guid.Null
}

func (w *wavefront) check(c *edt.Ctx, in edt.Args) guid.GUID {
	last := w.cells[len(w.cells)-1]
	expect("growth of the last cell", uint64(w.corner), uint64(last-w.last))
	w.last = last
	signal(c, guid.FromWords(in.Param(0), in.Param(1)))
	return guid.Null
}
