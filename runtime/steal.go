package runtime

import (
	"ocr/edt"
	"ocr/internal/core/sys"
)

// A victim is another worker, with what the thief saw in its lists at the last attempt.
type victim struct {
	*worker
	top   int64
	alone bool      // there was one EDT in the deque, at top
	next  edt.Ready // what was in the next-EDT slot
}

// listVictims lists the other workers, nearest first. A worker does it at its first attempt to steal: with many workers
// the lists are long, and most are never needed.
func (w *worker) listVictims() {
	w.victims = make([]victim, 0, len(w.pool.workers)&^1) // whole lines: a search writes them
	w.pool.stealOrders.Of(w.id, func(v int) {
		w.victims = append(w.victims, victim{worker: w.pool.workers[v]})
	})
}

// steal takes one EDT from the nearest victim that has one to spare. Reading a victim's deque takes its cache lines
// away, so a thief tries at most once in a steal gap. It leaves a single EDT to the victim the first time: a chain of
// short EDTs always has one, which ends before the thief could run it.
//
// If a stolen EDT has lasted for half a steal gap the next attempt need not wait: see [worker.endLoot].
func (w *worker) steal(now int64) edt.Ready {
	w.lastStealAttempt = now
	if w.victims == nil {
		w.listVictims()
	}
	for k := range w.victims {
		v := &w.victims[k]
		if k := v.steal(); k != 0 {
			w.stole(v)
			return k
		}
	}
	return 0
}

func (v *victim) steal() edt.Ready {
	t, n := v.deque.peek()
	wasThere := v.alone && v.top == t
	v.top, v.alone = t, n == 1
	if n > 1 || n == 1 && wasThere {
		if k := v.deque.steal(); k != 0 {
			return k
		}
	}
	if k := v.prio.pop(lowestPriority); k != 0 {
		return k
	}
	if !v.pool.nextSlots {
		return 0
	}
	next := v.nextEDT.peek()
	wasThere = next != 0 && next == v.next
	v.next = next
	if wasThere {
		return v.nextEDT.steal()
	}
	return 0
}

func (w *worker) stole(from *victim) {
	w.n.steals++
	w.stoleAt = sys.Nanotime()
	if obs := w.core.Observer(); obs != nil {
		obs.WorkerStole(from.id)
	}
}

// endLoot ends a stolen EDT and those that it made ready here. If they lasted for half a steal gap, the worker may
// steal again at once.
func (w *worker) endLoot(now int64) {
	if gap := w.pool.stealGap; now-w.stoleAt >= gap/2 {
		w.lastStealAttempt = now - gap
	}
	w.stoleAt = 0
}
