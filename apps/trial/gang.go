package trial

import (
	"context"
	goruntime "runtime"
	"sync"
	"sync/atomic"
)

// Gang calls work in as many goroutines as there are workers, and waits for them. They run already when Gang calls
// begin, and begin to work after it, as the workers of a runtime do.
func Gang(workers int, begin func(), work func(worker int)) {
	var ready atomic.Int64
	var begun atomic.Bool
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for ready.Add(1); !begun.Load(); {
				goruntime.Gosched()
			}
			work(w)
		})
	}
	for ready.Load() < int64(workers) {
		goruntime.Gosched()
	}
	begin()
	begun.Store(true)
	wg.Wait()
}

// Deal has a gang do n jobs: each worker takes the next one. It begins no job when ctx is done.
func Deal(ctx context.Context, workers int, begin func() (n int), job func(worker, k int)) {
	var n int
	var next atomic.Int64
	Gang(workers, func() { n = begin() }, func(worker int) {
		for k := int(next.Add(1)) - 1; k < n && ctx.Err() == nil; k = int(next.Add(1)) - 1 {
			job(worker, k)
		}
	})
}
