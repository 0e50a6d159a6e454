package synchp2p

import (
	"context"
	"sync"

	"ocr/apps/trial"
)

// Goroutines solves the problem with P goroutines that pass buffers through channels round the ring: the same strips,
// messages and pool as the EDT form, with the Go scheduler in place of the task runtime. It checks ctx between
// timesteps.
func Goroutines(ctx context.Context, c Config) (Result, error) {
	if err := c.Validate(0); err != nil {
		return Result{}, err
	}
	// Link n leads to rank n. A buffer belongs to the rank that received it last, a strip to its rank.
	links, strips := make([]chan []float64, c.Ranks), c.strips()
	for rank := range links {
		links[rank] = make(chan []float64, min(c.Phases, 64))
	}
	var wg sync.WaitGroup
	for rank := 1; rank < c.Ranks; rank++ {
		wg.Go(func() { c.inner(rank, strips[rank], links[rank], links[(rank+1)%c.Ranks]) })
	}
	o, err := c.head(ctx, strips[0], links[0], links[1%c.Ranks])
	wg.Wait()
	if err != nil {
		return Result{}, err
	}
	o.compare(c.GridRows(), c.GridColumns(), c.Timesteps, func(rank int) []float64 { return strips[rank] })
	return c.finish(o)
}

// strips and edges make the memory that goroutines write: no two share a cache line.
func (c Config) strips() [][]float64 {
	strips := make([][]float64, c.Ranks)
	for rank := range strips {
		strips[rank] = trial.Own[float64](c.GridRows() * c.Width(rank))
	}
	return strips
}

func (c Config) edges() [][]float64 {
	edges := make([][]float64, c.Phases)
	for k := range edges {
		edges[k] = trial.Own[float64](c.RowsPerBlock + 1)
	}
	return edges
}

// head is rank 0. It ends the others by closing its link to the right.
func (c Config) head(
	ctx context.Context, strip []float64, left <-chan []float64, right chan<- []float64,
) (outcome, error) {
	initStrip(strip, c.Width(0), 0)
	pool := c.edges()
	if c.Ranks > 1 {
		defer close(right)
	}
	return c.repeat(ctx, strip, func() float64 {
		for w, edge := range pool {
			sweepFirst(strip, c.Width(0), w*c.RowsPerBlock, edge)
			if c.Ranks > 1 || w == c.Phases-1 {
				right <- edge
			}
		}
		return (<-left)[c.RowsPerBlock]
	})
}

// inner is any other rank. The last one sends only in the last phase.
func (c Config) inner(rank int, strip []float64, left <-chan []float64, right chan<- []float64) {
	width, last := c.Width(rank), rank == c.Ranks-1
	initStrip(strip, width, c.FirstColumn(rank))
	if !last {
		defer close(right)
	}
	w := 0
	for edge := range left {
		sweepInner(strip, width, w*c.RowsPerBlock, edge)
		if !last || w == c.Phases-1 {
			right <- edge
		}
		w = (w + 1) % c.Phases
	}
}
