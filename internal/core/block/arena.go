package block

import (
	"sync"
	"sync/atomic"
)

// An arena is the source of all block memory of a run, what keeps it alive, and
// where workers leave what they do not keep. docs/memory.md has the bound on what it
// holds beside the blocks in use.
//
// Concurrency: all under mu but asked, which workers also read without it.
type arena struct {
	limit uint64
	asked atomic.Uint32 // how often workers were asked to give back what they keep

	mu      sync.Mutex
	workers uint64
	held    uint64 // bytes of all spans
	out     uint64 // bytes of the blocks that are in use or kept by workers
	peak    uint64 // of out
	given   uint64 // bytes that came back since workers were last asked
	clock   uint64
	pages   directory
	partial [numClasses]spanList // spans of each class that have blocks to give
	spare   [numClasses]spanList // spans without a block in use, by the class of their length
	first   *span                // the first of all, if it is short and is still here
	area    *area                // where spans come from, nil for the Go heap
}

// close forgets all spans; but a small run leaves its first one, for the next.
func (a *arena) close() {
	if a.area != nil {
		a.area.close()
		*a = arena{}
	}
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

// open readies an arena that is new, or was closed.
func (a *arena) open(limit uint64, in *area) {
	if limit != 0 && a.held > limit || in != nil {
		*a = arena{}
	}
	a.limit, a.area = limit, in
}

// The arena may have half of the peak in free bytes, and this for each worker. A
// worker keeps up to 0.85 MiB, see pool; and what it kept at the peak counts half.
// Together that is less than 2 MiB a worker.
const (
	freeShare = 640 << 10
	askShare  = 256 << 10 // what must come back for each worker before all are asked again
)

// take gives a worker blocks of a class: up to len(list) that were used before, in
// list; or, with n = 0, a run of up to most that never were, from next to end.
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
			s, fresh, err = a.grab(least) // little is left: not many blocks then
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

// grab makes a span of n bytes, mostly of fresh zeroed memory. It gives the lock up meanwhile.
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
	if a.area != nil {
		if s.memory, fresh = a.area.take(n); s.memory == nil {
			return nil, false, ErrNoMemory
		}
		a.held += uint64(n)
		a.pages.set(s.memory, s)
		return s, fresh, nil
	}
	a.held += uint64(n)
	a.mu.Unlock()
	// Whole pages of Go memory begin on a page. The first touch is the caller's.
	s.memory = make([]byte, n)
	a.mu.Lock()
	if a.pages.set(s.memory, s); a.held == fineSpan {
		a.first = s
	}
	return s, fresh, nil
}

// give takes blocks of a class back.
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

// back puts a block into its span.
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

// trim keeps the free bytes within their bound: it leaves spans to the collector,
// and if none is free asks the workers for what they keep, which may be the last
// blocks of many.
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

// drop leaves the span to the collector, or gives it back to the area, that has been free for longest.
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
	if a.area != nil {
		a.area.put(s.memory)
	}
	return true
}
