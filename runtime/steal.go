package runtime

import (
	"ocr/edt"
	"ocr/internal/sys"
)

// A victim is another worker, and what the thief saw when it last looked.
type victim struct {
	*worker
	top   int64
	alone bool      // there was one EDT in the deque, at top
	next  edt.Ready // what was in the next-task slot
}

// rankVictims lists the other workers, nearest first. A worker does it when it first
// looks for work: with many workers the lists are long, and most are never needed.
func (w *worker) rankVictims() {
	w.victims = make([]victim, 0, len(w.pool.workers)&^1) // whole lines: a search writes them
	w.pool.stealOrders.Of(w.id, func(v int) {
		w.victims = append(w.victims, victim{worker: w.pool.workers[v]})
	})
}

// steal takes one EDT, from the nearest victim that has any to spare. Looking at a
// victim's deque takes its cache lines away, so a thief looks at most once in a
// steal gap. And a single EDT is left alone the first time: in a chain of short
// EDTs there always is one, gone before it could be carried away.
//
// If an EDT that was stolen has lasted for half a steal gap, it was worth it, and the next
// look need not wait: see [worker.endLoot].
func (w *worker) steal(now int64) edt.Ready {
	w.lastStealAttempt = now
	if w.victims == nil {
		w.rankVictims()
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
	if k := v.ranked.pop(lowestPriority); k != 0 {
		return k
	}
	if !v.pool.nextTasks {
		return 0
	}
	next := v.nextTask.peek()
	wasThere = next != 0 && next == v.next
	v.next = next
	if wasThere {
		return v.nextTask.steal()
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

// endLoot is called when the worker has run what it has stolen, and all that came of it: it
// may look at its victims at once if that has lasted.
func (w *worker) endLoot(now int64) {
	if gap := w.pool.stealGap; now-w.stoleAt >= gap/2 {
		w.lastStealAttempt = now - gap
	}
	w.stoleAt = 0
}
