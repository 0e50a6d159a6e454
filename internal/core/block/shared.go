package block

import (
	"sync/atomic"
	"unsafe"

	"ocr/datablock"
)

// If the ranks of a run share memory, each uses the blocks of the others *in place*: their bytes and the state words
// of their records. It acquires and releases a block by a compare-and-swap on the home rank's record, as threads of
// the home rank do. Only the home rank changes the queue: a rank that cannot acquire the block asks the home rank to
// queue it, and one that releases a block with a queue asks the home rank to serve that.

// Shared is the stores of all ranks of a run. By it a rank finds the records of another rank.
//
// Concurrency: a rank's entry is written before the rank publishes the name of a block.
type Shared struct {
	stores []atomic.Pointer[Store]
	said   []*Said // by rank
	own    *area   // of this process's rank, nil if all ranks are in this process
}

// NewShared returns the Shared of the given number of ranks, all of them in this process.
func NewShared(ranks int) *Shared {
	s := &Shared{stores: make([]atomic.Pointer[Store], ranks)}
	for range ranks {
		s.said = append(s.said, new(Said))
	}
	return s
}

// Open opens the store of a rank, like [Store.Open].
func (s *Shared) Open(rank int, store *Store, limit uint64) {
	if s.own != nil {
		store.openIn(s.own, limit)
	} else {
		store.Open(limit)
	}
	store.shared, store.said, store.mine = s, s.said[rank], Stamp(rank+1)<<stampRank
	s.stores[rank].Store(store)
}

// Lookup returns the record of another rank's block, by its low GUID word, nil if that is stale. If the caller's rank
// has no pin of the block, its home rank may reuse the record for another block at any time.
func (s *Shared) Lookup(rank int, lo uint64) *Record {
	store := s.stores[rank].Load()
	if store == nil {
		return nil
	}
	if r := store.table.Find(uint32(lo)); r != nil && holds(r, lo) {
		return r
	}
	return nil
}

// At is Lookup of a block of which the caller's rank has a pin. It does not read the record.
func (s *Shared) At(rank int, lo uint64) *Record { return s.stores[rank].Load().table.At(uint32(lo)) }

//go:norace
func holds(r *Record, lo uint64) bool { return int64(lo) < 0 && r.Is(lo) }

// PlaceAt turns a new proxy into that of a block which this rank uses in place.
func (r *Record) PlaceAt(home *Record, rank int, lo uint64) {
	r.addr, r.size, r.home = uintptr(unsafe.Pointer(home)), lo, int16(rank)
	r.state |= inPlace
}

// InPlace returns the home rank's record of the proxy's block, nil if the block is not used in place.
func (r *Record) InPlace() *Record {
	if atomic.LoadUint64(&r.state)&inPlace == 0 {
		return nil
	}
	return (*Record)(r.memory())
}

// NameInPlace returns the home rank and the low GUID word of a proxy's block that is used in place.
func (r *Record) NameInPlace() (rank int, lo uint64) { return int(r.home), r.size }

// Use counts in a proxy one more EDT of this rank that holds the block in place or waits for it; Unuse one less.
func (r *Record) Use()   { atomic.AddUint64(&r.state, classOne) }
func (r *Record) Unuse() { atomic.AddUint64(&r.state, ^uint64(classOne-1)) }

// TryPlaced is TryAcquire of another rank's block, which the home rank holds in mode RO. It begins with a
// compare-and-swap from the state without other holders, not with a load: so the cache line is fetched once, for
// writing.
func (r *Record) TryPlaced(m datablock.Mode) bool {
	if m != datablock.RO && atomic.CompareAndSwapUint64(&r.state, readOne, readOne|foreign|classOf[m]+classOne) {
		return true
	}
	return r.tryFrom(m, foreign)
}

// LeaveInPlace releases a block of another rank held in mode m (not Null). used is whether an EDT has run with it. It
// reports whether the home rank has to serve the queue.
func (l *Local) LeaveInPlace(r *Record, m datablock.Mode, used bool) (serve bool) {
	return l.leaveFor(r, m, used, 0)
}

// LeaveToRead is LeaveInPlace, but keeps the block in mode RO.
func (l *Local) LeaveToRead(r *Record, m datablock.Mode) (serve bool) {
	return l.leaveFor(r, m, true, readOne)
}

// leaveFor replaces a hold in mode m by another one, which is added to the state; 0 is none.
func (l *Local) leaveFor(r *Record, m datablock.Mode, used bool, hold uint64) (serve bool) {
	for {
		old := atomic.LoadUint64(&r.state)
		if used {
			l.store.stamp(r, old, m)
		}
		next := leave(old, m) + hold
		if atomic.CompareAndSwapUint64(&r.state, old, next) {
			return next&queued != 0 && next&classMask == 0
		}
	}
}

// Serve serves the queue of a block that another rank has released: waiters that now hold it are appended to granted.
// If the block is gone and its record is another block's by now, Serve serves the queue of that one, which does no
// harm.
func (l *Local) Serve(i uint32, granted []Waiter) []Waiter {
	return l.store.serve(i, l.At(i), granted)
}
