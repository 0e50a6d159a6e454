package synchp2p

import (
	"context"
	"sync"

	"ocr/apps/trial"
)

// Serial solves the problem in a plain loop over the whole grid on the calling goroutine: the form that all others are
// compared with. P, K, B and W only give the grid its size. It checks ctx between timesteps.
func Serial(ctx context.Context, c Config) (Result, error) {
	if err := c.Validate(0); err != nil {
		return Result{}, err
	}
	rows, columns := c.GridRows(), c.GridColumns()
	grid, edge := make([]float64, rows*columns), make([]float64, rows)
	initStrip(grid, columns, 0)
	elapsed, err := c.repeat(ctx, grid, func() float64 {
		sweepFirst(grid, columns, 0, edge)
		return edge[rows-1]
	})
	if err != nil {
		return Result{}, err
	}
	return c.finish(elapsed, [][]float64{grid})
}

// repeat does all timesteps, and returns the time of those that are timed. timestep does one and returns the corner,
// which goes into the first point of rank 0's strip for the next one.
func (c Config) repeat(ctx context.Context, strip []float64, timestep func() (corner float64)) (int64, error) {
	start, corner := int64(0), 0.0
	for t := range c.Timesteps {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if t <= 1 {
			start = trial.Now()
		}
		if t > 0 {
			strip[0] = -corner
		}
		corner = timestep()
	}
	return trial.Now() - start, nil
}

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
	elapsed, err := c.head(ctx, strips[0], links[0], links[1%c.Ranks])
	wg.Wait()
	if err != nil {
		return Result{}, err
	}
	return c.finish(elapsed, strips)
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
func (c Config) head(ctx context.Context, strip []float64, left, right chan []float64) (elapsed int64, err error) {
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
