package smithwaterman

import (
	"context"
	goruntime "runtime"
	"sync"
	"sync/atomic"
)

// naive starts a goroutine for each tile, as soon as the tiles above it and to its left are computed.
func (a *App) naive(ctx context.Context, _ int) error {
	t := a.newTable()
	n := len(t.strips)
	var (
		all     sync.WaitGroup
		missing = make([]atomic.Int32, n*n) // how many of the two are not computed
		found   = make([]outcome, n*n)
		start   func(row, column int)
	)
	arrive := func(row, column int) {
		if row < n && column < n && missing[row*n+column].Add(-1) == 0 {
			start(row, column)
		}
	}
	start = func(row, column int) {
		all.Go(func() {
			if ctx.Err() == nil {
				t.sweepTile(row, column, &found[row*n+column])
				arrive(row, column+1)
				arrive(row+1, column)
			}
		})
	}
	for k := range missing {
		missing[k].Store(2)
	}
	for k := range n {
		missing[k].Store(1)
		missing[k*n].Store(1)
	}
	start(0, 0)
	all.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	a.finish(total(found))
	return nil
}

func total(found []outcome) (all outcome) {
	for _, o := range found {
		all.add(o)
	}
	return all
}

// pooled gives each of its goroutines an equal run of neighbouring columns, which it computes row by row.
// It waits for the goroutine before it to be further.
func (a *App) pooled(ctx context.Context, workers int) error {
	t := a.newTable()
	n := len(t.strips)
	workers = min(workers, n)
	found := make([]outcome, workers)
	done := make([]progress, workers)
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			var own outcome
			for row := range n {
				if ctx.Err() != nil {
					done[w].rows.Store(int64(n)) // those behind it are not to wait
					return
				}
				if w > 0 {
					done[w-1].waitFor(row)
				}
				t.sweepRow(row, w*n/workers, (w+1)*n/workers, &own)
				done[w].rows.Store(int64(row + 1))
			}
			found[w] = own
		})
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	a.finish(total(found))
	return nil
}

// progress is how many rows of its columns a goroutine has computed, which it writes and the next one reads.
type progress struct {
	rows atomic.Int64
	_    [56]byte
}

// waitFor waits until a row is computed. It lets other goroutines run only if that takes long.
func (p *progress) waitFor(row int) {
	for spins := 0; p.rows.Load() <= int64(row); spins++ {
		if spins > 100 {
			goruntime.Gosched()
		}
	}
}
