package block

import (
	"ocr/datablock"
	"ocr/internal/core/word"
)

// A Waiter is an EDT that waits for a block. EDT is not 0. Cursor is for package edt, which acquires the EDT's other
// blocks after this one; it is below 2^29. With [ForRank] the waiter is another rank. Kept is for [Store.Wait]: the EDT
// keeps the block ([Record.Keep]).
type Waiter struct {
	EDT    uint32
	Cursor uint32
	Mode   datablock.Mode
	Kept   bool
}

// A waiting is a packed Waiter: the EDT, 0 for none, and its cursor and mode.
type waiting struct{ edt, cursorAndMode uint32 }

const modeBits = 3

func (w Waiter) pack() waiting { return waiting{w.EDT, w.Cursor<<modeBits | uint32(w.Mode)} }

func (w waiting) waiter() Waiter {
	return Waiter{EDT: w.edt, Cursor: w.cursorAndMode >> modeBits,
		Mode: datablock.Mode(w.cursorAndMode & (1<<modeBits - 1))}
}

// A queue is the EDTs that wait for a block, first come, first served unless [Store.Join] chooses another order. The
// first waiters are in the block's record, so workers that alternate on a block touch no other cache line. The others
// are in a list of places, whose two ends are in the record.
//
// Concurrency: a queue, and the queued bit of its record, change only under its lock. A free record has an empty queue.
//
//	(1) A waiter sets the queued bit by a compare-and-swap. The same word shows that a holder excludes the waiter,
//	    that others wait already, or that the block is lent. The waiter then enters the queue, still under the lock.
//	(2) That holder releases the block by a compare-and-swap on the word, and so reads the bit. The worker that
//	    receives the bytes of a block that was lent ([Local.Receive]) reads it too.
//	(3) The holder or that worker serves the queue under the lock: so after (1), when the waiter is in the queue.
//
// So no EDT waits for a block that is free.
type queue struct {
	first [atHand]waiting // filled from the front
	next  uint32          // the place of the first waiter that is not in first, 0 for none
	last  uint32          // the place of the last waiter
}

const atHand = 1

// places holds the waiters of one of placesShards parts of the blocks, except those in the records.
//
// Concurrency: all fields are under mu. A worker that locks mu holds the lock of a queue.
type places struct {
	mu   word.Mutex
	all  []place // the first is not used
	free uint32  // the first free place, 0 for none
	_    [24]byte
}

const placesShards = 64

type place struct {
	waiting
	next uint32 // in the block's queue, or in the list of free places; 0 for none
}

// atTheEnd, passed to join, puts a waiter behind all others.
const atTheEnd = 1 << 62

// join puts w into the queue: ahead is the number of waiters before it.
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

// leave removes the first waiter from the queue.
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

// list returns the waiters in order.
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

// A Grant is the result of [Store.Wait].
type Grant uint8

const (
	// Queued: the EDT waits, and will be granted the block.
	Queued Grant = iota
	// QueuedLent: the EDT waits, and may need a message to another rank: when it queued, the block was lent, a proxy, or
	// copied.
	QueuedLent
	// Granted: the EDT has acquired the block.
	Granted
	// Gone: the block was destroyed.
	Gone
)

// Wait queues w for the block with this low GUID word, unless w can acquire the block now.
func (s *Store) Wait(word uint64, r *Record, w Waiter) Grant {
	r.lock.Lock()
	defer r.lock.Unlock()
	for {
		old := r.state.Load()
		next, ok := w.joins(old)
		if old&destroyed != 0 && !w.Kept {
			return Gone
		}
		if !r.state.CompareAndSwap(old, next) {
			continue
		}
		if ok {
			return Granted
		}
		if !w.Kept && !r.Is(word) { // destroyed since the caller's check: the record is another block's
			if r.first[0].edt == 0 {
				r.unmark()
			}
			return Gone
		}
		p, ahead := s.placesOf(uint32(word)), atTheEnd
		if s.Join != nil {
			ahead = s.Join(len(r.list(p)))
			if r.first[0].edt&ForRank != 0 { // Upgrade may have put a rank there
				ahead = max(ahead, 1)
			}
		}
		if !s.waited.Load() {
			s.waited.Store(true)
		}
		r.join(p, w.pack(), ahead)
		if old&(lent|proxy|copied) != 0 {
			return QueuedLent
		}
		return Queued
	}
}

// Upgrade replaces the caller's hold in mode Const by a hold in mode EW, for w. If others hold the block in mode Const
// it returns false, and w waits for them, before all other waiters.
func (s *Store) Upgrade(i uint32, r *Record, w Waiter) bool {
	r.lock.Lock()
	defer r.lock.Unlock()
	for {
		old := r.state.Load()
		sole, next := old&classMask == classOne, old&^ofClass|inEW|classOne
		if !sole {
			next = old - classOne | queued
		}
		if !r.state.CompareAndSwap(old, next) {
			continue
		}
		if !sole {
			s.waited.Store(true)
			r.join(s.placesOf(i), w.pack(), 0)
		}
		return sole
	}
}

// joins returns the state in which w holds the block, and true; or the state in which w waits, and false.
func (w Waiter) joins(state uint64) (next uint64, has bool) {
	if !w.Kept {
		if next, has = admit(state, w.Mode, true); !has {
			next = state | queued
		}
		return next, has
	}
	// When the EDT queues it need not keep the block: before the block is freed, the holder that excludes the EDT serves
	// the queue.
	if next, has = admitKept(state, w.Mode); !has {
		next = state - readOne | queued
	}
	return next, has
}

// serve grants block i to the first waiters of its queue, until one is not compatible, and appends them to granted.
func (s *Store) serve(i uint32, r *Record, granted []Waiter) []Waiter {
	r.lock.Lock()
	defer r.lock.Unlock()
	for r.first[0].edt != 0 {
		w := r.first[0].waiter()
		if !r.grant(w.Mode) {
			return granted
		}
		granted = append(granted, w)
		r.leave(s.placesOf(i))
	}
	r.unmark()
	return granted
}

func (s *Store) placesOf(i uint32) *places { return &s.places[i%placesShards] }

// unmark clears the queued bit, as the queue is empty. The caller holds its lock. Subtle: two holders that release may
// both read the bit, and the second may call unmark when another block has the record. Then the queue is that block's,
// and if the queue is empty the bit is not set: unmark changes nothing.
func (r *Record) unmark() { r.state.And(^uint64(queued)) }

// grant is TryAcquire for the first waiter of the queue: it has queued already, so neither the queue nor a destruction
// since then refuses it.
func (r *Record) grant(m datablock.Mode) bool {
	for {
		old := r.state.Load()
		next, ok := admit(old, m, false)
		if !ok || r.state.CompareAndSwap(old, next) {
			return ok
		}
	}
}

// Waiting calls f for every EDT and rank that waits for a block, in the order of each queue. It is for reports; f must
// not call the store.
func (s *Store) Waiting(f func(block uint32, w Waiter)) {
	if !s.waited.Load() {
		return
	}
	s.table.Each(func(i uint32, r *Record) {
		r.lock.Lock()
		defer r.lock.Unlock()
		for _, w := range r.list(s.placesOf(i)) {
			f(i, w.waiter())
		}
	})
}

// closeQueues empties the queues, as later runs reuse the records.
func (s *Store) closeQueues() {
	if s.waited.Swap(false) {
		s.table.Each(func(_ uint32, r *Record) { r.queue = queue{} })
		s.places = [placesShards]places{}
	}
}
