package block

import (
	"sync"
	"sync/atomic"

	"ocr/datablock"
)

// A Waiter is an EDT that waits for a block: what package edt needs to go on
// acquiring for it once this block is granted.
type Waiter struct {
	EDT    uint32
	Cursor uint32
	Mode   datablock.Mode
}

const queueShards = 64

// queues holds the EDTs that wait for blocks, first come first served unless
// [Store.Join] says otherwise. A block's queue is a list of places, which begins and
// ends in its record.
//
// Concurrency: a shard's places, and first, last and the queued bit of its records,
// change only under its lock. A record whose block nobody waits for has first = 0,
// free records included.
// An EDT joins by setting the bit with a compare-and-swap that also proves, on
// the same word, that somebody holds the block in a conflicting mode; that holder
// has yet to leave, will see the bit in the word it leaves by, and serves the
// queue. So nobody waits for a block that is free.
type queues [queueShards]queueShard

type queueShard struct {
	mu     sync.Mutex
	places []place // the first is not used
	free   uint32  // the first of the places that are not in use, 0 for none
	_      [24]byte
}

// A place is where one EDT waits.
type place struct {
	waiter Waiter
	block  uint32 // 0 if the place is not in use
	next   uint32 // in the block's queue, or among those not in use; 0 for none
}

// atTheEnd, for join, is behind all others.
const atTheEnd = -1

// join puts w into the queue of block i behind ahead others.
func (q *queueShard) join(i uint32, r *Record, w Waiter, ahead int) {
	at := q.free
	if at == 0 {
		if len(q.places) == 0 {
			q.places = make([]place, 1, 8)
		}
		at = uint32(len(q.places))
		q.places = append(q.places, place{})
	}
	p := &q.places[at]
	q.free = p.next
	*p = place{waiter: w, block: i}
	before := r.last
	if ahead != atTheEnd {
		before = 0
		for next := r.first; ahead > 0; ahead-- {
			before, next = next, q.places[next].next
		}
	}
	link := &r.first
	if before != 0 {
		link = &q.places[before].next
	}
	p.next, *link = *link, at
	if p.next == 0 {
		r.last = at
	}
}

// leave takes the first out of the queue of r.
func (q *queueShard) leave(r *Record) {
	at := r.first
	p := &q.places[at]
	r.first = p.next
	if r.first == 0 {
		r.last = 0
	}
	*p = place{next: q.free}
	q.free = at
}

// length returns how many wait for the block.
func (q *queueShard) length(r *Record) (n int) {
	for at := r.first; at != 0; at = q.places[at].next {
		n++
	}
	return n
}

// A Grant is how [Store.Wait] ended.
type Grant uint8

const (
	// Queued: the block comes later.
	Queued Grant = iota
	// Granted: the block could be had after all, and was acquired.
	Granted
	// Gone: the block was destroyed.
	Gone
)

// Wait queues w for the block with this low GUID word, unless the block can be had
// after all.
func (s *Store) Wait(word uint64, r *Record, w Waiter) Grant {
	i := uint32(word)
	q := &s.queues[i%queueShards]
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		old := atomic.LoadUint64(&r.state)
		next, ok := admit(old, w.Mode, true)
		if old&destroyed != 0 {
			return Gone
		}
		if !ok {
			next = old | queued
		}
		if !atomic.CompareAndSwapUint64(&r.state, old, next) {
			continue
		}
		if ok {
			return Granted
		}
		if !r.Is(word) { // destroyed since the caller looked, the record is another's
			s.unmark(r, r.first == 0)
			return Gone
		}
		ahead := atTheEnd
		if s.Join != nil {
			ahead = s.Join(q.length(r))
		}
		q.join(i, r, w, ahead)
		return Queued
	}
}

// serve grants block i to the head of its queue and to all behind it that may
// hold it together, and appends them to granted.
func (s *Store) serve(i uint32, r *Record, granted []Waiter) []Waiter {
	q := &s.queues[i%queueShards]
	q.mu.Lock()
	defer q.mu.Unlock()
	if r.first == 0 {
		// Two holders that leave may both see the bit. The second must not
		// touch the state: the block may be gone, and the record another's.
		return granted
	}
	for r.first != 0 {
		w := q.places[r.first].waiter
		if !r.grant(w.Mode) {
			return granted
		}
		granted = append(granted, w)
		q.leave(r)
	}
	s.unmark(r, true)
	return granted
}

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

// Waiting calls f for every EDT that waits for a block, the first in a queue first. It
// is for reports; f must not call the store.
func (s *Store) Waiting(f func(block uint32, w Waiter)) {
	for k := range s.queues {
		q := &s.queues[k]
		q.mu.Lock()
		for k, p := range q.places {
			if p.block == 0 || s.At(p.block).first != uint32(k) {
				continue
			}
			for at := uint32(k); at != 0; at = q.places[at].next {
				f(p.block, q.places[at].waiter)
			}
		}
		q.mu.Unlock()
	}
}

// closeQueues forgets the queues. Records go on to other runs.
func (s *Store) closeQueues() {
	for k := range s.queues {
		for _, p := range s.queues[k].places {
			if p.block != 0 {
				r := s.At(p.block)
				r.first, r.last = 0, 0
			}
		}
	}
	s.queues = queues{}
}
