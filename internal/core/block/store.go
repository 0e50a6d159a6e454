package block

import (
	"errors"

	"ocr/datablock"
	"ocr/internal/core/ids"
	"ocr/internal/core/word"
)

// ErrNoMemory: the block does not fit into the memory limit of the run.
var ErrNoMemory = errors.New("not enough memory")

// ErrTooMany: there is no record for another block.
var ErrTooMany = errors.New("too many data blocks alive")

var recordStock ids.Stock[Record]

// A Store holds the blocks of one run.
type Store struct {
	table  ids.Table[Record]
	places [placesShards]places
	waited word.Bool // an EDT has waited for a block in this run
	arena  arena

	// Join, if set before the first use, chooses the place of a new waiter in a block's queue: it returns how many waiters
	// stay before the new one. Any order is correct. Join is called under a lock.
	Join func(waiting int) int
}

// Open prepares a store that is new, or was closed. The spans of its blocks have at most limit bytes together; 0 means
// no limit.
func (s *Store) Open(limit uint64) {
	s.Join = nil
	s.table.Init(&recordStock)
	s.arena.open(limit)
}

// Close drops all blocks. No worker may use the store then.
func (s *Store) Close() {
	s.closeQueues()
	s.table.Close()
	s.arena.close()
}

// At returns the record of a block that the caller knows to exist.
func (s *Store) At(i uint32) *Record { return s.table.At(i) }

// Lookup returns the record of the block with this low GUID word, nil if the GUID is stale.
func (s *Store) Lookup(lo uint64) *Record { return s.table.Lookup(lo) }

// EachLive calls f for every block that was not destroyed. No worker may use the store meanwhile.
func (s *Store) EachLive(f func(i uint32, r *Record)) {
	s.table.Each(func(i uint32, r *Record) {
		if r.Live() {
			f(i, r)
		}
	})
}

// A Local is one worker's part of a store. Only its worker may use it.
type Local struct {
	store *Store
	recs  ids.Cache[Record]
	mem   pool
}

// Init makes l a part of a store, restricted to the goroutine of its worker (see [ids.Cache.Init]).
func (l *Local) Init(s *Store, owner *ids.Owner) {
	l.store = s
	l.recs.Init(&s.table, owner)
	l.mem.init(&s.arena)
}

// At returns the record of a block that the caller knows to exist.
func (l *Local) At(i uint32) *Record { return l.recs.At(i) }

// Asked reports whether the store has asked its workers for their free memory. An idle
// worker should then call [Local.GiveBack].
func (l *Local) Asked() bool { return l.mem.arena.asked.Load() != l.mem.answered }

// GiveBack returns the worker's free memory to the store if the store has asked for it.
func (l *Local) GiveBack() { l.mem.answer() }

// CreateQuick is Create of a small block that the caller holds, but the caller clears the memory. It returns nil for
// another size, and if the worker has no free record, or no free block that was used before. It is a leaf function, so
// its variables stay in registers.
func (l *Local) CreateQuick(size int) (i uint32, r *Record) {
	if uint(size-1) >= fineLimit {
		return 0, nil
	}
	class := uint8((size - 1) / lineSize)
	m := &l.mem.magazines[class]
	n := m.n - 1
	if i = l.recs.Next(); i == 0 || n >= uint(len(m.addrs)) {
		return 0, nil
	}
	m.n = n
	l.recs.Take()
	r = l.recs.At(i)
	r.size, r.addr, r.class = uint64(size), m.addrs[n], class
	r.state.Publish(classOne)
	return i, r
}

// Create creates a block of size zeroed bytes. If acquire is set the caller holds it in mode RW.
func (l *Local) Create(size int, acquire bool) (i uint32, r *Record, err error) {
	i = l.recs.Get() // first: after the run there is no record, and the memory is that of another run
	if i == 0 {
		return 0, nil, ErrTooMany
	}
	addr, class, fresh, err := l.mem.get(size)
	if err != nil {
		l.recs.Put(i)
		return 0, nil, err
	}
	r = l.recs.At(i)
	r.size, r.addr, r.class = uint64(size), addr, class
	// No other worker knows the block yet. But a worker that has destroyed the record's former block may still read the
	// state.
	state := uint64(0)
	if acquire {
		state = classOne
	}
	r.state.Publish(state)
	if !fresh {
		clear(r.Bytes())
	}
	return i, r, nil
}

