package trial

import (
	"cmp"
	"errors"
	goruntime "runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Gang calls work in this number of goroutines, and waits for them. It starts the goroutines, then calls begin, and
// then lets them call work, as the workers of a runtime do.
func Gang(workers int, begin func(), work func(worker int)) {
	_ = Pinned(slices.Repeat([]int{-1}, workers), begin, work)
}

// Pinned is [Gang] with a goroutine for each of these processors, pinned to it if the system can do so; -1: not pinned.
// The error is the first of [Pin]. Go needs a processor more than these: a pinned goroutine keeps its own while it
// waits for begin.
func Pinned(cpus []int, begin func(), work func(worker int)) error {
	var ready atomic.Int64
	var begun atomic.Bool
	var wg sync.WaitGroup
	errs := make([]error, len(cpus))
	for w, cpu := range cpus {
		wg.Go(func() {
			pause := goruntime.Gosched
			if cpu >= 0 {
				undo, err := Pin(cpu)
				switch {
				case err == nil:
					defer undo()
					pause = Yield
				case !errors.Is(err, errors.ErrUnsupported):
					errs[w] = err
				}
			}
			for ready.Add(1); !begun.Load(); {
				pause()
			}
			work(w)
		})
	}
	for ready.Load() < int64(len(cpus)) {
		goruntime.Gosched()
	}
	begin()
	begun.Store(true)
	wg.Wait()
	return cmp.Or(errs...)
}
