package ids

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

const (
	// ChunkLen is the number of new records that a worker takes from the table at a time.
	ChunkLen   = 1 << 12
	maxRecords = 1 << 26
	cacheLen   = 512
	batchLen   = cacheLen / 2
	firstTag   = 1 << 31 // variant 10, generation 0
	lastTag    = firstTag | 1<<30 - 1
	retired    = 1 << 30 // the tag of a record without generations left: it is in no GUID
)

// A Header opens every record of a [Table]. Its tag is the upper half of the low GUID word of the object in the record,
// or of the object that will be next in it.
//
// The worker that destroys the object writes the tag. In a right program no other worker reads the tag meanwhile. In a
// wrong program another worker may read the tag before the write or after it; after it, the GUID is stale.
type Header struct{ tag uint32 }

// Tag returns the record's present generation, with the variant bits.
func (h *Header) Tag() uint32 { return h.tag }

// Is reports whether the record holds the object whose low GUID word is lo. If so, the caller sees all that was written
// before [Header.Confirm].
func (h *Header) Is(lo uint64) bool { return h.current() == uint32(lo>>32) }

// Low returns the low GUID word of the object in record i.
func (h *Header) Low(i uint32) uint64 { return uint64(h.tag)<<32 | uint64(i) }

// Expire makes every GUID of the record's object stale, before [Cache.Put]. It returns false if the record has had its
// last generation: then it must not be put back.
func (h *Header) Expire() bool {
	if h.tag == lastTag {
		h.set(retired)
		return false
	}
	h.Advance()
	return true
}

// Last reports whether the present generation is the last: Expire will return false.
func (h *Header) Last() bool { return h.tag == lastTag }

// Reserve reserves a record that was handed out for an object to come. The object's low GUID word is [Header.Low]
// before the call; [Table.Lookup] does not find it until [Header.Confirm].
func (h *Header) Reserve() { h.set(h.tag &^ firstTag) }

// Confirm ends the reservation. A worker that finds the record then sees all that was written to it before.
func (h *Header) Confirm() { h.set(h.tag | firstTag) }

// headerOf is sound because the header opens the record.
func headerOf[T any](r *T) *Header { return (*Header)(unsafe.Pointer(r)) }

// A Chunk is a run of records.
type Chunk[T any] [ChunkLen]T

// A Table holds all records of one kind of object. T must be a struct that begins with a [Header] and has no Go
// pointers: the collector never looks into it.
//
// Concurrency: workers hand records to each other in batches, under mu. The contents of a record are protected by the
// package of the object.
type Table[T any] struct {
	memory[T]
	stock *Stock[T]
	_     [24]byte // so that the fields which change are in another cache line than those which lookups read

	mu      sync.Mutex
	used    uint32
	batches [][batchLen]uint32
	spilled atomic.Int32 // len(batches), which workers read before they lock
	caches  []*Cache[T]
	closed  bool // no record is handed out any more
}

// Init prepares a table that is new, or was closed. Its memory comes from the stock, and is returned to it at
// [Table.Close].
func (t *Table[T]) Init(stock *Stock[T]) {
	t.stock, t.closed = stock, false
	stock.get(&t.memory)
}

// Lookup returns the record of the object with this low GUID word, nil if there is none. lo may be any word: a record
// that was never handed out has no valid tag, and an index without a record is not below the limit.
func (t *Table[T]) Lookup(lo uint64) (r *T) {
	if uint32(lo) < t.limit.Load() && int64(lo) < 0 {
		if r = t.At(uint32(lo)); headerOf(r).current() != uint32(lo>>32) {
			r = nil
		}
	}
	return r
}

// Reserved reports whether a record is reserved for an object with this low GUID word.
func (t *Table[T]) Reserved(lo uint64) bool {
	return uint32(lo) < t.limit.Load() && int64(lo) < 0 &&
		headerOf(t.At(uint32(lo))).Is(lo&^(firstTag<<32))
}

// Find returns record i, nil if no such record was ever made. The record may hold no object: the caller checks.
func (t *Table[T]) Find(i uint32) *T {
	if i < t.limit.Load() {
		return t.At(i)
	}
	return nil
}

// Each calls f for every record that was ever handed out, whether it holds an object or not. No worker may use the
// table meanwhile.
func (t *Table[T]) Each(f func(i uint32, rec *T)) {
	for k := range t.used {
		first, end := k*ChunkLen, (k+1)*ChunkLen
		if k == 0 {
			first = 1
		}
		for _, cache := range t.caches {
			if cache.limit == end && cache.next < end {
				end = cache.next
			}
		}
		for i := first; i < end; i++ {
			f(i, t.At(i))
		}
	}
}