// Release releases a block held in mode m (not Null). The waiters that acquire it are appended to granted.
func (l *Local) Release(i uint32, r *Record, m datablock.Mode, granted []Waiter) []Waiter {
	for {
		old := r.state.Load()
		next := leave(old, m)
		if !r.state.CompareAndSwap(old, next) {
			continue
		}
		if next&(destroyed|queued) != 0 {
			return l.released(i, r, next, granted)
		}
		return granted
	}
}

func (l *Local) released(i uint32, r *Record, state uint64, granted []Waiter) []Waiter {
	if state&queued != 0 && state&classMask == 0 {
		return l.store.serve(i, r, granted)
	}
	if state == destroyed {
		l.free(i, r)
	}
	return granted
}

// Downgrade replaces a hold in mode m by a hold in mode RO, and publishes the holder's writes. The waiters that acquire
// the block are appended to granted.
func (l *Local) Downgrade(i uint32, r *Record, m datablock.Mode, granted []Waiter) []Waiter {
	for {
		old := r.state.Load()
		next := leave(old, m) + readOne
		if !r.state.CompareAndSwap(old, next) {
			continue
		}
		if next&queued != 0 && next&classMask == 0 {
			return l.store.serve(i, r, granted)
		}
		return granted
	}
}

// Destroy makes the block's GUID stale. It frees the memory if the block has no holder; else the last holder frees it.
func (l *Local) Destroy(i uint32, r *Record) {
	l.expire(r)
	for {
		old := r.state.Load()
		if !r.state.CompareAndSwap(old, old|destroyed) {
			continue
		}
		if old == 0 {
			l.free(i, r)
		}
		return
	}
}

// DestroyHeld is Destroy and Release in one, for an EDT that holds the block in mode m.
func (l *Local) DestroyHeld(i uint32, r *Record, m datablock.Mode, granted []Waiter) []Waiter {
	l.expire(r)
	return l.LeaveDestroyed(i, r, m, granted)
}

// LeaveDestroyed is Release for a block whose GUID the holder has made stale.
func (l *Local) LeaveDestroyed(i uint32, r *Record, m datablock.Mode, granted []Waiter) []Waiter {
	for {
		old := r.state.Load()
		next := leave(old, m) | destroyed
		if r.state.CompareAndSwap(old, next) {
			return l.released(i, r, next, granted)
		}
	}
}

// DestroyQuick is DestroyHeld for a small block that the caller holds in mode RW, without other holders or waiters, if
// the worker has room for its memory and its record. Like CreateQuick it is a leaf function. If another worker acquires
// the block meanwhile, which happens in no correct program, only stale is true, and the caller calls
// [Local.LeaveDestroyed].
func (l *Local) DestroyQuick(i uint32, r *Record) (stale, done bool) {
	class := r.class
	if class >= fineCount || l.recs.Full() || r.Last() || r.state.Load() != classOne {
		return false, false
	}
	m := &l.mem.magazines[class]
	if m.n >= uint(len(m.addrs)) {
		return false, false
	}
	r.Expire()
	if !r.state.CompareAndSwap(classOne, destroyed) {
		return true, false
	}
	m.addrs[m.n] = r.addr
	m.n++
	r.size = 0
	l.recs.Give(i)
	return true, true
}

// expire makes the GUID stale. It marks a record that must not be reused, as it has had its last generation.
func (l *Local) expire(r *Record) {
	if !r.Expire() {
		r.class |= keepRecord
	}
}

func (l *Local) free(i uint32, r *Record) {
	l.mem.put(r.addr, r.class&^keepRecord)
	r.size = 0
	r.class &= keepRecord // size 0 and emptyClass would make it the record of an empty block
	if r.class == 0 {
		l.recs.Put(i)
	}
}
