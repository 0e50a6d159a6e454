package stencil2d

import (
	"context"

	"ocr/apps/trial"
)

// serial does step after step, tile after tile.
func (a *App) serial(ctx context.Context, _ int) error {
	t := a.newTiles()
	for step := range a.cfg.Steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		for tile := range a.cfg.tiles() {
			t.residuals[step] += t.step(step, tile)
		}
	}
	a.finish(t)
	return nil
}

// tiles are what a form without EDTs works on: a tile is two grids, as in a block.
//
// Concurrency: whoever does a step of a tile has the tile, and writes the rings beside it for the next step.
// The neighbours have done the step before, so they read these rings no more.
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

// finish stops the clock, and keeps the result.
func (a *App) finish(t *tiles) {
	a.End()
	a.got = result{make([]float64, len(a.input)), t.residuals}
	for k, tile := range t.of {
		a.collect(k, tile)
	}
}
