package stencil2d

import (
	"context"
	"slices"

	"ocr/apps/trial"
)

// serial does step after step, tile after tile.
func (a *App) serial(ctx context.Context, _ int) error {
	g := a.newGrids()
	for step := range a.cfg.Steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		for tile := range a.cfg.tiles() {
			g.residuals[step] += g.step(step, tile)
		}
	}
	a.finish(g)
	return nil
}

// grids are what a form without EDTs works on: the whole grid twice, of which a step reads one and writes the other.
//
// Concurrency: in a step whoever has a tile writes it, and reads what the neighbours wrote in the step before.
type grids struct {
	cfg       Config
	grid      [2][]float64
	residuals []float64 // of each step
}

// newGrids copies the input and starts the clock.
func (a *App) newGrids() *grids {
	a.Clock = trial.Clock{}
	g := &grids{a.cfg, [2][]float64{slices.Clone(a.input), slices.Clone(a.input)}, make([]float64, a.cfg.Steps)}
	a.Begin()
	return g
}

// step does a step of a tile and returns its part of the residual.
func (g *grids) step(step, tile int) float64 {
	first, e := g.cfg.area(tile)
	return relax(g.grid[step%2][first:], g.grid[(step+1)%2][first:], g.cfg.stride(), e)
}

// finish stops the clock, and keeps the result.
func (a *App) finish(g *grids) {
	a.End()
	a.got = result{g.grid[a.cfg.Steps%2], g.residuals}
}
