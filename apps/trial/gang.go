package trial

import (
	goruntime "runtime"
	"sync"
	"sync/atomic"
)

// Gang calls work in this number of goroutines, and waits for them. It starts the goroutines, then calls begin, and
// then lets them call work, as the workers of a runtime do.
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
