package runtime

import (
	"time"

	"ocr/edt"
	link "ocr/internal/rank"
	"ocr/internal/sys"
)

// onRank makes the pool one rank of several. Rank 0 runs main, the others serve: they run the EDTs that are made there, and
// their Run returns nil when the run is over.
func onRank(r *edt.Ranks) Option { return func(s *settings) { s.ranks = r } }

// serves reports whether the run is one of a rank that main does not run on.
func (s *settings) serves() bool { return s.ranks != nil && s.ranks.Engine.Rank() != 0 }

// Who looks for messages of other ranks? A worker that is idle does while it spins, a busy one between two EDTs: in a run over ranks
// the hint of mail stays in each worker's inbox. When all are parked one of them, the listener, sleeps in the engine instead of
// in its own word. So a rank that has a worker awake costs those who send to it no call of the kernel.

// look looks for mail from outside the pool, and for messages.
func (w *worker) look() {
	if w.pool.delivered.count.Load() > 0 {
		for _, k := range w.pool.delivered.take() {
			w.enqueueLocal(k)
		}
	}
	if w.pool.ranks == nil {
		w.inbox.takeHint()
	} else if w.looksTooOften() || !w.pool.graph.Mail() {
		return
	}
	w.core.Receive()
}

// looksTooOften reports whether the engine wants to be asked less often by a worker that is busy: asking takes as long as a
// small EDT does. A worker that searches asks on each turn (see spin).
func (w *worker) looksTooOften() bool {
	gap := w.pool.lookGap
	if gap == 0 {
		return false
	}
	now := sys.Nanotime()
	if now-w.lookedAt < gap {
		return true
	}
	w.lookedAt = now
	return false
}

// lookGap is the least time between two looks of a busy worker, in ns.
func lookGap(r *edt.Ranks) int64 {
	if r == nil {
		return 0
	}
	if e, ok := r.Engine.(link.Dear); ok {
		return int64(e.LookGap())
	}
	return 0
}

// onlyMessages reports whether the hint is all there is in the inbox, and nothing has a priority. It looks
// for messages then, so that the worker may go on with what is next.
func (w *worker) onlyMessages() bool {
	if w.pool.ranks == nil || w.ranks != 0 || w.inbox.signs() != mailBit {
		return false
	}
	w.look()
	return true
}

// How long the listener sleeps at most; the second if this rank holds messages back: nobody wakes it when others have handled what
// these wait for.
const (
	listenTime = time.Second
	holdTime   = shortGap
)

// sleepForMessages is what the last worker does that parks. It returns when a message has come, or another worker has
// woken this one, or for nothing. It reports false if it did not sleep: another worker listens, or is awake.
//
// A worker that another one wakes leaves: either the other one sees that it is the listener (8), or it sees here (7) that it
// was woken. If another worker finds that there is a listener already, that one is asleep here, or comes back to look again.
func (w *worker) sleepForMessages() bool {
	p := w.pool
	if p.parkedNow() < len(p.workers) || !p.listener.CompareAndSwap(nil, w) {
		return false
	}
	defer p.listener.Store(nil)
	select {
	case <-p.ranks.Engine.Lost():
		return false
	default:
	}
	if w.parked.Load() == parkedInRun { // (7)
		limit := listenTime
		if p.graph.Mail() {
			limit = holdTime
		}
		p.ranks.Engine.Sleep(limit)
	}
	if p.graph.Mail() {
		w.parked.CompareAndSwap(parkedInRun, 0)
	}
	return true
}
