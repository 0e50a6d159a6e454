package runtime

import (
	"ocr/edt"
	"ocr/internal/sys"
)

// How a worker that has nothing to run finds work again. The argument why no
// wake-up is lost, and why the run ends exactly when nothing is left, is in
// docs/scheduler.md; the numbers there are those in the comments here.

// search looks for work until it finds some or the run is over (0).
func (w *worker) search() edt.Ready {
	if obs := w.core.Observer(); obs != nil {
		obs.WorkerIdle()
		defer obs.WorkerBusy()
	}
	for woken := false; ; woken = true {
		w.core.Idle() // gives finish scopes back, which may make EDTs ready
		if k := w.spin(woken); k != 0 || w.pool.stopped.Load() {
			return k
		}
		w.park()
	}
}

// spinGrace is how long a worker looks for work before it counts as spinning. All
// workers write that count and read it on every push; between two that hand EDTs to
// each other it would travel along with each. A worker that was woken counts at
// once: it answers for the push that woke it, even if it finds mail of its own first.
const spinGrace = 1000 // ns

// spin polls the worker's own lists and robs others, for a bounded time.
func (w *worker) spin(woken bool) edt.Ready {
	p := w.pool
	yield()
	counted := woken
	if counted {
		p.spinning.Add(1)
	}
	start := sys.Nanotime()
	for now := start; ; now = sys.Nanotime() {
		k := w.next()
		if k == 0 && now-w.robbed >= p.stealGap {
			k = w.rob(now)
		}
		if over := now-start >= w.patience() || p.stopped.Load() || w.lastAwake(); k != 0 || over {
			if counted {
				yield()
				w.endSpin(k != 0) // (2) before the worker counts as asleep
			}
			return k
		}
		if !counted && now-start >= spinGrace {
			counted = true
			p.spinning.Add(1)
		}
		sys.Pause(p.pauses)
	}
}

// endSpin ends the time in which pushes rely on this worker. Who found work while
// others sleep passes the wake-up on: it was perhaps the only one to answer for
// several pushes.
func (w *worker) endSpin(found bool) {
	p := w.pool
	if p.spinning.Add(-1) == 0 && found && p.sleepers() > 0 && p.anyLoot() {
		p.wakeOne()
	}
}

// lastAwake reports whether all other workers sleep, and none of them is waking up:
// then nobody is left who could make anything ready.
func (w *worker) lastAwake() bool {
	p := w.pool
	if p.sleepers() < len(p.workers)-1 {
		return false
	}
	for _, other := range p.workers {
		if other != w && other.asleep.Load() == 0 {
			return false
		}
	}
	return true
}

// patience returns how long the worker may spin.
func (w *worker) patience() int64 {
	if w.seat.crowded() {
		return w.pool.spinFull
	}
	return w.pool.spinTime
}

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
	w.victims = make([]victim, 0, len(w.pool.workers)-1)
	w.pool.stealOrders.Of(w.id, func(v int) {
		w.victims = append(w.victims, victim{worker: w.pool.workers[v]})
	})
}

// rob steals one EDT, from the nearest victim that has any to spare. Looking at a
// victim's deque takes its cache lines away, so a thief looks at most once in a
// steal gap. And a single EDT is left alone the first time: in a chain of short
// EDTs there always is one, gone before it could be carried away.
func (w *worker) rob(now int64) edt.Ready {
	w.robbed = now
	if w.victims == nil {
		w.rankVictims()
	}
	for k := range w.victims {
		v := &w.victims[k]
		if k := v.rob(); k != 0 {
			w.stole(v)
			return k
		}
	}
	return 0
}

func (v *victim) rob() edt.Ready {
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
	if obs := w.core.Observer(); obs != nil {
		obs.WorkerStole(from.id)
	}
}

// park sleeps until there may be work, or the run is over.
func (w *worker) park() {
	p := w.pool
	yield()
	w.inbox.settle()
	w.asleep.Store(1) // (3)
	yield()
	count := w.goIdle() // (4)
	yield()
	if count < len(p.workers) && p.nextTasks {
		sys.ProcessBarrier() // (5) sees the next-task slot of a worker that did not see (4)
		yield()
	}
	if p.stopped.Load() || !w.inbox.empty() || p.anyLoot() { // (5)
		w.asleep.Store(0)
		yield()
		w.leaveIdle()
		return
	}
	yield()
	if count == len(p.workers) && p.quiescent() {
		p.stop(drained)
	}
	if w.asleep.Load() == 1 {
		w.n.parks++
		w.sleep()
	}
	w.leaveIdle()
}

// sleep returns once the worker was woken.
func (w *worker) sleep() {
	obs := w.core.Observer()
	if obs != nil {
		obs.WorkerParked()
	}
	for w.asleep.Load() == 1 { // (6)
		yieldAsleep(w)
		sys.FutexWait(futexWord(&w.asleep), 1, 0)
	}
	if obs != nil {
		obs.WorkerWoke()
	}
}

// wake wakes this worker if it sleeps. It comes after the work was made visible.
func (w *worker) wake() bool {
	yield()
	if w.asleep.Load() == 0 || !w.asleep.CompareAndSwap(1, 0) {
		return false
	}
	sys.FutexWake(futexWord(&w.asleep), 1)
	return true
}
