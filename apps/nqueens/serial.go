package nqueens

import (
	"context"

	"ocr/apps/trial"
)

// Forms returns the forms beside the EDTs.
func (a *App) Forms() []trial.Form {
	return []trial.Form{{Name: trial.Serial, Run: a.serial}, {Name: trial.Naive, Run: a.naive}, {Name: trial.Pooled, Run: a.pooled}}
}

// serial searches by recursion.
func (a *App) serial(ctx context.Context, _ int) error {
	a.Begin()
	return a.end(ctx, walk(ctx, a.cfg.empty()))
}

// walk counts the ways of a board, and asks in its first rows whether to go on.
func walk(ctx context.Context, b board) uint64 {
	switch {
	case ctx.Err() != nil:
		return 0
	case b.Row == asked || b.Row == b.N:
		return b.ways()
	}
	n := uint64(0)
	for free := b.free(); free != 0; free &= free - 1 {
		n += walk(ctx, b.with(free&-free))
	}
	return n
}

// asked is how many rows that are.
const asked = 3

// end ends a run, which has no result if it was interrupted.
func (a *App) end(ctx context.Context, ways uint64) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	a.ways = ways
	a.End()
	return nil
}
