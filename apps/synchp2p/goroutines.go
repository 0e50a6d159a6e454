package synchp2p

import (
	"context"
	"sync"

	"ocr/apps/trial"
)

// Serial solves the problem in a plain loop over the whole grid on the calling goroutine: all other forms are compared
// with it. P, K, B and W only set the size of the grid. It checks ctx between timesteps.
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

// repeat runs all timesteps, and returns the nanoseconds of the timed ones. timestep runs one and returns the corner;
// repeat writes minus the corner to the first point of strip 0 for the next timestep.
func (c Config) repeat(ctx context.Context, points []float64, timestep func() (corner float64)) (int64, error) {
	start, corner := int64(0), 0.0
	for t := range c.Timesteps {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if t <= 1 {
			start = trial.Now()
		}
		if t > 0 {
			points[0] = -corner
		}
		corner = timestep()
	}
	return trial.Now() - start, nil
}

// Goroutines solves the problem with P goroutines that pass buffers round the ring through channels: it uses the
// strips, messages and pool of the EDT form, and the Go scheduler in place of the task runtime. It checks ctx between
// timesteps.
func Goroutines(ctx context.Context, c Config) (Result, error) {
	if err := c.Validate(0); err != nil {
		return Result{}, err
	}
	// Link n leads to strip n. Only the strip that received a buffer last uses the buffer. Only a strip's goroutine uses
	// the strip's points. No two buffers or strips share a cache line.
	links, strips := make([]chan []float64, c.Strips), make([][]float64, c.Strips)
	for strip := range links {
		links[strip] = make(chan []float64, min(c.Phases, 64))
		strips[strip] = trial.Own[float64](c.GridRows() * c.Width(strip))
	}
	var wg sync.WaitGroup
	for strip := 1; strip < c.Strips; strip++ {
		wg.Go(func() { c.inner(strip, strips[strip], links[strip], links[(strip+1)%c.Strips]) })
	}
	elapsed, err := c.head(ctx, strips[0], links[0], links[1%c.Strips])
	wg.Wait()
	if err != nil {
		return Result{}, err
	}
	return c.finish(elapsed, strips)
}

// head is strip 0. It ends the other strips by closing its link to the right.
func (c Config) head(ctx context.Context, points []float64, left, right chan []float64) (elapsed int64, err error) {
	initStrip(points, c.Width(0), 0)
	pool := make([][]float64, c.Phases)
	for k := range pool {
		pool[k] = trial.Own[float64](c.RowsPerBlock + 1)
	}
	if c.Strips > 1 {
		defer close(right)
	}
	return c.repeat(ctx, points, func() float64 {
		for w, edge := range pool {
			sweepFirst(points, c.Width(0), w*c.RowsPerBlock, edge)
			if c.Strips > 1 || w == c.Phases-1 {
				right <- edge
			}
		}
		return (<-left)[c.RowsPerBlock]
	})
}

// inner is a strip other than strip 0. The last one sends only in the last phase.
func (c Config) inner(strip int, points []float64, left <-chan []float64, right chan<- []float64) {
	width, last := c.Width(strip), strip == c.Strips-1
	initStrip(points, width, c.FirstColumn(strip))
	if !last {
		defer close(right)
	}
	w := 0
	for edge := range left {
		sweepInner(points, width, w*c.RowsPerBlock, edge)
		if !last || w == c.Phases-1 {
			right <- edge
		}
		w = (w + 1) % c.Phases
	}
}
