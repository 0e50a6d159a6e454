package block

import (
	"sync"
	"sync/atomic"

	"ocr/datablock"
)

// A Waiter is an EDT that waits for a block: what package edt needs to go on
// acquiring for it once this block is granted. EDT is not 0, and Cursor below 2^29. With [ForRank] it is
// another rank that is to have the block. Kept is for [Store.Wait]: the EDT keeps the block ([Record.Keep]).
type Waiter struct {
	EDT    uint32
	Cursor uint32
	Mode   datablock.Mode
	Kept   bool
}

// A waiting is a Waiter in few bytes: the EDT, 0 for none, and its cursor and mode.
type waiting struct{ edt, cursorAndMode uint32 }

const modeBits = 3

func (w Waiter) pack() waiting { return waiting{w.EDT, w.Cursor<<modeBits | uint32(w.Mode)} }

func (w waiting) waiter() Waiter {
	return Waiter{EDT: w.edt, Cursor: w.cursorAndMode >> modeBits,
		Mode: datablock.Mode(w.cursorAndMode & (1<<modeBits - 1))}
}

// A queue is the EDTs that wait for a block, first come first served unless [Store.Join]
// says otherwise. The first ones are in the block's record: workers that use a block in
// turns get at no other line. More are in a list of places, which begins and ends in the record.
//
// Concurrency: a queue, and the queued bit of its record, change only under its lock. A record
// whose block nobody waits for has an empty queue, free records included.
// An EDT joins by setting the bit with a compare-and-swap that also proves, on
// the same word, that somebody holds the block in a conflicting mode, that others wait
// already, or that the block is away. That holder has yet to leave, will see the bit in the word it leaves by, and
// serves the queue, under its lock, with all that wait by then; so does who brings the bytes
// back ([Local.Receive]). So nobody waits for a block that is free.
type queue struct {
	first [atHand]waiting // none behind one that is empty
	next  uint32          // the place behind those, 0 for none
	last  uint32
}

const atHand = 2

// places holds those that are not first in the queues of some blocks.
//
// Concurrency: all under mu, which a worker takes that has the lock of a queue.
type places struct {
	mu   sync.Mutex
	all  []place // the first is not used
	free uint32  // the first of the places that are not in use, 0 for none
	_    [24]byte
}

const placesShards = 64

type place struct {
	waiting
	next uint32 // in the block's queue, or among those not in use; 0 for none
}

// atTheEnd, for join, is behind all others.
const atTheEnd = 1 << 62

