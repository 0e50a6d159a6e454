package runtime

import (
	"container/heap"
	"sync"
	"sync/atomic"

	"ocr/edt"
)

// A bound list holds EDTs that only this worker may run: a double-ended queue that
// nobody else touches.
type bound struct {
	ring    []edt.Task
	head, n int
}

func (l *bound) push(k edt.Task) {
	if l.n == len(l.ring) {
		bigger := make([]edt.Task, max(64, 2*len(l.ring)))
		for i := range l.n {
			bigger[i] = l.ring[(l.head+i)&(len(l.ring)-1)]
		}
		l.ring, l.head = bigger, 0
	}
	l.ring[(l.head+l.n)&(len(l.ring)-1)] = k
	l.n++
}

// pop takes the newest, 0 where there is none.
func (l *bound) pop() edt.Task {
	if l.n == 0 {
		return 0
	}
	l.n--
	return l.ring[(l.head+l.n)&(len(l.ring)-1)]
}

// oldest takes the oldest, 0 where there is none.
func (l *bound) oldest() edt.Task {
	if l.n == 0 {
		return 0
	}
	k := l.ring[l.head]
	l.head = (l.head + 1) & (len(l.ring) - 1)
	l.n--
	return k
}

// A ranked list holds the EDTs of a worker that have a priority. It is rarely
// used, so it is a heap under a lock; count tells without locking whether there is
// anything in it.
type ranked struct {
	count  atomic.Int64
	mu     sync.Mutex
	heap   rankHeap
	pushed uint64
}

func (q *ranked) push(k edt.Task) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.pushed++
	heap.Push(&q.heap, rank{k, q.pushed})
	q.count.Add(1)
}

// top returns the highest priority, and whether there is one.
func (q *ranked) top() (priority int8, ok bool) {
	if q.count.Load() == 0 {
		return 0, false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.heap) == 0 {
		return 0, false
	}
	return q.heap[0].task.Priority(), true
}

// pop takes the EDT of the highest priority, if that is at least min, else 0.
// Among equals the one that has been ready longest goes first.
func (q *ranked) pop(min int8) edt.Task {
	return q.take(func() int {
		if q.heap[0].task.Priority() < min {
			return -1
		}
		return 0
	})
}

// any takes the EDT at place turn, whatever its priority, 0 where there is none.
func (q *ranked) any(turn uint32) edt.Task {
	return q.take(func() int { return int(turn % uint32(len(q.heap))) })
}

// take removes the entry that which chooses from the heap, if any.
func (q *ranked) take(which func() int) edt.Task {
	if q.count.Load() == 0 {
		return 0
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.heap) == 0 {
		return 0
	}
	n := which()
	if n < 0 {
		return 0
	}
	q.count.Add(-1)
	return heap.Remove(&q.heap, n).(rank).task
}

const lowestPriority = -128

// A rank is an EDT in a ranked list and when it came.
type rank struct {
	task edt.Task
	turn uint64
}

type rankHeap []rank

func (h rankHeap) Len() int { return len(h) }
func (h rankHeap) Less(i, j int) bool {
	a, b := h[i].task.Priority(), h[j].task.Priority()
	return a > b || a == b && h[i].turn < h[j].turn
}
func (h rankHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *rankHeap) Push(x any)   { *h = append(*h, x.(rank)) }
func (h *rankHeap) Pop() any {
	old := *h
	last := len(old) - 1
	r := old[last]
	*h = old[:last]
	return r
}
