package stencil2d

import (
	"context"
	goruntime "runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// naive starts a goroutine for each tile in each step, and waits for all of them.
func (a *App) naive(ctx context.Context, _ int) error {
	t := a.newTiles()
	parts := make([]float64, a.cfg.tiles())
	for step := range a.cfg.Steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		var all sync.WaitGroup
		for tile := range parts {
			all.Go(func() { parts[tile] = t.step(step, tile) })
		}
		all.Wait()
		for _, part := range parts {
			t.residuals[step] += part
		}
	}
	a.finish(t)
	return nil
}

// A pool is goroutines that each have an equal run of tiles. One waits only for those that have
// a neighbour of its tiles, and whoever is the last to do a step adds up its residual.
type pool struct {
	*tiles
	workers int
	parts   [][]float64    // of each step, each tile's
	ended   []atomic.Int32 // of each step, how many have done it
	done    []progress
}

// progress is how many steps a goroutine has done, which it writes and others read.
type progress struct {
	steps atomic.Int64
	_     [56]byte
}

func (a *App) pooled(ctx context.Context, workers int) error {
	workers = min(workers, a.cfg.tiles())
	p := pool{
		tiles: a.newTiles(), workers: workers,
		parts: make([][]float64, a.cfg.Steps), ended: make([]atomic.Int32, a.cfg.Steps), done: make([]progress, workers),
	}
	for step := range p.parts {
		p.parts[step] = make([]float64, a.cfg.tiles())
	}
	var all sync.WaitGroup
	for w := range p.workers {
		all.Go(func() { p.run(ctx, w) })
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	a.finish(p.tiles)
	return nil
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
			p.done[w].steps.Store(int64(p.cfg.Steps)) // nobody is to wait for it
			return
		}
		for _, other := range neighbours {
			p.done[other].waitFor(step)
		}
		for tile := from; tile < to; tile++ {
			p.parts[step][tile] = p.step(step, tile)
		}
		if p.ended[step].Add(1) == int32(p.workers) {
			for _, part := range p.parts[step] {
				p.residuals[step] += part
			}
		}
		p.done[w].steps.Store(int64(step + 1))
	}
}

// waitFor waits until so many steps are done. It lets other goroutines run only if that takes long.
func (p *progress) waitFor(steps int) {
	for spins := 0; p.steps.Load() < int64(steps); spins++ {
		if spins > 100 {
			goruntime.Gosched()
		}
	}
}
