package trial

import (
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
