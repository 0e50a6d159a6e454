package edt

import (
	"sync"
	"sync/atomic"

	"ocr/guid"
	"ocr/internal/core/ids"
)

// ranges are the label ranges of a run. The labels of a kind are numbered. Each range
// gets the next numbers, and no number is given twice: a label of a destroyed range never
// belongs to another. The place of a destroyed range is used again; its GUIDs have a
// generation as those of all objects.
//
// Concurrency: everything is changed under mu. Workers read without it: given, which only
// grows; places, a list that is replaced by a longer copy of it; and the range in a place,
// which never changes and goes from nil to a range and back. A worker learns of a label or
// range from another worker, or of a destruction, only through the program's own ordering;
// so the list and the place that it reads are no older.
type ranges struct {
	given  [guid.KindAffinity + 1]atomic.Uint64 // labels that ranges have or had, by kind
	places atomic.Pointer[[]atomic.Pointer[labelRange]]

	mu   sync.Mutex
	used int      // places that were ever in use: the first of the list
	free []uint64 // low GUID words for ranges to come, in places that were in use
}

type labelRange struct {
	low         uint64 // of its GUID: bit 63, generation, place + 1
	kind        guid.Kind
	first, size uint64
}

const (
	rangeGeneration     = 1 << 32
	lastRangeGeneration = 1<<30 - 1
)

// make makes a range of n labels and returns its low GUID word, 0 if fewer than n
// labels are left.
func (rs *ranges) make(n uint64, kind guid.Kind) (lo uint64) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	first := rs.given[kind].Load()
	if first > ids.MaxLabels-n {
		return 0
	}
	rs.given[kind].Store(first + n)
	if last := len(rs.free) - 1; last >= 0 {
		lo, rs.free = rs.free[last], rs.free[:last]
	} else {
		rs.used++
		lo = 1<<63 | uint64(rs.used)
	}
	rs.place(lo).Store(&labelRange{low: lo, kind: kind, first: first, size: n})
	return lo
}

// place returns the list entry of this low GUID word, and grows the list if it has none. The
// caller holds the lock, and may change the entry.
func (rs *ranges) place(lo uint64) *atomic.Pointer[labelRange] {
	var list []atomic.Pointer[labelRange]
	if p := rs.places.Load(); p != nil {
		list = *p
	}
	if rs.used > len(list) {
		longer := make([]atomic.Pointer[labelRange], 2*rs.used)
		for k := range list {
			longer[k].Store(list[k].Load())
		}
		list = longer
		rs.places.Store(&list)
	}
	return &list[uint32(lo)-1]
}

// find returns the range with this low GUID word, nil if it is stale.
func (rs *ranges) find(lo uint64) *labelRange {
	list := rs.places.Load()
	if at := uint32(lo) - 1; list != nil && uint64(at) < uint64(len(*list)) {
		if r := (*list)[at].Load(); r != nil && r.low == lo {
			return r
		}
	}
	return nil
}

// destroy forgets a range; ok is false if it is stale.
func (rs *ranges) destroy(lo uint64) (ok bool) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.find(lo) == nil {
		return false
	}
	rs.place(lo).Store(nil)
	if lo>>32&lastRangeGeneration < lastRangeGeneration {
		rs.free = append(rs.free, lo+rangeGeneration)
	}
	return true
}

// count returns how many ranges were not destroyed.
func (rs *ranges) count() (n int) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for k := range rs.used {
		if rs.place(uint64(k)+1).Load() != nil {
			n++
		}
	}
	return n
}

// gave reports whether a label can have come from one of the run's ranges.
func (rs *ranges) gave(label guid.GUID) bool {
	_, lo := label.Words()
	return ids.LabelNumber(lo) < rs.given[label.Kind()].Load()
}

// NewRange makes a range of n labels for objects of one kind: EDTs, events or data
// blocks.
func (c *Ctx) NewRange(n int, kind guid.Kind) guid.GUID {
	c.needRun("create range")
	if n < 1 || uint64(n) > ids.MaxRange {
		c.misuse("create range", ErrCount, guid.Null, "%d labels, need 1 to %d", n, uint64(ids.MaxRange))
	}
	if kind != guid.KindEDT && kind != guid.KindEvent && kind != guid.KindBlock {
		c.misuse("create range", ErrKind, guid.Null, "%v; labels name EDTs, events and data blocks", kind)
	}
	if c.labelsAway() {
		return c.queryAway("create range", queryNewRange, guid.FromWords(0, uint64(n)), uint64(kind))
	}
	c.g.labels.use()
	lo := c.g.labels.ranges.make(uint64(n), kind)
	if lo == 0 {
		c.misuse("create range", ErrMemory, guid.Null, "%d labels; the run has used up those for objects of kind %v", n, kind)
	}
	return guid.FromWords(c.g.space.Of(labelRank).High(uint8(guid.KindRange)), lo)
}

// DestroyRange destroys a range: no more labels can be taken from it. Objects that
// were created under its labels stay.
func (c *Ctx) DestroyRange(rng guid.GUID) {
	if c.labelsAway() {
		c.rangeWord("destroy range", rng)
		c.queryAway("destroy range", queryDestroyRange, rng, 0)
		return
	}
	if !c.g.labels.ranges.destroy(c.rangeWord("destroy range", rng)) {
		c.misuse("destroy range", ErrDestroyed, rng, "")
	}
}

// Label returns label index of a range (OCR ocrGuidFromIndex).
func (c *Ctx) Label(rng guid.GUID, index int) guid.GUID {
	if c.labelsAway() {
		c.rangeWord("label", rng)
		return c.queryAway("label", queryLabel, rng, uint64(index))
	}
	r := c.g.labels.ranges.find(c.rangeWord("label", rng))
	if r == nil {
		c.misuse("label", ErrStale, rng, "")
	}
	if index < 0 || uint64(index) >= r.size {
		c.misuse("label", ErrCount, rng, "index %d, the range has 0 to %d", index, r.size-1)
	}
	return guid.FromWords(c.g.space.Of(labelRank).Label(uint8(r.kind), r.first+uint64(index)))
}

// rangeWord returns the low word of a range's GUID.
func (c *Ctx) rangeWord(op string, rng guid.GUID) uint64 {
	hi, lo := rng.Words()
	if hi != c.g.space.Of(labelRank).High(uint8(guid.KindRange)) {
		c.wrongKind(op, rng, guid.KindRange)
	}
	return lo
}
