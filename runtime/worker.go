package runtime

import (
	"sync/atomic"

	"ocr/edt"
)

// A worker runs EDTs on one thread. It is the [edt.Host] of its core.
type worker struct {
	pool *pool
	core *edt.Worker // the graph's side of it
	id   int
	self uint32 // what Where says of EDTs that are bound to this worker and have no priority
	cpu  *cpu

	victims          []victim // nearest first
	looks            int32    // how many more looks for an EDT go to the newest first
	turn             uint32   // which list the next look at the oldest begins with
	lastStealAttempt int64    // when it last looked at its victims, in sys.Nanotime

	bound       bound  // only this worker may run these
	boundRanked ranked // and these, which have a priority
	n           hostCounts
	turns       turns
	_           [64]byte
	ranked      ranked
	_           [64]byte
	nextTask    nextTask // in a line with deque.bottom: thieves look at both
	deque       deque
	_           [64]byte
	inbox       inbox
	parked      atomic.Uint32 // futex word: 1 while the worker is parked, see park.go
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
func (w *worker) Ready(k edt.Ready) {
	if !k.Placed() {
		w.runNext(k)
		return
	}
	if k.Where() == w.self { // the way of most that are placed
		w.bound.push(k)
		return
	}
	if k.InTurn() {
		w.readyInTurn(k)
		return
	}
	if to := k.Place().Worker(); to >= 0 && to != w.id {
		target := w.pool.workers[to]
		target.inbox.send(k)
		target.wake()
		return
	}
	w.enqueueLocal(k)
}

// runNext makes the newest ready EDT the next to run, while what made it ready is in
// the cache; the one that was next goes to the deque. It does so only while all
// workers are busy: a thief gets at an EDT in the deque sooner and cheaper.
//
// The slot is filled before the worker looks whether all are busy: a worker that parks
// counts as parked before it looks at this slot.
func (w *worker) runNext(k edt.Ready) {
	if w.nextTask.filled() {
		if old, sure := w.nextTask.empty(); sure || w.nextTask.mine() {
			w.deque.push(old)
		}
	}
	w.nextTask.put(k)
	yield()
	if !w.pool.busy() {
		w.shareNext()
	}
}

// shareNext moves the EDT in the next-task slot to the deque, and says that there is
// something to steal.
func (w *worker) shareNext() {
	if k := w.nextTask.take(); k != 0 {
		w.deque.push(k)
	}
	w.pool.notify()
}

// enqueueLocal files an EDT that was placed on this worker.
func (w *worker) enqueueLocal(k edt.Ready) {
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
func (w *worker) execute(k edt.Ready) {
	for range chainLimit {
		k = w.core.Execute(k)
		if k == 0 || w.pool.stopped.Load() {
			return
		}
		if k.Placed() && w.inbox.waiting() {
			break
		}
	}
	w.enqueueLocal(k)
}

// next takes an EDT of the worker's own, 0 if it has none.
func (w *worker) next() edt.Ready {
	if w.inbox.waiting() {
		w.receive()
	}
	ranked := w.ranked.count.Load()+w.boundRanked.count.Load() != 0
	if w.looks--; w.looks < 0 || ranked {
		if k := w.special(); k != 0 {
			return k
		}
	}
	if w.nextTask.filled() {
		if k, sure := w.nextTask.empty(); sure || w.nextTask.mine() {
			return k
		}
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
func (w *worker) special() edt.Ready {
	if w.looks < 0 {
		w.looks = fairness - 1
		if k := w.oldest(); k != 0 {
			return k
		}
	}
	return w.preferred(1)
}

// preferred takes the EDT with the highest priority, if that is not below least.
func (w *worker) preferred(least int8) edt.Ready {
	first, second := &w.ranked, &w.boundRanked
	a, _ := first.top()
	b, ok := second.top()
	if ok && (first.count.Load() == 0 || b > a || b == a && w.looks&1 == 0) {
		first, second = second, first
	}
	if k := first.pop(least); k != 0 {
		return k
	}
	return second.pop(least)
}

// receiveBatch is how many messages a worker takes at most before it runs an EDT:
// others may send as fast as it receives.
const receiveBatch = 64

// receive files what other workers have placed here.
func (w *worker) receive() {
	for k := w.inbox.receive(); k != 0; k = w.inbox.receive() {
		w.n.received++
		w.enqueueLocal(k)
		if w.n.received%receiveBatch == 0 {
			return
		}
	}
}

// oldest takes an EDT from each list in turn: what has been ready longest, of those
// with a priority any.
func (w *worker) oldest() edt.Ready {
	w.turn++
	turn := w.turn
	for n := range uint32(5) {
		var k edt.Ready
		switch (turn + n) % 5 {
		case 0:
			k = w.deque.steal()
		case 1:
			k = w.bound.oldest()
		case 2:
			k = w.nextTask.take()
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
