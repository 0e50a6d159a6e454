package runtime

import (
	"ocr/edt"
	"ocr/internal/core/sys"
	"ocr/internal/core/word"
)

// How an idle worker searches and parks, and how others wake it. README.md proves that no wake-up is lost, and that the
// run ends exactly when no EDT is left; its step numbers are those in the comments here, in pool.go and ranks.go.

// search returns an EDT, or 0 when the run is over. Until then the worker searches, and parks if it finds none. woken
// says that a push may have woken the worker.
func (w *worker) search(woken bool) edt.Ready {
	if obs := w.core.Observer(); obs != nil {
		obs.WorkerIdle()
		defer obs.WorkerBusy()
	}
	for ; ; woken = true {
		w.core.Idle() // returns tokens of finish scopes, which may make EDTs ready
		if k := w.spin(woken); k != 0 || w.pool.stopped.Load() {
			return k
		}
		w.park()
	}
}

// spinGrace is how long an idle worker searches before it counts as spinning. All workers write the count, and read it
// on every push. So counting at once would move the count's cache line with each EDT between two workers that hand EDTs
// to each other. A woken worker counts at once: the push that woke it relies on it, even if it finds an EDT in its own
// inbox first.
const spinGrace = 1000 // ns

// spin searches for a bounded time: it polls for mail, takes from the worker's own lists, and steals from others.
func (w *worker) spin(woken bool) edt.Ready {
	p := w.pool
	counted := woken
	if counted {
		p.spinning.Add(1)
	}
	start := sys.Nanotime()
	if w.stoleAt != 0 {
		w.endLoot(start)
	}
	for now := start; ; now = sys.Nanotime() {
		if p.ranks == nil && p.graph.Mail() {
			w.core.Receive()
		}
		w.polledAt = 0 // so that method next polls the engine, over ranks
		k := w.next()
		if k == 0 && now-w.lastStealAttempt >= p.stealGap {
			k = w.steal(now)
		}
		if k != 0 || now-start >= w.spinLimit() || p.stopped.Load() {
			if counted {
				w.endSpin(k != 0) // (2) before the worker counts as parked
			}
			return k
		}
		if !counted && now-start >= spinGrace {
			counted = true
			p.spinning.Add(1)
		}
		word.Pause(1)
	}
}

// endSpin ends the time in which pushes rely on this worker. Several pushes may have relied on it alone: so if it was
// the last to spin and has found an EDT, and there are more to steal, it wakes a parked worker.
func (w *worker) endSpin(found bool) {
	p := w.pool
	if p.spinning.Add(-1) == 0 && found && p.parkedNow() > 0 && p.anyStealable() {
		p.wakeOne()
	}
}

// spinLimit returns for how long the worker searches: not at all if it is the only worker of the only rank, as mail
// wakes it.
func (w *worker) spinLimit() int64 {
	if len(w.pool.workers) == 1 && w.pool.ranks == nil {
		return 0
	}
	if w.cpu.oversubscribed() {
		return w.pool.spinFull
	}
	return w.pool.spinTime
}

// park blocks the worker until another worker or goroutine wakes it, or the run is over.
func (w *worker) park() {
	p := w.pool
	w.inbox.settle()
	w.parked.Store(parkedInRun) // (3)
	count := w.countParked()    // (4)
	defer w.unpark()
	if count < len(p.workers) && p.nextSlots {
		word.Barrier() // Subtle: so (5) sees an EDT that was put into a next-EDT slot by a worker that did not see (4)
	}
	if p.stopped.Load() || !w.inbox.empty() || p.anyStealable() { // (5)
		return
	}
	if count == len(p.workers) && p.graph.Passive(p.quiescent) {
		p.stop()
	}
	if w.parked.Load() == parkedInRun {
		w.n.Parks++
		w.block()
	}
}

// unpark ends the parking, even if the observer has panicked.
func (w *worker) unpark() {
	if w.parked.Load() != 0 {
		w.parked.Store(0)
	}
	w.countAwake()
	w.gap()
}

// block blocks the thread until the worker is woken.
func (w *worker) block() {
	obs := w.core.Observer()
	if obs != nil {
		obs.WorkerParked()
	}
	for w.parked.Load() == parkedInRun { // (6)
		if w.pool.ranks == nil || !w.sleepForMessages() {
			word.Wait(&w.parked, parkedInRun, 0)
		}
	}
	if obs != nil {
		obs.WorkerWoke()
	}
}

// wake wakes this worker if it is parked, and reports whether it was. The caller has made the EDT or the mail visible
// before.
func (w *worker) wake() bool {
	if state := w.parked.Load(); state != 0 {
		return w.wakeFrom(state)
	}
	return false
}

// wakeFrom wakes this worker if it is parked in this state, and reports whether it was.
func (w *worker) wakeFrom(state uint32) bool {
	if !w.parked.CompareAndSwap(state, 0) {
		return false
	}
	word.Wake(&w.parked, 1)
	if w.pool.listener.Load() == w { // (8)
		w.pool.ranks.Engine.Wake()
	}
	return true
}
