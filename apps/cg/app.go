package cg

import (
	"slices"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/task"
)

// An App is a system of equations: a [trial.App].
type App struct {
	trial.Clock
	cfg Config
	b   []float64 // the right-hand side

	// Of the latest run:
	x       []float64
	scalars scalars

	want *solution // what verification has computed
}

var _ trial.App = (*App)(nil)

// New returns an App for a Config that [Config.Validate] has accepted, with its right-hand side.
func New(cfg Config) *App {
	points := cfg.Size * plane(cfg.Size)
	return &App{cfg: cfg, b: cfg.rightHandSide(), x: make([]float64, points), scalars: cfg.scalars()}
}

// Work returns the floating-point operations as HPCG counts them: two for each element of the matrix that is not
// zero, and ten for each point, in each iteration.
func (a *App) Work() (amount float64, unit string) {
	n, iterations := float64(a.cfg.Size), a.cfg.Iterations
	if a.Ended() {
		iterations = a.scalars.Iterations
	}
	return float64(iterations) * (2*(3*n-2)*(3*n-2)*(3*n-2) + 10*n*n*n), "flop"
}

// of returns a slab's part of a vector.
func (a *App) of(v []float64, slab int) []float64 {
	first := slab * a.cfg.Planes
	return v[first*plane(a.cfg.Size):][:a.cfg.planes(slab)*plane(a.cfg.Size)]
}

// Main returns the main EDT, which makes the graph and an EDT that takes the result out.
func (a *App) Main() edt.Func {
	a.Clock = trial.Clock{}
	return task.Main(func(c *edt.Ctx) {
		ranks := trial.ByRank(c, a.cfg.slabs(), func(i int) edt.Affinity { return a.cfg.at(c, i) })
		ranks = slices.DeleteFunc(ranks, func(slabs []int) bool { return len(slabs) == 0 })
		root := func(int) edt.Affinity { return a.cfg.at(c, middle(ranks)[0]) }
		trial.Scatter(c, [][]scalars{{a.cfg.scalars()}}, root, func(c *edt.Ctx, control []task.Block[scalars]) {
			s := a.newSystem(c, control[0])
			a.Begin()
			results := []edt.Source{edt.From(s.control.GUID, datablock.RO)}
			trial.Collect(c, "cg.deliver", &a.Clock, trial.Blocks(results, buildGraph(c, s, ranks)...), a.deliver)
		})
	})
}

// newSystem puts the right-hand side into blocks.
func (a *App) newSystem(c *edt.Ctx, control task.Block[scalars]) system {
	cfg, n := a.cfg, a.cfg.slabs()
	s := system{control, make([]task.Block[slabBlock], n), make([]*head, n)}
	for i := range n {
		var memory []float64
		s.slabs[i], s.heads[i], memory = task.MakeHeaded[head, float64](c, slabWords(cfg.Size, cfg.planes(i)))
		begin(memory, a.of(a.b, i), cfg.Size)
		at := cfg.at(c, i)
		s.heads[i].Size, s.heads[i].At = cfg.Size, at
		if i > 0 {
			s.heads[i].First = task.Reserve[float64](c, plane(cfg.Size), at)
		}
		if i < n-1 {
			s.heads[i].Last = task.Reserve[float64](c, plane(cfg.Size), at)
		}
	}
	return s
}

// deliver takes the result out of its blocks, and destroys the events that are left.
func (a *App) deliver(c *edt.Ctx, in edt.Args) {
	a.scalars = *controls.At(in.Dep(0))
	for i := range a.cfg.slabs() {
		block := in.Dep(i + 1)
		copy(a.of(a.x, i), slabOf(datablock.SliceOf[float64](slabs.Rest(block)), a.cfg.Size).x)
		h := slabs.At(block)
		h.Link.Control.Destroy(c)
	}
}

var (
	controls = datablock.NewView[scalars]()
	slabs    = datablock.NewView[head]()
)

// Iterations returns how many the latest run did.
func (a *App) Iterations() int { return a.scalars.Iterations }
