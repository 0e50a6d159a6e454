package cholesky

import (
	"context"
	goruntime "runtime"
	"sync"
	"sync/atomic"
)

// naive has a goroutine for each kernel. Channels that are closed say that a tile has had its updates so
// far; as many goroutines compute at a time as there are workers.
func (a *App) naive(ctx context.Context, workers int) error {
	m := a.start()
	closed := make(chan struct{})
	close(closed)
	now := make([][]chan struct{}, len(m))
	for i := range m {
		for range i + 1 {
			now[i] = append(now[i], closed)
		}
	}
	var all sync.WaitGroup
	slots := make(chan struct{}, workers)
	// kernel makes a goroutine, which waits for the tiles that it needs, and then has tile (i, j).
	kernel := func(i, j int, f func(), needs ...chan struct{}) {
		needs = append(needs, now[i][j])
		done := make(chan struct{})
		now[i][j] = done
		all.Go(func() {
			defer close(done)
			for _, need := range needs {
				<-need
			}
			slots <- struct{}{}
			if ctx.Err() == nil {
				f()
			}
			<-slots
		})
	}
	for k := range m {
		for i := k; i < len(m); i++ {
			kernel(i, k, func() { a.finish(m, i, k) }, now[k][k])
		}
		for i := k + 1; i < len(m); i++ {
			for j := k + 1; j <= i; j++ {
				kernel(i, j, func() { a.update(m, i, j, k) }, now[i][k], now[j][k])
			}
		}
	}
	all.Wait()
	return a.ended(ctx)
}

func (a *App) ended(ctx context.Context) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	a.End()
	return nil
}

// pooled has a goroutine a worker. Each takes the next tile, column by column, and does all of its
// updates one after the other, so that the tile stays in the cache. A tile needs only tiles that were
// taken before it: whoever has such a tile gets on, so nobody waits for ever.
//
// This is PLASMA's static schedule with tiles that are dealt out as they are needed. There is no queue and no
// lock: a counter, and a flag for each tile of the factor that its worker stores and the others load.
func (a *App) pooled(ctx context.Context, workers int) error {
	m := a.start()
	n := len(m)
	order := make([][2]int, 0, n*(n+1)/2)
	for j := range n {
		for i := j; i < n; i++ {
			order = append(order, [2]int{i, j})
		}
	}
	ready := make([]atomic.Bool, n*n)
	await := func(i, j int) bool {
		for !ready[i*n+j].Load() {
			if ctx.Err() != nil {
				return false
			}
			goruntime.Gosched()
		}
		return true
	}
	var next atomic.Int64
	work := func() {
		for {
			t := int(next.Add(1)) - 1
			if t >= len(order) {
				return
			}
			i, j := order[t][0], order[t][1]
			for k := range j {
				if !await(i, k) || !await(j, k) {
					return
				}
				a.update(m, i, j, k)
			}
			if i != j && !await(j, j) || ctx.Err() != nil {
				return
			}
			a.finish(m, i, j)
			ready[i*n+j].Store(true)
		}
	}
	var all sync.WaitGroup
	for range workers - 1 {
		all.Go(work)
	}
	work()
	all.Wait()
	return a.ended(ctx)
}
