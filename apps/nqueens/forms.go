package nqueens

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"ocr/apps/trial"
)

// Forms returns the forms without EDTs.
func (a *App) Forms() []trial.Form { return trial.Forms(a.serial, a.naive, a.pooled) }

// serial searches by recursion.
func (a *App) serial(ctx context.Context, _ int) error {
	a.Begin()
	a.ways = walk(ctx, a.cfg.empty())
	return a.EndUnless(ctx)
}

// askedRows is how many rows [walk] looks at ctx in.
const askedRows = 3

// walk counts the ways of a board. It returns early if ctx is done.
func walk(ctx context.Context, b board) (n uint64) {
	switch {
	case ctx.Err() != nil:
		return 0
	case b.Row == askedRows || b.Row == b.N:
		return b.ways()
	}
	for next := range b.next() {
		n += walk(ctx, next)
	}
	return n
}

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
			for next := range b.next() {
				all.Go(func() { place(next) })
			}
		}
	}
	a.Begin()
	all.Go(func() { place(a.cfg.empty()) })
	all.Wait()
	a.ways = ways.Load()
	return a.EndUnless(ctx)
}

// pooled has a goroutine a worker. The boards at the cut-off are listed first, which takes no time beside the rest;
// each worker takes the next one, and counts in a variable of its own.
func (a *App) pooled(ctx context.Context, workers int) error {
	var boards []board
	begin := func() int {
		a.Begin()
		boards = a.cfg.boards()
		return len(boards)
	}
	counts := trial.Own[[16]uint64](workers)
	trial.Deal(ctx, workers, begin, func(worker, k int) { counts[worker][0] += boards[k].ways() })
	a.ways = 0
	for _, n := range counts {
		a.ways += n[0]
	}
	return a.EndUnless(ctx)
}

// boards lists the boards at the cut-off.
func (c Config) boards() []board {
	boards := []board{c.empty()}
	for range c.Cutoff {
		var next []board
		for _, b := range boards {
			next = slices.AppendSeq(next, b.next())
		}
		boards = next
	}
	return boards
}
