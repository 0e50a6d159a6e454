package runtime

import (
	"sync/atomic"

	"ocr/edt"
)

// A worker runs EDTs on one thread. It is the [edt.Host] of its context.
type worker struct {
	pool *pool
	ctx  *edt.Ctx
	id   int

	victims []*worker // nearest first
	tick    uint32
	robbed  int64 // when it last stole, in sys.Nanotime

	bound       bound  // only this worker may run these
	boundRanked ranked // and these, which have a priority
	n           hostCounts
	_           [64]byte
	ranked      ranked
	_           [64]byte
	deque       deque
	_           [64]byte
	inbox       inbox
	asleep      atomic.Uint32 // futex word: 1 while the worker sleeps, see idle.go
	_           [60]byte
}

// hostCounts count what a worker did besides running EDTs.
type hostCounts struct{ steals, parks, received uint64 }

// chainLimit bounds how many EDTs run in a row by being the next of the one
// before, and fairness how often a worker looks at its oldest EDT first: programs
// that make themselves ready again and again must not starve the rest.
const (
	chainLimit = 64
	fairness   = 61
)

// Ready implements [edt.Host].
func (w *worker) Ready(k edt.Task) {
	if !k.Placed() {
		w.deque.push(k)
		w.pool.notify()
		return
	}
	if to := k.Place().Worker(); to >= 0 && to != w.id {
		target := w.pool.workers[to]
		target.inbox.send(k)
		target.wake()
		return
	}
	w.keep(k)
}

// keep files an EDT that was placed on this worker.
func (w *worker) keep(k edt.Task) {
	ranked := k.Priority() != 0
	switch {
	case k.Place().Strict() && ranked:
		w.boundRanked.push(k)
	case k.Place().Strict():
		w.bound.push(k)
	case ranked:
		w.ranked.push(k)
		w.pool.notify()
	default:
		w.deque.push(k)
		w.pool.notify()
	}
}

// Stop implements [edt.Host].
func (w *worker) Stop() { w.pool.stop() }

// run is the life of a worker.
func (w *worker) run() {
	for !w.pool.stopped.Load() {
		k := w.next()
		if k == 0 {
			if k = w.search(); k == 0 {
				return
			}
		}
		w.execute(k)
	}
}

// execute runs an EDT and those that follow from it as the next.
func (w *worker) execute(k edt.Task) {
	for range chainLimit {
		k = w.ctx.Execute(k)
		if k == 0 || w.pool.stopped.Load() {
			return
		}
	}
	w.deque.push(k)
}

// next takes an EDT of the worker's own, 0 where it has none.
func (w *worker) next() edt.Task {
	w.receive()
	w.tick++
	if w.tick%fairness == 0 {
		if k := w.oldest(); k != 0 {
			return k
		}
	}
	if k := w.preferred(1); k != 0 {
		return k
	}
	if k := w.bound.pop(); k != 0 {
		return k
	}
	if k := w.deque.pop(); k != 0 {
		return k
	}
	return w.preferred(lowestPriority)
}

// preferred takes an EDT with a priority of at least min.
func (w *worker) preferred(min int8) edt.Task {
	if k := w.ranked.pop(min); k != 0 {
		return k
	}
	return w.boundRanked.pop(min)
}

// receive files what other workers have placed here.
func (w *worker) receive() {
	for k := w.inbox.receive(); k != 0; k = w.inbox.receive() {
		w.n.received++
		w.keep(k)
	}
}

// oldest takes the EDT that has been ready longest, from each list in turn.
func (w *worker) oldest() edt.Task {
	if w.tick/fairness&1 == 0 {
		if k := w.bound.oldest(); k != 0 {
			return k
		}
	}
	return w.deque.steal()
}
