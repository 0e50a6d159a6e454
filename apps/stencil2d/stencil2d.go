// Package stencil2d relaxes a square grid whose border keeps its values: in each step every point becomes the
// average of its four neighbours. The residual of a step is the sum of the squares of all changes.
//
// The grid is cut into tiles, each in a block of its own with a ring of points around it. A tile's EDT computes one
// step, and then becomes the EDT of the next step (Again). Two neighbours have two channel events, one each way, and
// two halo blocks. An EDT copies each halo to its ring, fills the halo with its own side of the new grid, and sends it
// back. So no step waits for the whole grid, and a step creates no blocks.
//
// The recorded form records a graph of two steps once and runs it many times: after two steps each halo is back at its
// tile.
package stencil2d

import (
	"context"
	"iter"
	"math/rand/v2"
	"slices"
	"sync"

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
	return trial.First(appName,
		trial.Range("size", c.Size, 1, maxSize),
		trial.Tile(c.Tile, c.Size, maxSize, 64),
		trial.Range("steps", c.Steps, 1, 10_000))
}

// perSide, tiles and stride return the number of tiles in a row or column of tiles, of all tiles, and of points in a
// row of the grid with its border.
func (c Config) perSide() int { return trial.Parts(c.Size, c.Tile) }
func (c Config) tiles() int   { return c.perSide() * c.perSide() }
func (c Config) stride() int  { return c.Size + 2 }

// area returns the index, in the grid with its border, of the first point of a tile's ring, and the tile's extent. The
// last tiles of a row or column of tiles may be smaller than the others.
func (c Config) area(tile int) (first int, e extent) {
	row, column := tile/c.perSide()*c.Tile, tile%c.perSide()*c.Tile
	return row*c.stride() + column, extent{min(c.Tile, c.Size-row), min(c.Tile, c.Size-column)}
}

// neighbours ranges over the sides of a tile where it has a neighbour, and these neighbours.
func (c Config) neighbours(tile int) iter.Seq2[int, int] {
	n := c.perSide()
	row, column := tile/n, tile%n
	return func(yield func(side, other int) bool) {
		for side, at := range [sides]struct{ row, column int }{
			above: {row - 1, column}, below: {row + 1, column}, left: {row, column - 1}, right: {row, column + 1},
		} {
			inside := at.row >= 0 && at.row < n && at.column >= 0 && at.column < n
			if inside && !yield(side, at.row*n+at.column) {
				return
			}
		}
	}
}

// An App is a grid to relax: a [trial.App].
type App struct {
	trial.Clock
	cfg   Config
	input []float64     // with its border, row by row
	got   result        // result of the latest run
	want  func() result // result of plain loops
}

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
	a.want = sync.OnceValue(a.literal)
	return a
}

// Work returns the number of points that a run computes.
func (a *App) Work() (amount float64, unit string) {
	return float64(a.cfg.Size) * float64(a.cfg.Size) * float64(a.cfg.Steps), "points"
}

// Main returns the main EDT of the form with channels, and MainRecorded that of the recorded form.
func (a *App) Main() edt.Func         { return a.main(buildGraph) }
func (a *App) MainRecorded() edt.Func { return a.main(recordGraph) }

// main returns a main EDT that copies the grid to blocks, makes the graph, and creates the EDT that copies the result.
func (a *App) main(build builder) edt.Func {
	return a.Clock.Main(func(c *edt.Ctx) {
		tiles := make([]setup, a.cfg.tiles())
		var results, halos []edt.Source
		for k := range tiles {
			_, e := a.cfg.area(k)
			block, state, points := task.MakeHeaded[state, float64](c, e.memory(a.cfg.Steps))
			state.Steps, state.Extent = a.cfg.Steps, e
			a.fill(k, points)
			t := setup{block: block, state: state, at: c.Place(k * c.Places() / len(tiles))}
			for side := range sides {
				t.halos[side] = task.None[float64]()
			}
			for side := range a.cfg.neighbours(k) {
				halo := task.Reserve[float64](c, e.length(side), t.at)
				t.halos[side] = halo.From()
				halos = append(halos, edt.From(halo.GUID, datablock.Null)) // so that Collect destroys it
			}
			tiles[k], results = t, append(results, edt.From(block.GUID, datablock.RO))
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
	a.got = result{slices.Clone(a.input), make([]float64, a.cfg.Steps)}
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

// Forms returns the forms without EDTs: the tiles one after the other, and a goroutine for each worker with
// neighbouring tiles.
func (a *App) Forms() []trial.Form { return trial.Forms(a.relax) }

// relax runs each step as a round over all tiles. Two neighbours have two halos, which change sides after each step.
func (a *App) relax(ctx context.Context, workers int) error {
	tiles, step := make([][]float64, a.cfg.tiles()), 0
	// The halos of each tile, in this step and in the next.
	now, next := make([][sides][]float64, len(tiles)), make([][sides][]float64, len(tiles))
	for k := range tiles {
		_, e := a.cfg.area(k)
		tiles[k] = make([]float64, e.memory(a.cfg.Steps))
		a.fill(k, tiles[k])
		for side, other := range a.cfg.neighbours(k) {
			halo := make([]float64, e.length(side))
			now[k][side], next[other][opposite(side)] = halo, halo
		}
	}
	a.Begin()
	trial.Rounds(ctx, workers, len(tiles), func(k int) {
		_, e := a.cfg.area(k)
		e.step(tiles[k], step, func(side int) []float64 { return now[k][side] })
	}, func() (more bool) {
		step++
		now, next = next, now
		return step < a.cfg.Steps
	})
	if err := a.EndUnless(ctx); err != nil {
		return err
	}
	a.collect(func(k int) []float64 { return tiles[k] })
	return nil
}
