package runtime

import (
	"ocr/edt"
	"ocr/internal/core/word"
)

// A bound list is a double-ended queue of EDTs that only this worker may run. Only this worker uses it.
type bound struct {
	ring    []edt.Ready
	head, n int
}

func (l *bound) push(k edt.Ready) {
	if l.n == len(l.ring) {
		bigger := make([]edt.Ready, max(64, 2*len(l.ring)))
		for i := range l.n {
			bigger[i] = l.ring[(l.head+i)&(len(l.ring)-1)]
		}
		l.ring, l.head = bigger, 0
	}
	l.ring[(l.head+l.n)&(len(l.ring)-1)] = k
	l.n++
}

// pop takes the newest EDT, 0 if there is none.
func (l *bound) pop() edt.Ready {
	if l.n == 0 {
		return 0
	}
	l.n--
	return l.ring[(l.head+l.n)&(len(l.ring)-1)]
}

// oldest takes the oldest EDT, 0 if there is none.
func (l *bound) oldest() edt.Ready {
	if l.n == 0 {
		return 0
	}
	k := l.ring[l.head]
	l.head = (l.head + 1) & (len(l.ring) - 1)
	l.n--
	return k
}

// A prioList holds the EDTs of a worker that have a priority. It is rarely used, so it is a heap under a lock; count
// is its length, readable without the lock.
type prioList struct {
	count  word.Int64
	mu     word.Mutex
	heap   []prioEDT
	pushed uint64
}

func (q *prioList) push(k edt.Ready) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.pushed++
	q.heap = append(q.heap, prioEDT{k, q.pushed})
	q.up(len(q.heap) - 1)
	q.count.Add(1)
}

// top returns the highest priority, and whether there is one.
func (q *prioList) top() (priority int8, ok bool) {
	if q.count.Load() == 0 {
		return 0, false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.heap) == 0 {
		return 0, false
	}
	return q.heap[0].edt.Priority(), true
}

// pop takes the EDT with the highest priority, 0 if that is below least. Of several it takes the one that has been
// ready longest.
func (q *prioList) pop(least int8) edt.Ready {
	if q.count.Load() == 0 {
		return 0
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.heap) == 0 || q.heap[0].edt.Priority() < least {
		return 0
	}
	return q.remove(0)
}

// any takes the EDT at position turn of the heap, modulo its length; 0 if there is none.
func (q *prioList) any(turn uint32) edt.Ready {
	if q.count.Load() == 0 {
		return 0
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.heap) == 0 {
		return 0
	}
	return q.remove(int(turn % uint32(len(q.heap))))
}

const lowestPriority = -128

// A prioEDT is an EDT in a prioList, with the number of its push.
type prioEDT struct {
	edt  edt.Ready
	turn uint64
}

func (r prioEDT) before(o prioEDT) bool {
	a, b := r.edt.Priority(), o.edt.Priority()
	return a > b || a == b && r.turn < o.turn
}

// The heap is written out, because container/heap allocates for every EDT.

// remove takes entry n out of the heap. The caller holds the lock.
func (q *prioList) remove(n int) edt.Ready {
	k := q.heap[n].edt
	last := len(q.heap) - 1
	q.heap[n] = q.heap[last]
	q.heap = q.heap[:last]
	if n < last {
		q.down(n)
		q.up(n)
	}
	q.count.Add(-1)
	return k
}

func (q *prioList) up(n int) {
	for n > 0 {
		parent := (n - 1) / 2
		if !q.heap[n].before(q.heap[parent]) {
			return
		}
		q.heap[n], q.heap[parent] = q.heap[parent], q.heap[n]
		n = parent
	}
}

func (q *prioList) down(n int) {
	for {
		first := 2*n + 1
		if first >= len(q.heap) {
			return
		}
		if right := first + 1; right < len(q.heap) && q.heap[right].before(q.heap[first]) {
			first = right
		}
		if !q.heap[first].before(q.heap[n]) {
			return
		}
		q.heap[n], q.heap[first] = q.heap[first], q.heap[n]
		n = first
	}
}
