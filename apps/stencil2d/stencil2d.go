// Package stencil2d relaxes a square grid whose border keeps its values: in each step every point becomes the
// average of its four neighbours. The residual of a step is the sum of the squares of all changes.
//
// The grid is cut into tiles, each in a block of its own with a ring of points around it. A tile's EDT computes one
// step and goes on as the next (Again). Two neighbours have two channel events, one each way, and two halo blocks. An
// EDT copies each halo to its ring, fills the halo with its own side of the new grid, and sends it back. So no step
// waits for the whole grid, and a step creates no blocks.
//
// The recorded form records a graph of two steps once and runs it many times: after two steps each halo is back at its
// tile.
package stencil2d

import (
	"context"
	"fmt"
	"math/rand/v2"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/task"
)

const appName = "stencil2d"

// Config describes a grid, and how it is cut into tiles.
type Config struct {
	Size  int    `flag:"size" short:"n" usage:"rows and columns of the grid, without its border"`
	Tile  int    `flag:"tile" short:"t" usage:"rows and columns of a tile"`
	Steps int    `flag:"steps" usage:"steps"`
	Seed  uint64 `flag:"seed" usage:"seed of the values that the grid begins with"`
}

// Defaults returns a grid of 1000 x 1000 points, in 16 tiles of 250 x 250, for 100 steps.
func Defaults() Config { return Config{Size: 1000, Tile: 250, Steps: 100, Seed: 1} }

// Validate returns a [*trial.ConfigError] for the first reason for which c cannot run. The largest grid takes 3 GiB.
func (c Config) Validate() error {
	const maxSize = 8_000
	least := max(1, (c.Size+63)/64)
	return trial.First(appName,
		trial.Range("size", c.Size, 1, maxSize),
		trial.Refuse(c.Tile < least || c.Tile > maxSize, "tile", c.Tile,
			fmt.Sprintf("%d..%d: at most 64 tiles a side", least, maxSize)),
		trial.Range("steps", c.Steps, 1, 10_000))
}

// perSide returns the number of tiles in a row or column of tiles, tiles the number of all tiles, and stride the number
// of points in a row of the grid with its border.
func (c Config) perSide() int { return (c.Size + c.Tile - 1) / c.Tile }
func (c Config) tiles() int   { return c.perSide() * c.perSide() }
func (c Config) stride() int  { return c.Size + 2 }

// area returns the index of a tile's first point in the grid, which has a border, and its extent. The last tiles of a
// row or column of tiles may be smaller than the others.
func (c Config) area(tile int) (first int, e extent) {
	row, column := tile/c.perSide()*c.Tile, tile%c.perSide()*c.Tile
	return row*c.stride() + column, extent{min(c.Tile, c.Size-row), min(c.Tile, c.Size-column)}
}

// neighbour returns the tile beside a side of a tile, if there is one.
func (c Config) neighbour(tile, side int) (other int, ok bool) {
	n := c.perSide()
	row, column := tile/n+[sides]int{above: -1, below: 1}[side], tile%n+[sides]int{left: -1, right: 1}[side]
	return row*n + column, row >= 0 && row < n && column >= 0 && column < n
}

// An App is a grid to relax: a [trial.App].
type App struct {
	trial.Clock
	cfg   Config
	input []float64 // with its border, row by row
	got   result    // of the latest run
	want  *result   // what verification has computed; nil before
}

// A result is the result of a run.
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

// Work returns the number of points that a run computes.
func (a *App) Work() (amount float64, unit string) {
	return float64(a.cfg.Size) * float64(a.cfg.Size) * float64(a.cfg.Steps), "points"
}

// Main returns the main EDT of the form with channels, and MainRecorded that of the recorded form.
func (a *App) Main() edt.Func         { return a.main(buildGraph) }
func (a *App) MainRecorded() edt.Func { return a.main(recordGraph) }

