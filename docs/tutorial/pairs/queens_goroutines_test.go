package pairs_test

import (
	"context"
	"sync"
	"sync/atomic"
)

func queensGoroutines(ctx context.Context) (int, error) {
	var ways atomic.Int64
	var all sync.WaitGroup
	var place func(b board)
	place = func(b board) {
		if ctx.Err() != nil {
			return
		}
		if b.Row == 3 {
			ways.Add(int64(b.count()))
			return
		}
		for free := b.free(); free != 0; free &= free - 1 {
			all.Go(func() { place(b.with(free & -free)) })
		}
	}
	place(board{})
	all.Wait()
	return int(ways.Load()), ctx.Err()
}
