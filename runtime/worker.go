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
	seat *seat

	hot     edt.Task // the EDT to run next, out of thieves' reach
	victims []victim // nearest first
	tick    uint32
	robbed  int64 // when it last looked at its victims, in sys.Nanotime

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
		w.makeHot(k)
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

// makeHot makes the newest ready EDT the next to run, while what made it ready is
// in the cache; the one that was next goes to the deque. It does so only while all
// workers are busy: in the hot slot an EDT cannot be stolen, and the body that runs
// now may take long. So an EDT is kept from a worker with nothing to do only if
// that worker ran out of work during this very body.
func (w *worker) makeHot(k edt.Task) {
	busy := w.pool.busy()
	if w.hot != 0 {
		w.deque.push(w.hot)
		w.hot = 0
		w.pool.notify()
	}
	if busy {
		w.hot = k
		return
	}
	w.deque.push(k)
	w.pool.notify()
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
func (w *worker) Stop() { w.pool.stop(fromEDT) }

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
	if w.inbox.waiting() {
		w.receive()
	}
	ranked := w.ranked.count.Load()+w.boundRanked.count.Load() != 0
	if w.tick++; w.tick%fairness == 0 || ranked {
		if k := w.special(); k != 0 {
			return k
		}
	}
	if k := w.hot; k != 0 {
		w.hot = 0
		return k
	}
	if w.bound.n != 0 {
		return w.bound.pop()
	}
	if k := w.deque.pop(); k != 0 {
		return k
	}
	if !ranked {
		return 0
	}
	return w.preferred(lowestPriority)
}

// special takes what goes before the newest EDT: one with a priority, or, now and
// then, the one that has been ready longest.
func (w *worker) special() edt.Task {
	if w.tick%fairness == 0 {
		if k := w.oldest(); k != 0 {
			return k
		}
	}
	return w.preferred(1)
}

// preferred takes the EDT with the highest priority, if that is at least min.
func (w *worker) preferred(min int8) edt.Task {
	first, second := &w.ranked, &w.boundRanked
	a, _ := first.top()
	b, ok := second.top()
	if ok && (first.count.Load() == 0 || b > a || b == a && w.tick&1 == 0) {
		first, second = second, first
	}
	if k := first.pop(min); k != 0 {
		return k
	}
	return second.pop(min)
}

// receive files what other workers have placed here.
func (w *worker) receive() {
	for k := w.inbox.receive(); k != 0; k = w.inbox.receive() {
		w.n.received++
		w.keep(k)
	}
}

// oldest takes an EDT from each list in turn: what has been ready longest, of those
// with a priority any.
func (w *worker) oldest() edt.Task {
	turn := w.tick / fairness
	for n := range uint32(5) {
		var k edt.Task
		switch (turn + n) % 5 {
		case 0:
			k = w.deque.steal()
		case 1:
			k = w.bound.oldest()
		case 2:
			k, w.hot = w.hot, 0
		case 3:
			k = w.ranked.any(turn)
		case 4:
			k = w.boundRanked.any(turn)
		}
		if k != 0 {
			return k
		}
	}
	return 0
}