// join puts w into a queue behind ahead others.
func (q *queue) join(p *places, w waiting, ahead int) {
	for k := range q.first {
		if ahead == 0 || q.first[k].edt == 0 {
			w, q.first[k], ahead = q.first[k], w, 0
			if w.edt == 0 {
				return
			}
		} else {
			ahead--
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.free
	if at == 0 {
		if len(p.all) == 0 {
			p.all = make([]place, 1, 8)
		}
		at = uint32(len(p.all))
		p.all = append(p.all, place{})
	}
	new := &p.all[at]
	p.free, new.waiting = new.next, w
	before, link := q.last, &q.next
	if ahead < atTheEnd-atHand {
		before = 0
		for next := q.next; ahead > 0 && next != 0; ahead-- {
			before, next = next, p.all[next].next
		}
	}
	if before != 0 {
		link = &p.all[before].next
	}
	new.next, *link = *link, at
	if new.next == 0 {
		q.last = at
	}
}

// leave takes the first out of a queue.
func (q *queue) leave(p *places) {
	copy(q.first[:], q.first[1:])
	q.first[atHand-1] = waiting{}
	at := q.next
	if at == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	old := &p.all[at]
	q.first[atHand-1], q.next = old.waiting, old.next
	if q.next == 0 {
		q.last = 0
	}
	*old = place{next: p.free}
	p.free = at
}

// list returns who waits, the first one first.
func (q *queue) list(p *places) (all []waiting) {
	for _, w := range q.first {
		if w.edt != 0 {
			all = append(all, w)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for at := q.next; at != 0; at = p.all[at].next {
		all = append(all, p.all[at].waiting)
	}
	return all
}

// A Grant is how [Store.Wait] ended.
type Grant uint8

const (
	// Queued: the block comes later.
	Queued Grant = iota
	// QueuedAway: so it does, and another rank had the bytes at that moment.
	QueuedAway
	// Granted: the block could be had after all, and was acquired.
	Granted
	// Gone: the block was destroyed.
	Gone
)

// Wait queues w for the block with this low GUID word, unless the block can be had
// after all.
func (s *Store) Wait(word uint64, r *Record, w Waiter) Grant {
	r.lock.Lock()
	defer r.lock.Unlock()
	for {
		old := atomic.LoadUint64(&r.state)
		next, ok := w.joins(old)
		if old&destroyed != 0 && !w.Kept {
			return Gone
		}
		if !atomic.CompareAndSwapUint64(&r.state, old, next) {
			continue
		}
		if ok {
			return Granted
		}
		if !w.Kept && !r.Is(word) { // destroyed since the caller looked, the record is another's
			s.unmark(r, r.first[0].edt == 0)
			return Gone
		}
		p, ahead := s.placesOf(uint32(word)), atTheEnd
		if s.Join != nil {
			ahead = s.Join(len(r.list(p)))
		}
		if !s.waited.Load() {
			s.waited.Store(true)
		}
		r.join(p, w.pack(), ahead)
		if old&away != 0 {
			return QueuedAway
		}
		return Queued
	}
}

// joins returns the state in which w has the block, and true, or that in which it waits.
func (w Waiter) joins(state uint64) (next uint64, has bool) {
	if !w.Kept {
		if next, has = admit(state, w.Mode, true); !has {
			next = state | queued
		}
		return next, has
	}
	// Who waits need not keep the block: whoever is in the way serves the queue before the block goes.
	if next, has = admitKept(state, w.Mode); !has {
		next = state - readOne | queued
	}
	return next, has
}

// serve grants block i to the head of its queue and to all behind it that may
// hold it together, and appends them to granted.
func (s *Store) serve(i uint32, r *Record, granted []Waiter) []Waiter {
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.first[0].edt == 0 {
		// Two holders that leave may both see the bit. The second must not
		// touch the state: the block may be gone, and the record another's.
		return granted
	}
	for r.first[0].edt != 0 {
		w := r.first[0].waiter()
		if !r.grant(w.Mode) {
			return granted
		}
		granted = append(granted, w)
		r.leave(s.placesOf(i))
	}
	s.unmark(r, true)
	return granted
}

func (s *Store) placesOf(i uint32) *places { return &s.places[i%placesShards] }

// unmark clears the queued bit of a record if nobody waits for it. The caller holds the
// lock of its queue.
func (s *Store) unmark(r *Record, nobody bool) {
	for nobody {
		old := atomic.LoadUint64(&r.state)
		nobody = !atomic.CompareAndSwapUint64(&r.state, old, old&^queued)
	}
}

// grant is TryAcquire for the EDT at the head of the queue.
func (r *Record) grant(m datablock.Mode) bool {
	for {
		old := atomic.LoadUint64(&r.state)
		next, ok := admit(old, m, false)
		if !ok || atomic.CompareAndSwapUint64(&r.state, old, next) {
			return ok
		}
	}
}

// Waiting calls f for every EDT that waits for a block, the first in a queue first, and for ranks. It
// is for reports; f must not call the store.
func (s *Store) Waiting(f func(block uint32, w Waiter)) {
	if !s.waited.Load() {
		return
	}
	s.table.Peek(func(i uint32) {
		r := s.At(i)
		r.lock.Lock()
		defer r.lock.Unlock()
		for _, w := range r.list(s.placesOf(i)) {
			f(i, w.waiter())
		}
	})
}

// closeQueues forgets the queues. Records go on to other runs.
func (s *Store) closeQueues() {
	if s.waited.Swap(false) {
		s.table.Each(func(_ uint32, r *Record) { r.queue = queue{} })
		s.places = [placesShards]places{}
	}
}
