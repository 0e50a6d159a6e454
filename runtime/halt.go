package runtime

import (
	"time"

	"ocr/internal/core/sys"
)

// How the graph of a run is read while the run is on: its workers are halted. docs/scheduler.md ("Halts") has the
// argument; the letters there are those in the comments here.

// haltWait is how long a halt waits for workers to come to the gap between two EDTs, and haltLook the time between two
// looks at them.
const (
	haltWait = 100 * time.Millisecond
	haltLook = 100 * time.Microsecond
)

// halt stops each worker that comes to the gap between two EDTs, or is parked, until resume is called. It returns
// those that have not come.
func (p *pool) halt() (busy []*worker) {
	p.halted.Store(1) // (A)
	for _, w := range p.workers {
		w.inbox.overflow.count.Or(haltBit)
	}
	busy = append(busy, p.workers...)
	for limit := time.Now().Add(haltWait); ; time.Sleep(haltLook) {
		still := busy[:0]
		for _, w := range busy {
			if w.inRun.Load() && w.parked.Load() == 0 { // (B)
				still = append(still, w)
			}
		}
		if busy = still; len(busy) == 0 || time.Now().After(limit) {
			return busy
		}
	}
}

// resume ends a halt.
func (p *pool) resume() {
	for _, w := range p.workers {
		w.inbox.overflow.count.And(^haltBit)
	}
	p.halted.Store(0)
	sys.FutexWake(futexWord(&p.halted), len(p.workers))
}

// gap holds the worker between two EDTs while the pool is halted.
func (w *worker) gap() {
	for w.pool.halted.Load() != 0 { // (C)
		w.inRun.Store(false)
		sys.FutexWait(futexWord(&w.pool.halted), 1, 0)
		w.inRun.Store(true)
	}
}
