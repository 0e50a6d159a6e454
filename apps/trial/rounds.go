package trial

import (
	"context"
	goruntime "runtime"
	"sync"
	"sync/atomic"
)

// Rounds runs rounds of n jobs on this number of goroutines, each of which runs an equal share of neighbouring jobs.
// After each round one goroutine calls between; another round follows if between returns true and ctx is not done.
func Rounds(ctx context.Context, workers, n int, job func(k int), between func() (more bool)) {
	b, over := newBarrier(workers), false
	Gang(workers, func() {}, func(w int) {
		for !over {
			for k := w * n / workers; k < (w+1)*n/workers; k++ {
				job(k)
			}
			b.wait(func() { over = !between() || ctx.Err() != nil })
		}
	})
}

// A barrier is where goroutines wait for each other.
//
// Concurrency: the last goroutine to arrive adds 1 to round, which releases the others; they see what it wrote before.
// It holds mu meanwhile, so that no goroutine parks after the wake-up.
type barrier struct {
	workers        int32
	arrived, round atomic.Int32
	mu             sync.Mutex
	passed         sync.Cond // wakes goroutines when round has changed
}

func newBarrier(workers int) *barrier {
	b := &barrier{workers: int32(workers)}
	b.passed.L = &b.mu
	return b
}

// wait returns when all goroutines wait. The last one calls f. A goroutine that waits for long parks.
func (b *barrier) wait(f func()) {
	round := b.round.Load()
	if b.arrived.Add(1) == b.workers {
		f()
		b.arrived.Store(0)
		b.mu.Lock()
		b.round.Add(1)
		b.mu.Unlock()
		b.passed.Broadcast()
		return
	}
	for range 1000 {
		if b.round.Load() != round {
			return
		}
		goruntime.Gosched()
	}
	b.mu.Lock()
	for b.round.Load() == round {
		b.passed.Wait()
	}
	b.mu.Unlock()
}
