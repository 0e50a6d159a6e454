package runtime

import (
	"sync/atomic"

	"ocr/edt"
)

// A worker runs EDTs on one thread. It is the [edt.Host] of its core.
type worker struct {
	pool *pool
	core *edt.Worker // the graph's side of it, nil before it takes part in the run
	idle *edt.Worker // for the next run; made while none is on, as it takes time to clear
	id   int
	self uint32 // what Where says of EDTs that are bound to this worker and have no priority
	cpu  *cpu

	victims          []victim // nearest first
	left             int32    // EDTs left of the round
	looks            int32    // below 0: the next look for an EDT goes to the oldest
	ranks            uint64   // not 0: there may be EDTs with a priority in the two lists for them
	turn             uint32   // which list the next look at the oldest begins with
	sentTo           int32    // the worker in whose inbox it last saw a message, as it spun
	lastStealAttempt int64    // when it last looked at its victims, in sys.Nanotime
	stoleAt          int64    // when it took what it has run since, 0 if that was not stolen

	bound       bound  // only this worker may run these
	boundRanked ranked // and these, which have a priority
	n           hostCounts
	turns       turns
	lookedAt    int64 // for messages of other ranks, see looksTooOften
	_           [48]byte
	ranked      ranked
	_           [96]byte
	nextTask    nextTask // in a line with deque.bottom: thieves look at both
	deque       deque
	_           [88]byte
	inbox       inbox
	parked      atomic.Uint32 // futex word: not 0 while the worker is parked, see park.go and rest.go
	_           [52]byte
	thread      atomic.Int64 // that the worker is locked to
}

// hostCounts count what a worker did besides running EDTs.
type hostCounts struct{ steals, parks, received uint64 }

// A round is so many EDTs that a worker runs; the next of a chain waits at its end for
// others. fairness is how many rounds of chains pass until the worker looks at its oldest EDT
// first: programs that make themselves ready again and again must not starve the rest.
const (
	roundLen = 61
	fairness = 64
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
	strict := k.Place().Strict()
	switch {
	case k.Priority() != 0:
		w.enqueueRanked(k, strict)
	case strict:
		w.bound.push(k)
	default:
		w.deque.push(k)
		w.pool.notify()
	}
}

// enqueueRanked is enqueueLocal for an EDT with a priority.
func (w *worker) enqueueRanked(k edt.Ready, strict bool) {
	w.ranks = 1
	if strict {
		w.boundRanked.push(k)
		return
	}
	w.ranked.push(k)
	w.pool.notify()
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

// execute runs an EDT, and then what becomes the next to run, while the worker has to look
// at nothing else before that.
func (w *worker) execute(k edt.Ready) {
	for {
		k = w.core.Execute(k)
		if w.left == 0 || w.inbox.signs()|w.ranks != 0 && !w.onlyMessages() {
			break
		}
		w.left--
		if k != 0 {
			continue
		}
		if w.nextTask.filled() {
			var sure bool
			if k, sure = w.nextTask.empty(); sure {
				continue
			}
			if w.nextTask.mine() {
				continue
			}
		}
		if w.bound.n == 0 {
			return
		}
		k = w.bound.pop()
	}
	if w.left--; w.left < 0 {
		w.endRound(k)
	}
	if k != 0 {
		w.enqueueLocal(k)
	}
}

// endRound begins the next round. The worker then looks at its oldest EDT, unless it is
// amid a chain of EDTs, of which each makes the next; there it does that now and then.
func (w *worker) endRound(next edt.Ready) {
	w.left = roundLen
	if w.looks--; next == 0 {
		w.looks = -1
	}
}

// next takes an EDT of the worker's own, 0 if it has none.
func (w *worker) next() edt.Ready {
	if w.inbox.signs() != 0 {
		w.receive()
	}
	if w.looks < 0 || w.ranks != 0 {
		if k := w.special(); k != 0 {
			return k
		}
	}
	if k := w.nextTask.take(); k != 0 {
		return k
	}
	if k := w.bound.pop(); k != 0 {
		return k
	}
	if k := w.deque.pop(); k != 0 {
		return k
	}
	if w.ranks == 0 {
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
	w.ranks = uint64(w.ranked.count.Load() + w.boundRanked.count.Load())
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

// receive carries out mail, and files what other workers have placed here.
func (w *worker) receive() {
	if w.inbox.hinted() {
		w.look()
	}
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