// main returns a main EDT that copies the grid to blocks, and creates the EDTs that make the graph and copy the result.
func (a *App) main(build builder) edt.Func {
	a.Clock = trial.Clock{}
	return task.Main(func(c *edt.Ctx) {
		tiles := make([]setup, a.cfg.tiles())
		var results, halos []edt.Source
		for k := range tiles {
			tiles[k] = a.setUp(c, k)
			results = append(results, edt.From(tiles[k].block.GUID, datablock.RO))
			for _, halo := range tiles[k].halos {
				halos = append(halos, edt.From(halo.GUID, datablock.Null)) // to be destroyed
			}
		}
		a.Begin()
		done, end := build(c, a.cfg, tiles)
		results = append(append(results, halos...), edt.From(done.GUID, datablock.Null))
		trial.Collect(c, "stencil2d.deliver", &a.Clock, results, func(c *edt.Ctx, in edt.Args) {
			end(c)
			a.collect(func(k int) []float64 { return task.Rest(task.SlotOf[task.RO[tile]](in, k)) })
		})
	})
}

// setUp makes a tile's block and its halos.
func (a *App) setUp(c *edt.Ctx, k int) (t setup) {
	_, e := a.cfg.area(k)
	block, state, points := task.MakeHeaded[state, float64](c, e.memory(a.cfg.Steps))
	state.Steps, state.Extent = a.cfg.Steps, e
	a.fill(k, points)
	t = setup{block: block, state: state, at: c.Place(k * c.Places() / a.cfg.tiles())}
	for side := range sides {
		if _, ok := a.cfg.neighbour(k, side); ok {
			t.halos[side] = task.Reserve[float64](c, e.length(side), t.at)
		}
	}
	return t
}

// fill copies the input to both grids of a tile, with their rings.
func (a *App) fill(k int, tile []float64) {
	first, e := a.cfg.area(k)
	for row := range e.Rows + 2 {
		copy(tile[row*e.stride():][:e.stride()], a.input[first+row*a.cfg.stride():])
	}
	copy(tile[e.points():], tile[:e.points()])
}

// collect copies the result from the tiles: the grid that the last step has written, without the ring, and the
// residuals, added up in the order of the tiles.
func (a *App) collect(tile func(k int) []float64) {
	a.got = result{make([]float64, len(a.input)), make([]float64, a.cfg.Steps)}
	for k := range a.cfg.tiles() {
		first, e := a.cfg.area(k)
		_, grid := e.grids(tile(k), a.cfg.Steps-1)
		for row := 1; row <= e.Rows; row++ {
			copy(a.got.grid[first+row*a.cfg.stride()+1:][:e.Columns], grid[row*e.stride()+1:])
		}
		for step, r := range e.residuals(tile(k)) {
			a.got.residuals[step] += r
		}
	}
}

// Forms returns the forms without EDTs: a plain loop, and a goroutine for each worker with neighbouring tiles.
func (a *App) Forms() []trial.Form {
	return trial.Forms(func(ctx context.Context, _ int) error { return a.relax(ctx, 1) }, a.relax)
}

// relax runs each step as a round over all tiles. Two neighbours have two halos, which change sides after each step.
func (a *App) relax(ctx context.Context, workers int) error {
	tiles, halos, step := make([][]float64, a.cfg.tiles()), make([][sides][]float64, a.cfg.tiles()), 0
	for k := range tiles {
		_, e := a.cfg.area(k)
		tiles[k] = make([]float64, e.memory(a.cfg.Steps))
		a.fill(k, tiles[k])
		for side := range sides {
			if _, ok := a.cfg.neighbour(k, side); ok {
				halos[k][side] = make([]float64, e.length(side))
			}
		}
	}
	a.Begin()
	trial.Rounds(ctx, workers, len(tiles), func(k int) {
		_, e := a.cfg.area(k)
		e.step(tiles[k], step, func(side int) []float64 {
			other, ok := a.cfg.neighbour(k, side)
			if ok && step%2 == 1 {
				return halos[other][opposite(side)]
			}
			return halos[k][side]
		})
	}, func() (more bool) {
		step++
		return step < a.cfg.Steps
	})
	if err := a.EndUnless(ctx); err != nil {
		return err
	}
	a.collect(func(k int) []float64 { return tiles[k] })
	return nil
}
