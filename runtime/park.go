package runtime

import "ocr/internal/core/word"

// How an idle worker parks, and how others wake it. README.md proves that no wake-up is lost, and that the run ends
// exactly when no EDT is left; its step numbers are those in the comments here, in pool.go, search.go and ranks.go.

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
	if count == len(p.workers) && p.quiescent() && p.graph.Passive() {
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
