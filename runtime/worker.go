package runtime

import (
	"sync/atomic"

	"ocr/edt"
	"ocr/internal/core/word"
)

// A worker runs EDTs on one thread. It is the [edt.Host] of its core.
type worker struct {
	pool *pool
	core *edt.Worker // the graph's part of the worker, nil before the worker takes part in the run
	idle *edt.Worker // the core for the next run, allocated between runs to save time in the run
	id   int
	self uint32 // edt.Ready.Where of EDTs that are bound to this worker and have no priority
	cpu  *cpu

	victims          []victim // nearest first
	left             int32    // the number of EDTs that the round has after the present one
	rounds           int32    // if it is below 0, method next takes the oldest EDT first
	anyPrio          uint64   // 0 only if both lists of EDTs with a priority are empty
	turn             uint32   // counts calls of oldest: each begins with another list
	lastStealAttempt int64    // in sys.Nanotime
	stoleAt          int64    // when the worker stole the EDT of the present chain; 0 if it was not stolen

	bound     bound    // EDTs that only this worker may run
	boundPrio prioList // EDTs that only this worker may run, with a priority
	n         WorkerCounters
	polledAt  int64 // when it last polled the engine, see pollsTooOften
	_         [88]byte
	prio      prioList
	_         [88]byte
	nextEDT   nextEDT // in the cache line of deque.bottom: thieves look at both
	deque     deque
	_         [88]byte
	inbox     inbox
	parked    word.Uint32 // futex word: not 0 while the worker is parked, see park.go and between_runs.go
	_         [52]byte
	thread    atomic.Int64           // the id of the thread that the worker is locked to
	inRun     word.Bool              // the worker takes part in a run, and is not in the gap of a halt, see halt.go
	goroutine atomic.Pointer[string] // the goroutine's name in stack traces
}

// A worker runs EDTs in rounds of 1+roundLen. A chain is a sequence of EDTs each of which makes the next EDT ready at
// its end. At the end of a round the next EDT of a chain goes to a list. The worker then takes its oldest EDT first if
// no chain continues, or if [fairness] rounds in a row have ended in a chain: so an endless chain does not starve other
// EDTs.
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

// runNext puts the newest ready EDT into the next-EDT slot, as its predecessor's data are in the cache. The EDT that
// was in the slot goes to the deque. The new one stays in the slot only while no worker is parked or counts as
// spinning: a thief gets an EDT from the deque sooner and at less cost.
//
// Subtle: this worker fills the slot, then reads numParked. A worker that parks adds itself to numParked, then reads
// this slot. So this worker sees the count, or the parking worker sees the EDT: the barrier of the parking worker takes
// the place of a fence here.
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

// enqueueLocal puts an EDT into the right list of this worker.
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
func (w *worker) Stop() { w.pool.stop() }

// run runs EDTs until the run is over. A push may have woken the worker between two runs, so its first search is that
// of a woken worker.
func (w *worker) run() {
	for k := w.search(true); k != 0 && !w.pool.stopped.Load(); {
		w.execute(k)
		if k = w.next(); k == 0 {
			k = w.search(false)
		}
	}
}

// execute runs an EDT, then each EDT that is next: the first that the last body made ready at its end, else the EDT in
// the next-EDT slot, else the newest of the bound list. It returns when there is none, at the end of the round, and if
// the inbox or the lists of EDTs with a priority need a look first.
func (w *worker) execute(k edt.Ready) {
	for {
		k = w.core.Execute(k)
		if w.left == 0 {
			w.endRound(k)
			break
		}
		w.left--
		if w.inbox.signs()|w.anyPrio != 0 {
			if !w.onlyMessages() { // one condition would take three instructions more
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

// endRound begins the next round. If no chain continues (next is 0), the worker takes its oldest EDT first in the new
// round. If a chain continues, the worker does so in every [fairness]-th round.
func (w *worker) endRound(next edt.Ready) {
	w.left = roundLen
	if w.rounds--; next == 0 {
		w.rounds = -1
	}
}

// next takes an EDT from the worker's own lists, 0 if they are empty.
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

// special takes an EDT that goes before the newest: the oldest if rounds is below 0, else one with a priority above 0.
// It returns 0 if there is none.
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

// preferred takes the EDT with the highest priority, 0 if this priority is below least.
func (w *worker) preferred(least int) edt.Ready {
	first, second := &w.prio, &w.boundPrio
	if a, b := first.highest(), second.highest(); b > a || b == a && w.rounds&1 == 0 {
		first, second = second, first
	}
	if k := first.pop(least); k != 0 {
		return k
	}
	return second.pop(least)
}

// receiveBatch is the number of messages that a worker receives at most before it runs an EDT, as other workers may
// send as fast as it receives.
const receiveBatch = 64

// receive waits for the end of a halt, polls for mail if there is a hint, and queues the EDTs that other workers have
// sent.
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
		w.n.Received++
		w.enqueueLocal(k)
		if w.n.Received%receiveBatch == 0 {
			return
		}
	}
}

// oldest takes the EDT that has been ready longest in the first list that is not empty; each call begins with the next
// list. Of a list with priorities it takes the oldest EDT of one priority.
func (w *worker) oldest() edt.Ready {
	w.turn++
	for n := range uint32(5) {
		var k edt.Ready
		switch (w.turn + n) % 5 {
		case 0:
			k = w.deque.steal()
		case 1:
			k = w.bound.oldest()
		case 2:
			k = w.nextEDT.take()
		case 3:
			k = w.prio.any()
		case 4:
			k = w.boundPrio.any()
		}
		if k != 0 {
			return k
		}
	}
	return 0
}
