package runtime

import (
	"time"

	"ocr/edt"
	"ocr/internal/core/sys"
	link "ocr/internal/rank"
)

// serves reports whether this rank is not rank 0: main does not run here.
func (s *settings) serves() bool { return s.ranks != nil && s.ranks.Engine.Rank() != 0 }

// Which worker polls for messages of other ranks:
//
//	state        polls
//	spinning     on each turn of the search
//	busy         between two EDTs: in a run over ranks the hint of mail stays set in each inbox
//	all parked   one of them, the listener, sleeps in the engine instead of on its own futex
//
// So a message to a rank with an awake worker costs the sender no system call.

// poll handles mail from outside the pool, messages of other ranks, and EDTs that the poller has made ready.
func (w *worker) poll() {
	for k := w.pool.delivered.pop(lowestPriority); k != 0; k = w.pool.delivered.pop(lowestPriority) {
		w.enqueueLocal(k)
	}
	if w.pool.ranks == nil {
		w.inbox.takeHint()
	} else if w.pollsTooOften() || !w.pool.graph.Mail() {
		return
	}
	w.core.Receive()
}

// pollsTooOften reports whether a busy worker has polled the engine less than lookGap ago: in some engines a poll takes
// as long as a small EDT. A worker that searches polls in each round of its search (see spin).
func (w *worker) pollsTooOften() bool {
	gap := w.pool.lookGap
	if gap == 0 {
		return false
	}
	now := sys.Nanotime()
	if now-w.polledAt < gap {
		return true
	}
	w.polledAt = now
	return false
}

// onlyMessages reports whether the inbox has nothing but the hint of mail, and no EDT has a priority. If so, it polls,
// and the worker may continue with the next EDT of its chain. In a run of one rank it returns false.
func (w *worker) onlyMessages() bool {
	if w.pool.ranks == nil || w.anyPrio != 0 || w.inbox.signs() != mailBit {
		return false
	}
	w.poll()
	return true
}

// How long the listener sleeps at most: for holdTime if this rank has deferred messages. They wait until another rank
// has handled earlier messages, which does not always wake the listener.
const (
	listenTime = time.Second
	holdTime   = shortGap
	patience   = 10 * time.Millisecond // if rank 0 has put off its check for the end of the run
)

// sleepForMessages makes this worker the listener if all workers are parked and there is no listener. The listener
// sleeps until a message arrives or another worker wakes it; it may return early. The result is false if this worker
// did not become the listener.
//
// No wake-up is lost: either the waking worker sees that this worker is the listener (8), or the listener sees that it
// was woken (7). If there is another listener, this worker may sleep on its own futex: the other one sleeps here, or
// calls this function again.
func (w *worker) sleepForMessages() bool {
	p := w.pool
	if p.parkedNow() < len(p.workers) || !p.listener.CompareAndSwap(nil, w) {
		return false
	}
	defer p.listener.Store(nil)
	if w.parked.Load() == parkedInRun { // (7)
		limit := listenTime
		switch {
		case p.graph.Mail():
			limit = holdTime
		case p.ranks.Postponed():
			limit = patience
		}
		p.ranks.Engine.Sleep(limit)
	}
	switch {
	case p.graph.Mail():
		w.parked.CompareAndSwap(parkedInRun, 0)
	case p.ranks.Postponed() && p.graph.Passive(p.quiescent):
		p.stop()
	}
	return true
}

// leave takes the graph out of a run over ranks, after all workers have left the run.
func (r *run) leave() {
	for !r.graph.Leave() {
		r.ranks.Engine.Sleep(longGap)
	}
	if r.job != nil {
		r.job.inRun.Store(false)
	}
}

// Window gives each rank a window of this many bytes for [edt.Ctx.Window]: EDTs of other ranks put bytes into it and
// get bytes from it while they run. It does not count for [Memory].
func Window(bytes int) Option { return func(s *settings) { s.window = bytes } }

// openWindow opens the window of a run. All ranks call it at the same time. The window is nil if bytes is 0.
func openWindow(e link.Engine, bytes int) (edt.Window, error) {
	if bytes == 0 {
		return nil, nil
	}
	return e.(link.Windowed).OpenWindow(bytes)
}
