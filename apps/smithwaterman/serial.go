package smithwaterman

import (
	"context"
	"slices"

	"ocr/apps/trial"
)

// serial computes tile after tile, row by row.
func (a *App) serial(ctx context.Context, _ int) error {
	t := a.newTable()
	var found outcome
	for row := range t.strips {
		if err := ctx.Err(); err != nil {
			return err
		}
		t.sweepRow(row, 0, len(t.strips), &found)
	}
	a.finish(found)
	return nil
}

// A table is what a form without EDTs works on.
//
// Concurrency: whoever computes a tile owns its strip and its columns meanwhile.
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

// finish stops the clock, and keeps the result.
func (a *App) finish(found outcome) {
	a.got = found
	a.End()
}
