package nqueens

import (
	"context"
	"sync"
	"sync/atomic"

	"ocr/apps/trial"
)

// naive has a goroutine for each board that is an EDT in the task graph.
func (a *App) naive(ctx context.Context, _ int) error {
	var all sync.WaitGroup
	var ways atomic.Uint64
	var place func(b board)
	place = func(b board) {
		switch {
		case ctx.Err() != nil:
		case b.Left == 0:
			ways.Add(b.ways())
		default:
			for free := b.free(); free != 0; free &= free - 1 {
				next := b.with(free & -free)
				all.Go(func() { place(next) })
			}
		}
	}
	a.Begin()
	all.Go(func() { place(a.cfg.empty()) })
	all.Wait()
	return a.end(ctx, ways.Load())
}

// pooled has a goroutine a worker. The boards at the cut-off are listed first, which takes no time beside
// the rest; each worker takes the next one, and counts in a variable of its own.
func (a *App) pooled(ctx context.Context, workers int) error {
	var boards []board
	var next atomic.Int64
	var ways atomic.Uint64
	begin := func() {
		a.Begin()
		boards = a.cfg.boards()
	}
	trial.Gang(workers, begin, func(int) {
		own := uint64(0)
		for ctx.Err() == nil {
			t := int(next.Add(1)) - 1
			if t >= len(boards) {
				break
			}
			own += boards[t].ways()
		}
		ways.Add(own)
	})
	return a.end(ctx, ways.Load())
}

// boards lists the boards at the cut-off.
func (c Config) boards() []board {
	boards := []board{c.empty()}
	for range c.Cutoff {
		var next []board
		for _, b := range boards {
			for free := b.free(); free != 0; free &= free - 1 {
				next = append(next, b.with(free&-free))
			}
		}
		boards = next
	}
	return boards
}
