package smithwaterman

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"ocr/apps/trial"
)

// Forms returns the forms without EDTs.
func (a *App) Forms() []trial.Form { return trial.Forms(a.serial, a.naive, a.pooled) }

// A table is what a form without EDTs works on.
//
// Concurrency: the goroutine that computes a tile owns its strip and its columns meanwhile.
type table struct {
	cfg     Config
	strips  []tableStrip
	columns []border
}

type tableStrip struct {
	borders []border
	corner  int32
	_       [32]byte // strips have a cache line each
}

// newTable copies the strings and starts the clock.
func (a *App) newTable() *table {
	a.Clock = trial.Clock{}
	t := &table{cfg: a.cfg, columns: slices.Clone(a.b), strips: make([]tableStrip, a.cfg.perSide())}
	for k := range t.strips {
		from := k * a.cfg.Tile
		t.strips[k].borders = slices.Clone(a.a[from : from+a.cfg.size(k)])
	}
	a.Begin()
	return t
}

// sweepTile computes a tile.
func (t *table) sweepTile(row, column int, found *outcome) {
	s, left := &t.strips[row], column*t.cfg.Tile
	s.corner = sweep(row*t.cfg.Tile, left, s.corner, s.borders, t.columns[left:left+t.cfg.size(column)], found)
}

// sweepRow computes some tiles of a row.
func (t *table) sweepRow(row, from, to int, found *outcome) {
	for column := from; column < to; column++ {
		t.sweepTile(row, column, found)
	}
}

// finish ends a run, and keeps its result.
func (a *App) finish(ctx context.Context, found ...outcome) error {
	a.got = total(found)
	return a.EndUnless(ctx)
}

func total(found []outcome) (all outcome) {
	for _, o := range found {
		all.add(o)
	}
	return all
}

// serial computes tile after tile, row by row.
func (a *App) serial(ctx context.Context, _ int) error {
	t := a.newTable()
	var found outcome
	for row := 0; row < len(t.strips) && ctx.Err() == nil; row++ {
		t.sweepRow(row, 0, len(t.strips), &found)
	}
	return a.finish(ctx, found)
}

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
	return a.finish(ctx, found...)
}

// pooled gives each of its goroutines an equal run of neighbouring columns, which it computes row by row. It waits for
// the goroutine before it to be further.
func (a *App) pooled(ctx context.Context, workers int) error {
	t := a.newTable()
	n := len(t.strips)
	workers = min(workers, n)
	found, done := make([]outcome, workers), make([]trial.Progress, workers)
	trial.Gang(workers, func() {}, func(w int) {
		var own outcome
		for row := 0; row < n && ctx.Err() == nil; row++ {
			if w > 0 {
				done[w-1].Wait(row + 1)
			}
			t.sweepRow(row, w*n/workers, (w+1)*n/workers, &own)
			done[w].Set(row + 1)
		}
		done[w].Set(n) // also if ctx is done: the next one may stop waiting
		found[w] = own
	})
	return a.finish(ctx, found...)
}
