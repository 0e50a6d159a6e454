package runtime

import (
	"slices"
	"time"

	"ocr/internal/core/word"
)

// How the graph of a run is read while the run is on: its workers are halted. README.md ("Halts") has the argument; the
// letters in these comments are its letters.

// A halt waits haltWait for workers to come to the gap between two EDTs. It looks at them every haltLook.
const (
	haltWait = 100 * time.Millisecond
	haltLook = 100 * time.Microsecond
)

// halt makes each worker stop when it comes to the gap between two EDTs, or wakes, until resume is called. It returns
// the workers in the run that were neither in the gap nor parked within haltWait.
func (p *pool) halt() (busy []*worker) {
	p.sayHalted()
	busy = slices.Clone(p.workers)
	for limit := time.Now().Add(haltWait); ; time.Sleep(haltLook) {
		if busy = stillBusy(busy); len(busy) == 0 || time.Now().After(limit) {
			return busy
		}
	}
}

// sayHalted makes workers stop when they come to the gap.
func (p *pool) sayHalted() {
	p.halted.Store(1) // (A)
	for _, w := range p.workers {
		w.inbox.overflow.count.Or(haltBit)
	}
}

// stillBusy returns the workers that are in the run, not in the gap, and not parked.
func stillBusy(workers []*worker) []*worker {
	return slices.DeleteFunc(workers, func(w *worker) bool {
		return !w.inRun.Load() || w.parked.Load() != 0 // (B)
	})
}

// resume ends a halt.
func (p *pool) resume() {
	for _, w := range p.workers {
		w.inbox.overflow.count.And(^haltBit)
	}
	p.halted.Store(0)
	word.Wake(&p.halted, len(p.workers))
}

// gap is the gap between two EDTs: the worker waits in it while the pool is halted.
func (w *worker) gap() {
	for w.pool.halted.Load() != 0 { // (C)
		w.inRun.Store(false)
		word.Wait(&w.pool.halted, 1, 0)
		w.inRun.Store(true)
	}
}
