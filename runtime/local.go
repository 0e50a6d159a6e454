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
	count atomic.Int64
	mu    sync.Mutex
	heap  taskHeap
}

func (q *ranked) push(k edt.Task) {
	q.mu.Lock()
	defer q.mu.Unlock()
	heap.Push(&q.heap, k)
	q.count.Add(1)
}

// pop takes the EDT of the highest priority, if that is at least min, else 0.
func (q *ranked) pop(min int8) edt.Task {
	if q.count.Load() == 0 {
		return 0
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.heap) == 0 || q.heap[0].Priority() < min {
		return 0
	}
	q.count.Add(-1)
	return heap.Pop(&q.heap).(edt.Task)
}

const lowestPriority = -128

type taskHeap []edt.Task

func (h taskHeap) Len() int           { return len(h) }
func (h taskHeap) Less(i, j int) bool { return h[i].Priority() > h[j].Priority() }
func (h taskHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *taskHeap) Push(x any)        { *h = append(*h, x.(edt.Task)) }
func (h *taskHeap) Pop() any {
	old := *h
	last := len(old) - 1
	k := old[last]
	*h = old[:last]
	return k
}
