package runtime

import (
	"ocr/edt"
	"ocr/internal/core/sys"
)

// A victim is another worker, with what the thief saw in that worker's lists at its last attempt.
type victim struct {
	*worker
	top   int64
	alone bool      // the deque had one EDT, at top
	next  edt.Ready // the EDT in the next-EDT slot, 0 for none
}

// listVictims lists the other workers, nearest first. A worker calls it at its first attempt to steal: with many
// workers the lists are long, and most workers never steal.
func (w *worker) listVictims() {
	w.victims = make([]victim, 0, len(w.pool.workers)&^1) // whole cache lines, as each search writes to them
	for _, v := range w.pool.victims(w.id) {
		w.victims = append(w.victims, victim{worker: w.pool.workers[v]})
	}
}

// steal takes one EDT from the nearest victim that has one to spare. To read a deque takes its cache lines away from
// the victim, so a thief tries at most once in a steal gap. It takes the only EDT of a deque, and the EDT of a next-EDT
// slot, only if the thief saw this EDT at its previous attempt too. A chain of short EDTs always has such an EDT, which
// the victim runs before the thief could. The owner moves top when it takes its last entry, so an unchanged top shows
// that the entry has stayed.
//
// If a stolen EDT has lasted for half a steal gap, the next attempt need not wait (see [worker.endLoot]).
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
	w.n.Steals++
	w.stoleAt = sys.Nanotime()
	if obs := w.core.Observer(); obs != nil {
		obs.WorkerStole(from.id)
	}
}

// endLoot is called when a worker has run a stolen EDT and the EDTs that followed from it here. If they lasted for half
// a steal gap, the worker may steal again at once.
func (w *worker) endLoot(now int64) {
	if gap := w.pool.stealGap; now-w.stoleAt >= gap/2 {
		w.lastStealAttempt = now - gap
	}
	w.stoleAt = 0
}
