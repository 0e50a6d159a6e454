package datablock

import (
	"slices"
	"sync"
	"sync/atomic"
)

// A Waiter is an EDT that waits for a block: what package edt needs to go on
// acquiring for it once this block is granted.
type Waiter struct {
	EDT    uint32
	Cursor uint32
	Mode   Mode
}

const queueShards = 64

// queues holds the EDTs that wait for blocks, first come first served unless
// [Store.Join] says otherwise. Waiting is
// rare, so records carry only a bit that says there is a queue; the queues
// themselves are in maps, sharded by block.
//
// Concurrency: the queued bit of a record changes only under its shard's lock.
// An EDT joins by setting the bit with a compare-and-swap that also proves, on
// the same word, that somebody holds the block in a conflicting mode; that holder
// has yet to leave, will see the bit in the word it leaves by, and serves the
// queue. So nobody waits for a block that is free.
type queues [queueShards]struct {
	mu      sync.Mutex
	waiting map[uint32][]Waiter
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
			s.unmark(r, len(q.waiting[i]) == 0)
			return Gone
		}
		if q.waiting == nil {
			q.waiting = make(map[uint32][]Waiter)
		}
		at := len(q.waiting[i])
		if s.Join != nil {
			at = s.Join(at)
		}
		q.waiting[i] = slices.Insert(q.waiting[i], at, w)
		return Queued
	}
}

// serve grants block i to the head of its queue and to all behind it that may
// hold it together, and appends them to granted.
func (s *Store) serve(i uint32, r *Record, granted []Waiter) []Waiter {
	q := &s.queues[i%queueShards]
	q.mu.Lock()
	defer q.mu.Unlock()
	list := q.waiting[i]
	if len(list) == 0 {
		// Two holders that leave may both see the bit. Who comes second must not
		// touch the record: the block may be gone, and the record another's.
		return granted
	}
	for len(list) > 0 && r.grant(list[0].Mode) {
		granted = append(granted, list[0])
		list = list[1:]
	}
	if len(list) > 0 {
		q.waiting[i] = list
		return granted
	}
	delete(q.waiting, i)
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

// grant is TryAcquire for who stands at the head of the queue.
func (r *Record) grant(m Mode) bool {
	for {
		old := atomic.LoadUint64(&r.state)
		next, ok := admit(old, m, false)
		if !ok || atomic.CompareAndSwapUint64(&r.state, old, next) {
			return ok
		}
	}
}

// Waiting calls f for every EDT that waits for a block. It is for reports; f must not
// call the store.
func (s *Store) Waiting(f func(block uint32, w Waiter)) {
	for k := range s.queues {
		q := &s.queues[k]
		q.mu.Lock()
		for i, list := range q.waiting {
			for _, w := range list {
				f(i, w)
			}
		}
		q.mu.Unlock()
	}
}
