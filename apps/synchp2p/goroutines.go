package synchp2p

import (
	"context"
	"sync"
)

// Goroutines solves the problem with P goroutines that pass buffers through channels
// round the ring: the same strips, messages and pool as the EDT form, with the Go
// scheduler in place of the task runtime. ctx is asked between timesteps.
func Goroutines(ctx context.Context, c Config) (Result, error) {
	if err := c.Validate(0); err != nil {
		return Result{}, err
	}
	r := ring{cfg: c, links: make([]chan []float64, c.Ranks), strips: make([][]float64, c.Ranks)}
	for k := range r.links {
		r.links[k] = make(chan []float64, min(c.Phases, 64))
	}
	var wg sync.WaitGroup
	for rank := 1; rank < c.Ranks; rank++ {
		wg.Go(func() { r.inner(rank) })
	}
	o, err := r.head(ctx)
	wg.Wait()
	if err != nil {
		return Result{}, err
	}
	c.checkGrid(&o, func(rank int) []float64 { return r.strips[rank] })
	return c.finish(o)
}

// A ring is what the goroutines of one run share. links[n] leads to rank n.
//
// Concurrency: a buffer belongs to the rank that received it last, a strip to its rank.
type ring struct {
	cfg    Config
	links  []chan []float64
	strips [][]float64
}

func (r *ring) newStrip(rank int) (strip []float64, width int) {
	width = r.cfg.Width(rank)
	strip = make([]float64, width*r.cfg.GridRows())
	initStrip(strip, width, r.cfg.FirstColumn(rank))
	r.strips[rank] = strip
	return strip, width
}

// head is rank 0. It ends the others by closing its link to the right.
func (r *ring) head(ctx context.Context) (outcome, error) {
	c := r.cfg
	strip, width := r.newStrip(0)
	pool := make([][]float64, c.Phases)
	for k := range pool {
		pool[k] = make([]float64, c.RowsPerBlock+1)
	}
	right := r.links[1%c.Ranks]
	if c.Ranks > 1 {
		defer close(right)
	}
	return c.repeat(ctx, strip, func() float64 {
		for w, edge := range pool {
			sweepFirst(strip, width, w*c.RowsPerBlock, edge)
			if c.Ranks > 1 || w == c.Phases-1 {
				right <- edge
			}
		}
		return (<-r.links[0])[c.RowsPerBlock]
	})
}

// inner is any other rank. The last one sends only in the last phase.
func (r *ring) inner(rank int) {
	c := r.cfg
	strip, width := r.newStrip(rank)
	last := rank == c.Ranks-1
	right := r.links[(rank+1)%c.Ranks]
	if !last {
		defer close(right)
	}
	w := 0
	for edge := range r.links[rank] {
		sweepInner(strip, width, w*c.RowsPerBlock, edge)
		if !last || w == c.Phases-1 {
			right <- edge
		}
		w = (w + 1) % c.Phases
	}
}