// Close returns the memory. The table is empty then, and hands out no records.
func (t *Table[T]) Close() {
	if t.closed {
		return
	}
	t.stock.put(&t.memory, t.used)
	for _, c := range t.caches {
		c.near, c.table, c.n, c.next, c.limit = near[T]{}, nil, 0, 0, 0
	}
	clear(t.caches)
	t.used, t.batches, t.caches, t.closed = 0, nil, t.caches[:0], true
	t.spilled.Store(0)
}

// A Cache is one worker's store of free records of a table. The record that was put last is handed out first, as it is
// in the processor's cache. Only its worker may use it.
type Cache[T any] struct {
	near[T]     // its At is the table's, with one load less
	table       *Table[T]
	owner       *Owner // only this goroutine refills it; nil for any
	next, limit uint32 // the rest of the worker's own chunk, never handed out
	n           int
	free        [cacheLen]uint32
}

// Init makes a new cache of a table. Unless owner is nil only the owner can refill the cache: another goroutine gets no
// record once the cache is empty. The goroutine is checked only at a refill, so [Cache.Take] does not cost more.
func (c *Cache[T]) Init(t *Table[T], owner *Owner) {
	c.near, c.table, c.owner = t.near(), t, owner
	t.mu.Lock()
	t.caches = append(t.caches, c)
	t.mu.Unlock()
}

// Get hands out a record: its index, 0 if there is none (see refill). The record's tag is current; the rest is left
// from its last use.
func (c *Cache[T]) Get() uint32 {
	if c.n == 0 {
		c.refill()
	}
	c.n--
	return c.free[c.n&(cacheLen-1)]
}

// Empty reports whether Get would have to refill the cache.
func (c *Cache[T]) Empty() bool { return c.n == 0 }

// Next returns the record that Get would hand out, 0 if Get would have to refill the cache.
func (c *Cache[T]) Next() uint32 {
	if c.n == 0 {
		return 0
	}
	return c.free[(c.n-1)&(cacheLen-1)]
}

// Take is Get for a cache that is not empty.
func (c *Cache[T]) Take() uint32 {
	c.n--
	return c.free[c.n&(cacheLen-1)]
}

// Full reports whether Put would have to hand records over to other workers.
func (c *Cache[T]) Full() bool { return c.n == cacheLen }

// Give is Put for a cache that is not full.
func (c *Cache[T]) Give(i uint32) {
	c.free[c.n&(cacheLen-1)] = i
	c.n++
}

// Put takes a record back, after [Header.Expire].
func (c *Cache[T]) Put(i uint32) {
	if c.n == cacheLen {
		c.spill()
	}
	c.free[c.n&(cacheLen-1)] = i
	c.n++
}

// refill puts at least one record into the empty cache: index 0 if the table is full, the caller is not the owner, or
// the cache has no table. It takes new records only if no worker has handed over a batch, so that a producer and a
// consumer on two workers circulate the same records.
func (c *Cache[T]) refill() {
	if c.owner != nil && !c.owner.Calls() || c.table == nil {
		c.n, c.free[0] = 1, 0
		return
	}
	if c.table.spilled.Load() > 0 && c.takeBatch() {
		return
	}
	c.n = 1
	if c.next == c.limit && !c.takeChunk() {
		c.free[0] = 0
		return
	}
	i := c.next
	c.next++
	if h := headerOf(c.At(i)); h.tag < firstTag {
		h.tag = firstTag
	}
	c.free[0] = i
}

func (c *Cache[T]) takeBatch() bool {
	t := c.table
	t.mu.Lock()
	defer t.mu.Unlock()
	last := len(t.batches) - 1
	if last < 0 {
		return false
	}
	c.n = copy(c.free[:], t.batches[last][:])
	t.batches = t.batches[:last]
	t.spilled.Store(int32(last))
	return true
}

func (c *Cache[T]) takeChunk() bool {
	t := c.table
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed || !t.extend(t.used, t.stock) {
		return false
	}
	k := t.used
	t.used++
	c.next, c.limit = k*ChunkLen, (k+1)*ChunkLen
	if k == 0 {
		c.next = 1 // index 0 means "none"
	}
	return true
}

func (c *Cache[T]) spill() {
	t := c.table
	t.mu.Lock()
	defer t.mu.Unlock()
	t.batches = append(t.batches, [batchLen]uint32(c.free[:batchLen]))
	t.spilled.Store(int32(len(t.batches)))
	c.n = copy(c.free[:], c.free[batchLen:])
}
