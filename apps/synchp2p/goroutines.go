package synchp2p

import (
	"context"
	"sync"
	"time"

	"ocr/apps/trial"
)

// Goroutines solves the problem with P goroutines that pass buffers through
// channels round the ring: the same strips, messages and pool as the EDT form,
// with the Go scheduler in place of the task runtime. ctx is looked at between
// timesteps.
func Goroutines(ctx context.Context, c Config) (Result, error) {
	if err := c.Validate(0); err != nil {
		return Result{}, err
	}
	r := newRing(c)
	var wg sync.WaitGroup
	for rank := 1; rank < c.Ranks; rank++ {
		wg.Go(func() { r.inner(rank) })
	}
	elapsed, err := r.head(ctx)
	wg.Wait()
	if err != nil {
		return Result{}, err
	}
	return c.finish(elapsed, r.corners, r.grid)
}

// A ring is what the goroutines of one run share. links[n] leads to rank n.
//
// Concurrency: a buffer belongs to the rank that received it last. Each rank
// writes its own columns of grid, and rank 0 alone the corners.
type ring struct {
	cfg     Config
	links   []chan []float64
	corners cornerLog
	grid    []float64
}

func newRing(c Config) *ring {
	r := &ring{cfg: c, corners: newCornerLog(c), grid: c.newGrid()}
	r.links = make([]chan []float64, c.Ranks)
	for k := range r.links {
		r.links[k] = make(chan []float64, min(c.Phases, 64))
	}
	return r
}

// head is rank 0. It ends the others by closing its link to the right.
func (r *ring) head(ctx context.Context) (time.Duration, error) {
	c := r.cfg
	width := c.Width(0)
	strip := make([]float64, width*c.GridRows())
	initStrip(strip, width, 0)
	pool := make([][]float64, c.Phases)
	for k := range pool {
		pool[k] = make([]float64, c.RowsPerBlock+1)
	}
	right := r.links[1%c.Ranks]
	if c.Ranks > 1 {
		defer close(right)
	}
	_, firstTimed := c.clock()
	var start int64
	for t := range c.Timesteps {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if t == 1 || firstTimed {
			start = trial.Now()
		}
		if t > 0 {
			strip[0] = -r.corners.last
		}
		for w, edge := range pool {
			sweepFirst(strip, width, w*c.RowsPerBlock, edge)
			if c.Ranks > 1 || w == c.Phases-1 {
				right <- edge
			}
		}
		edge := <-r.links[0]
		r.corners.note(edge[c.RowsPerBlock])
	}
	elapsed := time.Duration(trial.Now() - start)
	if r.grid != nil {
		c.gather(r.grid, strip, 0)
	}
	return elapsed, nil
}

// inner is any other rank. The last one sends only in the last phase.
func (r *ring) inner(rank int) {
	c := r.cfg
	width := c.Width(rank)
	strip := make([]float64, width*c.GridRows())
	initStrip(strip, width, c.FirstColumn(rank))
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
	if r.grid != nil {
		c.gather(r.grid, strip, rank)
	}
}
