package block

import (
	"sync"
	"sync/atomic"
)

// An arena supplies all block memory of a run and keeps it alive. Workers return the free blocks that they do not keep.
// README.md has the bound on its free bytes.
//
// Concurrency: all fields are under mu; workers also load asked without it.
type arena struct {
	limit uint64
	asked atomic.Uint32 // how often the arena has asked the workers for their free memory

	mu      sync.Mutex
	workers uint64
	held    uint64 // bytes of all spans
	out     uint64 // bytes of the blocks that are in use, or kept by workers
	peak    uint64 // the largest value of out
	given   uint64 // bytes that workers have returned since the arena last asked
	clock   uint64 // how many spans have become free so far
	pages   directory
	partial [numClasses]spanList // spans of each class with blocks to take
	spare   [numClasses]spanList // spans whose blocks are all free, by the class of their length
	first   *span                // a span of fineSpan bytes, added when there was no other; nil for none, or once dropped
}

// close drops all spans but the first, with which the next run begins. It drops the first too if the directory has
// several regions.
func (a *arena) close() {
	s, pages, alone := a.first, a.pages, a.first != nil && a.held == uint64(len(a.first.memory))
	*a = arena{}
	if s == nil || len(pages.regions) > 1 {
		return
	}
	*s = span{memory: s.memory}
	a.first, a.pages, a.held = s, pages, uint64(len(s.memory))
	if !alone {
		clear(pages.last[:])
		a.pages.set(s.memory, s)
	}
	length, _ := sizeClass(len(s.memory))
	a.spare[length].push(s)
}

// open prepares an arena that is new, or was closed.
func (a *arena) open(limit uint64) {
	if limit != 0 && a.held > limit {
		*a = arena{}
	}
	a.limit = limit
}

// The free bytes of the arena are at most half of the peak, plus freeShare for each worker. A worker keeps up to 0.85
// MiB (see pool). The peak counts what workers keep too, so half of what they keep adds to the bound: together less
// than 2 MiB a worker.
const (
	freeShare = 640 << 10
	askShare  = 256 << 10 // bytes for each worker that must be returned before the arena asks again
)

// take gives a worker blocks of a class: n blocks that were used before, in list. If there are none, n is 0, and take
// gives a run of blocks that were never used, from next to end. The run has at most as many blocks as the parameter
// most.
func (a *arena) take(class uint8, list []uintptr, most int) (n int, next, end uintptr, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	l := &a.partial[class]
	if l.first == nil {
		if err := a.obtain(class); err != nil {
			return 0, 0, 0, err
		}
	}
	for s := l.first; s != nil && s.free > 0 && n < len(list); s = l.first {
		for s.free > 0 && n < len(list) {
			list[n] = s.pop()
			n++
		}
		s.leaveIfEmpty()
	}
	if n == 0 {
		s := l.first
		next, end = s.cut(most)
		s.leaveIfEmpty()
	}
	a.out += uint64(n*classBytes(class)) + uint64(end-next)
	a.peak = max(a.peak, a.out)
	return n, next, end, nil
}

// obtain puts a span into the list of a class.
func (a *arena) obtain(class uint8) (err error) {
	n := spanBytes(class)
	length, _ := sizeClass(n)
	s := a.spare[length].last
	fresh := s == nil
	if fresh {
		s, fresh, err = a.grab(n)
		if least := (classBytes(class) + pageSize - 1) / pageSize * pageSize; err != nil && least < n {
			s, fresh, err = a.grab(least) // near the limit: a shorter span
		}
		if err != nil {
			return err
		}
	}
	s.remove()
	s.assign(class, fresh)
	a.partial[class].push(s)
	return nil
}

// grab allocates a span of n bytes, and reports whether they are zero. It may unlock mu meanwhile.
func (a *arena) grab(n int) (s *span, fresh bool, err error) {
	if a.limit != 0 && uint64(n) > a.limit {
		return nil, false, ErrNoMemory
	}
	for a.limit != 0 && a.held > a.limit-uint64(n) {
		if !a.drop() {
			a.asked.Add(1)
			return nil, false, ErrNoMemory
		}
	}
	s, fresh = new(span), true
	a.held += uint64(n)
	a.mu.Unlock()
	// The Go heap aligns whole pages to a page. make does not touch them: the worker that first writes a block does.
	s.memory = make([]byte, n)
	a.mu.Lock()
	if a.pages.set(s.memory, s); a.held == fineSpan {
		a.first = s
	}
	return s, fresh, nil
}

// give returns blocks of a class to their spans.
func (a *arena) give(class uint8, list []uintptr) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, addr := range list {
		a.back(addr)
	}
	bytes := uint64(len(list) * classBytes(class))
	a.out -= bytes
	a.given += bytes
	a.trim()
}

// back returns a free block to its span.
func (a *arena) back(addr uintptr) {
	s := a.pages.find(addr)
	s.push(addr)
	switch {
	case s.whole():
		s.remove()
		a.clock++
		s.since = a.clock
		length, _ := sizeClass(len(s.memory))
		a.spare[length].push(s)
	case s.list == nil:
		a.partial[s.class].push(s)
	}
}

// trim keeps the free bytes within their bound: it drops spans whose blocks are all free. If there are none, it asks
// the workers for their free memory, which may complete spans.
func (a *arena) trim() {
	for a.held-a.out > a.peak/2+a.workers*freeShare {
		if a.drop() {
			continue
		}
		if a.given >= a.workers*askShare {
			a.given = 0
			a.asked.Add(1)
		}
		return
	}
}

// drop leaves the spare span that has been free for longest to the collector. It returns false if there is none.
func (a *arena) drop() bool {
	var s *span
	for k := range a.spare {
		if first := a.spare[k].first; first != nil && (s == nil || first.since < s.since) {
			s = first
		}
	}
	if s == nil {
		return false
	}
	if s.remove(); s == a.first {
		a.first = nil
	}
	a.held -= uint64(len(s.memory))
	a.pages.set(s.memory, nil)
	return true
}
