package stencil2d

import (
	"context"
	"slices"
	"sync/atomic"

	"ocr/apps/trial"
)

// Forms returns the forms without EDTs.
func (a *App) Forms() []trial.Form { return trial.Forms(a.serial, a.pooled) }

// tiles are what a form without EDTs works on: a tile is two grids, as in a block.
//
// Concurrency: a goroutine that does a step of a tile writes the tile, and the rings beside it for the next step. The
// neighbours have done the step before, so they do not read these rings any more.
type tiles struct {
	cfg       Config
	of        [][]float64
	residuals []float64 // of each step
}

// newTiles copies the input and starts the clock.
func (a *App) newTiles() *tiles {
	a.Clock = trial.Clock{}
	t := &tiles{a.cfg, make([][]float64, a.cfg.tiles()), make([]float64, a.cfg.Steps)}
	for k := range t.of {
		_, e := a.cfg.area(k)
		t.of[k] = make([]float64, 2*e.points())
		a.fill(k, t.of[k])
	}
	a.Begin()
	return t
}

// step does a step of a tile and returns its part of the residual.
func (t *tiles) step(step, tile int) float64 {
	_, e := t.cfg.area(tile)
	from, to := e.grids(t.of[tile], step)
	residual := e.relax(from, to)
	for side := range sides {
		if other, ok := t.cfg.neighbour(tile, side); ok {
			_, its := t.cfg.area(other)
			_, ring := its.grids(t.of[other], step)
			e.copySide(to, side, its, ring)
		}
	}
	return residual
}

// finish ends a run, and keeps its result.
func (a *App) finish(ctx context.Context, t *tiles) error {
	if err := a.EndUnless(ctx); err != nil {
		return err
	}
	a.got = result{make([]float64, len(a.input)), t.residuals}
	for k, tile := range t.of {
		a.collect(k, tile)
	}
	return nil
}

// steps does step after step. Each calls do with the number of the step and where the parts of its residual go.
func (a *App) steps(ctx context.Context, do func(t *tiles, step int, parts []float64)) error {
	t, parts := a.newTiles(), make([]float64, a.cfg.tiles())
	for step := 0; step < a.cfg.Steps && ctx.Err() == nil; step++ {
		do(t, step, parts)
		t.residuals[step] = add(parts)
	}
	return a.finish(ctx, t)
}

func add(parts []float64) (sum float64) {
	for _, part := range parts {
		sum += part
	}
	return sum
}

// serial does tile after tile.
func (a *App) serial(ctx context.Context, _ int) error {
	return a.steps(ctx, func(t *tiles, step int, parts []float64) {
		for tile := range parts {
			parts[tile] = t.step(step, tile)
		}
	})
}

// A pool is goroutines that each have an equal run of tiles. One waits only for those that have a neighbour of its
// tiles, and the last to do a step adds up its residual.
type pool struct {
	*tiles
	workers int
	parts   [][]float64    // of each step, each tile's
	ended   []atomic.Int32 // of each step, how many have done it
	done    []trial.Progress
}

func (a *App) pooled(ctx context.Context, workers int) error {
	workers = min(workers, a.cfg.tiles())
	p := pool{
		tiles: a.newTiles(), workers: workers,
		parts: make([][]float64, a.cfg.Steps), ended: make([]atomic.Int32, a.cfg.Steps),
		done: make([]trial.Progress, workers),
	}
	for step := range p.parts {
		p.parts[step] = make([]float64, a.cfg.tiles())
	}
	trial.Gang(workers, func() {}, func(w int) { p.run(ctx, w) })
	return a.finish(ctx, p.tiles)
}

// share returns the first tile of a worker, and the one behind its last.
func (p *pool) share(w int) (from, to int) {
	n := p.cfg.tiles()
	return w * n / p.workers, (w + 1) * n / p.workers
}

// neighbours returns the workers that have a neighbour of a worker's tiles.
func (p *pool) neighbours(w int) (others []int) {
	owner := make([]int, p.cfg.tiles())
	for of := range p.workers {
		from, to := p.share(of)
		for tile := from; tile < to; tile++ {
			owner[tile] = of
		}
	}
	from, to := p.share(w)
	for tile := from; tile < to; tile++ {
		for side := range sides {
			if other, ok := p.cfg.neighbour(tile, side); ok && owner[other] != w {
				others = append(others, owner[other])
			}
		}
	}
	slices.Sort(others)
	return slices.Compact(others)
}

// run is what a worker does.
func (p *pool) run(ctx context.Context, w int) {
	from, to := p.share(w)
	neighbours := p.neighbours(w)
	for step := range p.cfg.Steps {
		if ctx.Err() != nil {
			p.done[w].Set(p.cfg.Steps) // the others may stop waiting
			return
		}
		for _, other := range neighbours {
			p.done[other].Wait(step)
		}
		for tile := from; tile < to; tile++ {
			p.parts[step][tile] = p.step(step, tile)
		}
		if p.ended[step].Add(1) == int32(p.workers) {
			p.residuals[step] = add(p.parts[step])
		}
		p.done[w].Set(step + 1)
	}
}
