package block

import (
	"sync/atomic"
	"unsafe"

	"ocr/datablock"
)

// If the ranks of a run have memory in common, each uses the blocks of the others *in place*: their bytes, and
// the state words of their records. A hold is taken and given back by a compare-and-swap on the home's record, as by
// a thread of the home. The queue is the home's alone: who cannot have the block has the home queue it, and who leaves
// a block for which somebody waits has the home serve the queue.

// Shared is the stores of all ranks of a run, for all of them. Lookup is how a rank finds the records of another one.
//
// Concurrency: an entry is written before the rank that it is for tells anybody the name of a block.
type Shared struct {
	stores []atomic.Pointer[Store]
	own    *area // of this process's rank, nil if all ranks are in this process
}

// NewShared makes what so many ranks share that are in this process.
func NewShared(ranks int) *Shared { return &Shared{stores: make([]atomic.Pointer[Store], ranks)} }

// Open opens the store of a rank, like [Store.Open].
func (s *Shared) Open(rank int, store *Store, limit uint64) {
	if s.own != nil {
		store.openIn(s.own, limit)
	} else {
		store.Open(limit)
	}
	s.stores[rank].Store(store)
}

// Lookup returns the record of another rank's block, by its low GUID word, nil if it is stale. A block that the
// caller's rank has a pin of stays; if it has none the home may be about to use the record for another one.
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

// At is Lookup of a block that the caller's rank has a pin of. It does not look at the record.
func (s *Shared) At(rank int, lo uint64) *Record { return s.stores[rank].Load().table.At(uint32(lo)) }

//go:norace
func holds(r *Record, lo uint64) bool { return int64(lo) < 0 && r.Is(lo) }

// PlaceAt makes a new proxy that of a block which is used in place.
func (r *Record) PlaceAt(home *Record, rank int, lo uint64) {
	r.addr, r.size, r.home = uintptr(unsafe.Pointer(home)), lo, int16(rank)
	r.state |= inPlace
}

// InPlace returns the record at home of another rank's block that is used in place, nil if this is not a proxy of
// one.
func (r *Record) InPlace() *Record {
	if atomic.LoadUint64(&r.state)&inPlace == 0 {
		return nil
	}
	return (*Record)(r.memory())
}

// NameInPlace returns the home of a proxy's block that is used in place, and the block's low GUID word.
func (r *Record) NameInPlace() (rank int, lo uint64) { return int(r.home), r.size }

// Use notes in a proxy that an EDT of this rank has the block in place, or waits for it; Unuse ends that.
func (r *Record) Use()   { atomic.AddUint64(&r.state, classOne) }
func (r *Record) Unuse() { atomic.AddUint64(&r.state, ^uint64(classOne-1)) }

// TryPlaced is TryAcquire of another rank's block, of which home has a hold in mode RO. It begins with a
// compare-and-swap on what the word is if nobody else has the block: so the line comes once, to be written, and not to
// be read before.
func (r *Record) TryPlaced(m datablock.Mode) bool {
	if m != datablock.RO && atomic.CompareAndSwapUint64(&r.state, readOne, readOne|classOf[m]+classOne) {
		return true
	}
	return r.TryAcquire(m)
}

// Leave gives back a hold in mode m (not Null) of a block of another rank. It reports whether its home has to serve
// the queue.
func (r *Record) Leave(m datablock.Mode) (serve bool) { return r.leaveFor(m, 0) }

// LeaveToRead is Leave, but keeps a hold that only reads.
func (r *Record) LeaveToRead(m datablock.Mode) (serve bool) { return r.leaveFor(m, readOne) }

// leaveFor changes a hold for another one, which is added to the word.
func (r *Record) leaveFor(m datablock.Mode, hold uint64) (serve bool) {
	for {
		old := atomic.LoadUint64(&r.state)
		next := leave(old, m) + hold
		if atomic.CompareAndSwapUint64(&r.state, old, next) {
			return next&queued != 0 && next&classMask == 0
		}
	}
}

// Serve goes through the queue of a block that another rank has left: those that can now have it are appended to
// granted. The block may be gone by now, and its record be another's: then the queue of that is served, which does no
// harm.
func (l *Local) Serve(i uint32, granted []Waiter) []Waiter {
	return l.store.serve(i, l.At(i), granted)
}
