package stencil2d

import (
	"math/rand/v2"
	"slices"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/task"
)

// An App is a grid to relax: a [trial.App].
type App struct {
	trial.Clock
	cfg   Config
	input []float64 // with its border, row by row
	got   result    // of the latest run
	want  *result   // what verification has computed

	graphs []*task.Graph // of the latest run, if it was of the recorded form
}

// A result is what a run leaves behind.
type result struct {
	grid      []float64
	residuals []float64 // of each step
}

var _ trial.Recorder = (*App)(nil)

// New returns an App for a Config that [Config.Validate] has accepted, with its grid.
func New(cfg Config) *App {
	a := &App{cfg: cfg, input: make([]float64, cfg.stride()*cfg.stride())}
	random := rand.New(rand.NewPCG(cfg.Seed, 0))
	for k := range a.input {
		a.input[k] = random.Float64()
	}
	return a
}

// Work returns how many points are computed.
func (a *App) Work() (amount float64, unit string) {
	return float64(a.cfg.Size) * float64(a.cfg.Size) * float64(a.cfg.Steps), "points"
}

// Residual returns that of the latest run's last step.
func (a *App) Residual() float64 { return a.got.residuals[a.cfg.Steps-1] }

// Main returns the main EDT: it puts the grid into blocks, and makes the graph and an EDT that takes the result.
func (a *App) Main() edt.Func {
	return a.main(func(c *edt.Ctx, tiles []setup) []edt.Source {
		grids, residuals := buildGraph(c, a.cfg, tiles)
		return trial.Blocks(trial.Blocks(nil, residuals), grids...)
	})
}

// main is the main EDT of a form. build makes the graph, and returns what the result is in.
func (a *App) main(build func(c *edt.Ctx, tiles []setup) (result []edt.Source)) edt.Func {
	a.Clock, a.graphs = trial.Clock{}, nil
	return task.Main(func(c *edt.Ctx) {
		tiles := make([]setup, a.cfg.tiles())
		for k := range tiles {
			tiles[k] = a.setUp(c, k)
		}
		a.Begin()
		trial.Collect(c, "stencil2d.deliver", &a.Clock, build(c, tiles), a.deliver)
	})
}

// setUp makes a tile's block and its first halos.
func (a *App) setUp(c *edt.Ctx, k int) (t setup) {
	_, e := a.cfg.area(k)
	block, s, points := task.MakeHeaded[state, float64](c, 2*e.points())
	s.Steps, s.Extent = int32(a.cfg.Steps), e
	a.fill(k, points)
	t.block, t.state = block, s
	for side := range sides {
		if _, ok := a.cfg.neighbour(k, side); ok {
			halo, v := task.Make[float64](c, e.length(side))
			e.take(points, side, 1, v)
			halo.Release(c)
			t.halos[side] = halo
		}
	}
	return t
}

var (
	stateView     = datablock.NewView[state]()
	reductionView = datablock.NewView[reduction]()
)

// deliver takes the result out of its blocks.
func (a *App) deliver(c *edt.Ctx, in edt.Args) {
	for _, g := range a.graphs {
		g.Destroy(c)
	}
	residuals := datablock.SliceOf[float64](reductionView.Rest(in.Dep(0)))
	a.got = result{make([]float64, len(a.input)), slices.Clone(residuals)}
	for k := range a.cfg.tiles() {
		a.collect(k, datablock.SliceOf[float64](stateView.Rest(in.Dep(1+k))))
	}
}

// fill copies the input to both grids of a tile, with their rings.
func (a *App) fill(k int, tile []float64) {
	first, e := a.cfg.area(k)
	for row := range int(e.Rows) + 2 {
		copy(tile[row*e.stride():][:e.stride()], a.input[first+row*a.cfg.stride():])
	}
	copy(tile[e.points():], tile[:e.points()])
}

// collect copies what the last step has written, without the ring.
func (a *App) collect(k int, tile []float64) {
	first, e := a.cfg.area(k)
	_, tile = e.grids(tile, a.cfg.Steps-1)
	for row := range int(e.Rows) {
		from, to := (row+1)*e.stride()+1, first+(row+1)*a.cfg.stride()+1
		copy(a.got.grid[to:][:e.Columns], tile[from:])
	}
}
