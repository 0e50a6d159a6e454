package cg

import (
	"context"

	"ocr/apps/trial"
)

// Forms returns the forms beside the EDTs.
func (a *App) Forms() []trial.Form {
	return []trial.Form{{Name: trial.Serial, Run: a.serial}, {Name: trial.Naive, Run: a.naive}, {Name: trial.Pooled, Run: a.pooled}}
}

// A grid is the slabs of a form, which read the planes of their neighbours as they are.
type grid struct {
	slabs []slab
	k     scalars
}

// start begins a run of a form.
func (a *App) start() *grid {
	g := &grid{make([]slab, a.cfg.slabs()), a.cfg.scalars()}
	for i := range g.slabs {
		g.slabs[i] = begin(make([]float64, slabWords(a.cfg.Size, a.cfg.planes(i))), a.of(a.b, i), a.cfg.Size)
	}
	a.Begin()
	return g
}

// finish ends the run.
func (a *App) finish(ctx context.Context, g *grid) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	a.End()
	a.scalars = g.k
	for i, s := range g.slabs {
		copy(a.of(a.x, i), s.x)
	}
	return nil
}

// advance and direct are the halves of an iteration for a slab.
func (g *grid) advance(i int) float64 { return g.slabs[i].advance(g.k.Alpha) }

func (g *grid) direct(i int) float64 {
	var below, above []float64
	if i > 0 {
		below = g.slabs[i-1].last()
	}
	if i < len(g.slabs)-1 {
		above = g.slabs[i+1].first()
	}
	return g.slabs[i].direct(g.k.Beta, below, above)
}

// serial does one slab after the other. It looks at ctx before each iteration.
func (a *App) serial(ctx context.Context, _ int) error {
	g := a.start()
	over := func(f func(int) float64) (total float64) {
		for i := range g.slabs {
			total += f(i)
		}
		return total
	}
	for ctx.Err() == nil {
		if g.k.residual(over(g.advance)); g.k.Done {
			break
		}
		g.k.curvature(over(g.direct))
	}
	return a.finish(ctx, g)
}
