package block

import (
	"errors"
	"sync/atomic"

	"ocr/datablock"
	"ocr/internal/core/ids"
)

// ErrNoMemory: the block does not fit into what the run may use.
var ErrNoMemory = errors.New("not enough memory")

var recordStock ids.Stock[Record]

// A Store holds the blocks of one run.
type Store struct {
	table  ids.Table[Record]
	places [placesShards]places
	waited atomic.Bool // some EDT has waited for a block in this run
	arena  arena

	// Join, if it is set before the first use, says behind how many of the
	// EDTs that wait for a block the next one joins them: any order is right. It is
	// called under a lock.
	Join func(waiting int) int
}

// Open readies a new store, or one that was closed. It hands out at most limit bytes
// of memory, rounding to size classes included; 0 means no limit.
func (s *Store) Open(limit uint64) {
	s.Join = nil
	s.table.Init(&recordStock)
	s.arena.open(limit, nil)
}

// openIn is Open in memory that other processes have, too.
func (s *Store) openIn(a *area, limit uint64) {
	s.Join = nil
	s.table.InitShared(a.records)
	s.arena.open(limit, a)
}

// Close forgets all blocks. No worker may use the store any more.
func (s *Store) Close() {
	s.closeQueues()
	s.table.Close()
	s.arena.close()
}

// At returns the record of a block that the caller knows to exist.
func (s *Store) At(i uint32) *Record { return s.table.At(i) }

// Lookup returns the record of the block with this low GUID word, nil if it is
// stale.
func (s *Store) Lookup(lo uint64) *Record { return s.table.Lookup(lo) }

// EachLive calls f for every block that was not destroyed. No worker may be
// running.
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

// Init ties l to its store.
func (l *Local) Init(s *Store) {
	l.store = s
	l.recs.Init(&s.table)
	l.mem.init(&s.arena)
}

// OwnedBy has l make no block for any goroutine but its worker's, see [ids.Cache.OwnedBy].
func (l *Local) OwnedBy(o *ids.Owner) { l.recs.OwnedBy(o) }

// Leave ties l to another store, which is closed, as its own is. What is in its magazines cannot become
// a block any more, for want of a record.
func (l *Local) Leave(to *Store) {
	l.store, l.mem.arena = to, &to.arena
	l.recs.Leave(&to.table)
}

// At returns the record of a block that the caller knows to exist.
func (l *Local) At(i uint32) *Record { return l.recs.At(i) }

// Asked reports whether the store wants back what its workers keep. One that has
// nothing to do should then call [Local.GiveBack].
func (l *Local) Asked() bool { return l.mem.arena.asked.Load() != l.mem.answered }

// GiveBack gives back the free memory that the worker keeps if the store wants it.
func (l *Local) GiveBack() { l.mem.answer() }

// CreateQuick is Create, of a small block that the caller holds, if the worker has memory that
// was used before and a record. It returns nil if not, and leaves it to the caller to clear
// the memory. It calls nothing, so all that it needs stays in registers.
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
	r.size, r.addr, r.class, r.home = uint64(size), m.addrs[n], class, -1
	r.state = classOne
	return i, r
}

// Create makes a block of size zeroed bytes. With acquire set the caller holds it
// in mode RW.
func (l *Local) Create(size int, acquire bool) (i uint32, r *Record, err error) {
	addr, class, fresh, err := l.mem.get(size)
	if err != nil {
		return 0, nil, err
	}
	i = l.recs.Get()
	if i == 0 {
		l.mem.put(addr, class)
		return 0, nil, ErrNoMemory
	}
	r = l.recs.At(i)
	r.size, r.addr, r.class, r.home = uint64(size), addr, class, -1
	r.state = 0 // nobody else knows the record yet
	if acquire {
		r.state = classOne
	}
	if !fresh {
		clear(r.Bytes())
	}
	return i, r, nil
}

// Release gives back a hold in mode m (not Null). EDTs that can now have the
// block are appended to granted.
func (l *Local) Release(i uint32, r *Record, m datablock.Mode, granted []Waiter) []Waiter {
	for {
		old := atomic.LoadUint64(&r.state)
		next := leave(old, m)
		if !atomic.CompareAndSwapUint64(&r.state, old, next) {
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

// Downgrade turns a hold in mode m into one that only reads: writes are
// published, and EDTs that waited for the writer to leave are appended to granted.
func (l *Local) Downgrade(i uint32, r *Record, m datablock.Mode, granted []Waiter) []Waiter {
	for {
		old := atomic.LoadUint64(&r.state)
		next := leave(old, m) + readOne
		if !atomic.CompareAndSwapUint64(&r.state, old, next) {
			continue
		}
		if next&queued != 0 && next&classMask == 0 {
			return l.store.serve(i, r, granted)
		}
		return granted
	}
}

// Destroy makes the block's GUID stale. Its memory is freed now if nobody holds
// it, else by the last holder.
func (l *Local) Destroy(i uint32, r *Record) {
	l.expire(r)
	for {
		old := atomic.LoadUint64(&r.state)
		if !atomic.CompareAndSwapUint64(&r.state, old, old|destroyed) {
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

// LeaveDestroyed is Release of a block whose GUID its holder has made stale.
func (l *Local) LeaveDestroyed(i uint32, r *Record, m datablock.Mode, granted []Waiter) []Waiter {
	for {
		old := atomic.LoadUint64(&r.state)
		next := leave(old, m) | destroyed
		if atomic.CompareAndSwapUint64(&r.state, old, next) {
			return l.released(i, r, next, granted)
		}
	}
}

// DestroyQuick is DestroyHeld for a small block that nobody else holds or waits for, held in mode
// RW, if the worker has room for its memory and its record. It calls nothing, like
// CreateQuick. If another worker acquires the block meanwhile, which no correct program
// lets it do, the GUID is stale and the rest is left to [Local.LeaveDestroyed].
func (l *Local) DestroyQuick(i uint32, r *Record) (stale, done bool) {
	class := r.class
	if class >= fineCount || l.recs.Full() || r.Last() || atomic.LoadUint64(&r.state) != classOne {
		return false, false
	}
	m := &l.mem.magazines[class]
	if m.n >= uint(len(m.addrs)) {
		return false, false
	}
	r.Expire()
	if !atomic.CompareAndSwapUint64(&r.state, classOne, destroyed) {
		return true, false
	}
	m.addrs[m.n] = r.addr
	m.n++
	r.size = 0
	l.recs.Give(i)
	return true, true
}

// expire makes the GUID stale, and has the record kept back if its place has no
// more generations.
func (l *Local) expire(r *Record) {
	if !r.Expire() {
		r.class |= keepRecord
	}
}

func (l *Local) free(i uint32, r *Record) {
	l.mem.put(r.addr, r.class&^keepRecord)
	r.size = 0
	if r.class&keepRecord == 0 {
		l.recs.Put(i)
	}
}
