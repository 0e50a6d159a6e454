package runtime

import (
	"sync/atomic"

	"ocr/edt"
	"ocr/internal/core/word"
)

// A worker runs EDTs on one thread. It is the [edt.Host] of its core.
type worker struct {
	pool *pool
	core *edt.Worker // the graph's side of it, nil before it takes part in the run
	idle *edt.Worker // for the next run; allocated between runs, as clearing it takes time
	id   int
	self uint32 // edt.Ready.Where of EDTs that are bound to this worker and have no priority
	cpu  *cpu

	victims          []victim // nearest first
	left             int32    // EDTs left of the round
	rounds           int32    // left until next takes the oldest EDT first; it does so below 0
	anyPrio          uint64   // not 0: the two lists of EDTs with a priority may have some
	turn             uint32   // the list from which oldest takes first
	lastStealAttempt int64    // in sys.Nanotime
	stoleAt          int64    // when it stole the EDT it runs, or that one's chain; 0 if that was not stolen

	bound     bound    // EDTs that only this worker may run
	boundPrio prioList // the same, with a priority
	n         hostCounts
	polledAt  int64 // when it last polled for messages of other ranks, see pollsTooOften
	_         [88]byte
	prio      prioList
	_         [96]byte
	nextEDT   nextEDT // in a line with deque.bottom: thieves look at both
	deque     deque
	_         [88]byte
	inbox     inbox
	parked    word.Uint32 // futex word: not 0 while the worker is parked, see park.go and between_runs.go
	_         [52]byte
	thread    atomic.Int64           // the id of the thread that the worker is locked to
	inRun     word.Bool              // it takes part in a run, and is not in a halt, see halt.go
	goroutine atomic.Pointer[string] // its name in stack traces
}

// hostCounts counts the steals, parkings and received EDTs of a worker.
type hostCounts struct{ steals, parks, received uint64 }

// A round is roundLen EDTs that a worker runs; at its end the next EDT of a chain is queued behind others. A chain is a
// sequence of EDTs of which each makes the next ready. After fairness rounds of chains the worker takes its oldest EDT
// first, so that an endless chain does not starve other EDTs.
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
	if k.Where() == w.self { // most placed EDTs
		w.bound.push(k)
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

// runNext puts the newest ready EDT into the next-EDT slot, as its predecessor's data are in the cache; the EDT that
// was there goes to the deque. It stays there only while all workers are busy: a thief gets an EDT from the deque
// sooner and at less cost.
//
// Subtle: the slot is filled before busy is read, and a worker that parks counts itself as parked before it reads this
// slot; the barrier of the parking worker takes the place of a fence here, so one of the two sees the other.
func (w *worker) runNext(k edt.Ready) {
	if w.nextEDT.filled() {
		if old, sure := w.nextEDT.empty(); sure || w.nextEDT.mine() {
			w.deque.push(old)
		}
	}
	w.nextEDT.put(k)
	if !w.pool.busy() {
		w.shareNext()
	}
}

// shareNext moves the EDT in the next-EDT slot to the deque, and notifies thieves.
func (w *worker) shareNext() {
	if k := w.nextEDT.take(); k != 0 {
		w.deque.push(k)
	}
	w.pool.notify()
}

// enqueueLocal puts an EDT into the list of this worker where it belongs.
func (w *worker) enqueueLocal(k edt.Ready) {
	strict := k.Place().Strict()
	switch {
	case k.Priority() != 0:
		w.enqueuePrio(k, strict)
	case strict:
		w.bound.push(k)
	default:
		w.deque.push(k)
		w.pool.notify()
	}
}

// enqueuePrio is enqueueLocal for an EDT with a priority.
func (w *worker) enqueuePrio(k edt.Ready, strict bool) {
	w.anyPrio = 1
	if strict {
		w.boundPrio.push(k)
		return
	}
	w.prio.push(k)
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

// execute runs an EDT, then the EDTs that become next in the slot or the bound list. It returns at the end of the
// round, and when the inbox or the lists of EDTs with a priority need a look first.
func (w *worker) execute(k edt.Ready) {
	for {
		k = w.core.Execute(k)
		if w.left == 0 {
			w.endRound(k)
			break
		}
		w.left--
		if w.inbox.signs()|w.anyPrio != 0 {
			if !w.onlyMessages() {
				break
			}
		}
		if k != 0 {
			continue
		}
		if w.nextEDT.filled() {
			var sure bool
			if k, sure = w.nextEDT.empty(); sure {
				continue
			}
			if w.nextEDT.mine() {
				continue
			}
		}
		if w.bound.n == 0 {
			return
		}
		k = w.bound.pop()
	}
	if k != 0 {
		w.enqueueLocal(k)
	}
}

// endRound begins the next round. The worker then takes its oldest EDT, unless a chain goes on (next is not 0): then
// it does so once in fairness rounds.
func (w *worker) endRound(next edt.Ready) {
	w.left = roundLen
	if w.rounds--; next == 0 {
		w.rounds = -1
	}
}

// next takes an EDT of the worker's own, 0 if it has none.
func (w *worker) next() edt.Ready {
	if w.inbox.signs() != 0 {
		w.receive()
	}
	if w.rounds < 0 || w.anyPrio != 0 {
		if k := w.special(); k != 0 {
			return k
		}
	}
	if k := w.nextEDT.take(); k != 0 {
		return k
	}
	if k := w.bound.pop(); k != 0 {
		return k
	}
	if k := w.deque.pop(); k != 0 {
		return k
	}
	if w.anyPrio == 0 {
		return 0
	}
	return w.preferred(lowestPriority)
}

// special takes an EDT that goes before the newest: one with a priority or, if rounds is below 0, the oldest.
func (w *worker) special() edt.Ready {
	if w.rounds < 0 {
		w.rounds = fairness - 1
		if k := w.oldest(); k != 0 {
			return k
		}
	}
	w.anyPrio = uint64(w.prio.count.Load() + w.boundPrio.count.Load())
	return w.preferred(1)
}

// preferred takes the EDT with the highest priority, if that is not below least.
func (w *worker) preferred(least int8) edt.Ready {
	first, second := &w.prio, &w.boundPrio
	a, _ := first.top()
	b, ok := second.top()
	if ok && (first.count.Load() == 0 || b > a || b == a && w.rounds&1 == 0) {
		first, second = second, first
	}
	if k := first.pop(least); k != 0 {
		return k
	}
	return second.pop(least)
}

// receiveBatch bounds the messages that a worker receives before it runs an EDT: others may send as fast as it
// receives.
const receiveBatch = 64

// receive waits out a halt, handles mail, and queues the EDTs that other workers have sent to this one.
func (w *worker) receive() {
	if bits := w.inbox.overflow.count.Load(); bits >= mailBit {
		if bits&haltBit != 0 {
			w.gap()
		}
		if bits&mailBit != 0 {
			w.poll()
		}
	}
	for k := w.inbox.receive(); k != 0; k = w.inbox.receive() {
		w.n.received++
		w.enqueueLocal(k)
		if w.n.received%receiveBatch == 0 {
			return
		}
	}
}

// oldest takes the EDT that has been ready longest from one list, beginning with another list on each call. From a
// list with priorities it takes any EDT.
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
			k = w.nextEDT.take()
		case 3:
			k = w.prio.any(turn)
		case 4:
			k = w.boundPrio.any(turn)
		}
		if k != 0 {
			return k
		}
	}
	return 0
}
