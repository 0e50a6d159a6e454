package runtime

import (
	"ocr/edt"
	"ocr/internal/core/word"
)

// A bound list is a double-ended queue of EDTs: those that only one worker may run, or those of one priority. One
// worker at a time uses it.
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

// A prioList holds EDTs with priorities: a queue for each priority. It is rarely used, so it is under a lock; count is
// the number of its EDTs, readable without the lock.
type prioList struct {
	count  word.Int64
	mu     word.Mutex
	queues []bound // the lowest priority first; nil before the first push
	top    int     // the queues above queues[top] are empty
	turn   int     // the index of the queue from which method any took last
}

const (
	lowestPriority = -128
	priorities     = 256
)

func (q *prioList) push(k edt.Ready) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.queues == nil {
		q.queues = make([]bound, priorities)
	}
	n := int(k.Priority()) - lowestPriority
	q.queues[n].push(k)
	q.top = max(q.top, n)
	q.count.Add(1)
}

// highest returns the highest priority of an EDT in the list; if the list is empty, a number below all priorities.
func (q *prioList) highest() int {
	if q.count.Load() == 0 {
		return lowestPriority - 1
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.lowerTop()
}

// lowerTop is method highest for a caller that holds the lock.
func (q *prioList) lowerTop() int {
	if q.count.Load() == 0 {
		return lowestPriority - 1
	}
	for q.queues[q.top].n == 0 {
		q.top--
	}
	return q.top + lowestPriority
}

// pop takes the EDT with the highest priority, 0 if this priority is below least. Of several EDTs it takes the one that
// has been ready longest.
func (q *prioList) pop(least int) edt.Ready {
	if q.count.Load() == 0 {
		return 0
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.lowerTop() < least {
		return 0
	}
	return q.take(q.top)
}

// any takes the oldest EDT of one priority, 0 if the list is empty. Each call takes from the next lower priority, and
// after the lowest from the highest, so no priority is left out.
func (q *prioList) any() edt.Ready {
	if q.count.Load() == 0 {
		return 0
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for range q.queues {
		if q.turn = (q.turn + priorities - 1) % priorities; q.queues[q.turn].n > 0 {
			return q.take(q.turn)
		}
	}
	return 0
}

func (q *prioList) clear() {
	for q.pop(lowestPriority) != 0 {
	}
}

func (q *prioList) take(n int) edt.Ready {
	q.count.Add(-1)
	return q.queues[n].oldest()
}
