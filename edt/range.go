package edt

import (
	"sync"
	"sync/atomic"

	"ocr/guid"
	"ocr/internal/ids"
)

// ranges are the label ranges of a run. The labels of a kind are numbered, each range
// has the next so many, and no number is given twice: a label of a destroyed range is
// never one of another. The place of a destroyed range is used again; its GUIDs have a
// generation as those of all objects.
//
// Concurrency: all under mu but given, which only grows and may be read without it.
// Who knows a label has it from a range that was made before.
type ranges struct {
	given [guid.KindAffinity + 1]atomic.Uint64 // labels that ranges have or had, by kind

	mu   sync.Mutex
	all  []labelRange
	free []uint32 // places in all
}

type labelRange struct {
	kind        guid.Kind
	live        bool
	generation  uint32
	first, size uint64
}

const lastRangeGeneration = 1<<30 - 1

// make makes a range of n labels and returns its low GUID word, 0 if there are not
// so many labels left.
func (rs *ranges) make(n uint64, kind guid.Kind) (lo uint64) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	first := rs.given[kind].Load()
	if first > ids.MaxLabels-n {
		return 0
	}
	rs.given[kind].Store(first + n)
	last := len(rs.free) - 1
	if last < 0 {
		rs.all, rs.free = append(rs.all, labelRange{}), append(rs.free, uint32(len(rs.all)))
		last = 0
	}
	at := rs.free[last]
	rs.free = rs.free[:last]
	r := &rs.all[at]
	r.kind, r.live, r.first, r.size = kind, true, first, n
	return r.low(at)
}

func (r *labelRange) low(at uint32) uint64 { return 1<<63 | uint64(r.generation)<<32 | uint64(at+1) }

// of returns the range with this low GUID word, nil if it is stale. The caller holds
// the lock.
func (rs *ranges) of(lo uint64) *labelRange {
	at := uint32(lo) - 1
	if uint64(at) >= uint64(len(rs.all)) {
		return nil
	}
	if r := &rs.all[at]; r.live && r.low(at) == lo {
		return r
	}
	return nil
}

// find returns a copy of the range; ok is false if it is stale.
func (rs *ranges) find(lo uint64) (r labelRange, ok bool) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if r := rs.of(lo); r != nil {
		return *r, true
	}
	return r, false
}

// destroy forgets a range; ok is false if it is stale.
func (rs *ranges) destroy(lo uint64) (ok bool) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	r := rs.of(lo)
	if r == nil {
		return false
	}
	r.live = false
	if r.generation++; r.generation <= lastRangeGeneration {
		rs.free = append(rs.free, uint32(lo)-1)
	}
	return true
}

// count returns how many ranges were not destroyed.
func (rs *ranges) count() (n int) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for k := range rs.all {
		if rs.all[k].live {
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
	if n < 1 || uint64(n) > ids.MaxRange {
		c.misuse("create range", ErrCount, guid.Null, "%d labels, need 1 to %d", n, uint64(ids.MaxRange))
	}
	if kind != guid.KindEDT && kind != guid.KindEvent && kind != guid.KindBlock {
		c.misuse("create range", ErrKind, guid.Null, "%v; labels name EDTs, events and data blocks", kind)
	}
	c.g.labels.use()
	lo := c.g.labels.ranges.make(uint64(n), kind)
	if lo == 0 {
		c.misuse("create range", ErrMemory, guid.Null, "%d labels; the run has used up those for objects of kind %v", n, kind)
	}
	return guid.FromWords(c.g.high(guid.KindRange), lo)
}

// DestroyRange destroys a range: no more labels can be taken from it. Objects that
// were created under its labels stay.
func (c *Ctx) DestroyRange(rng guid.GUID) {
	if !c.g.labels.ranges.destroy(c.rangeWord("destroy range", rng)) {
		c.misuse("destroy range", ErrDestroyed, rng, "")
	}
}

// Label returns label index of a range (OCR ocrGuidFromIndex).
func (c *Ctx) Label(rng guid.GUID, index int) guid.GUID {
	r, ok := c.g.labels.ranges.find(c.rangeWord("label", rng))
	if !ok {
		c.misuse("label", ErrStale, rng, "")
	}
	if index < 0 || uint64(index) >= r.size {
		c.misuse("label", ErrCount, rng, "index %d, the range has 0 to %d", index, r.size-1)
	}
	return guid.FromWords(c.g.space.Label(uint8(r.kind), r.first+uint64(index)))
}

// rangeWord returns the low word of a range's GUID.
func (c *Ctx) rangeWord(op string, rng guid.GUID) uint64 {
	hi, lo := rng.Words()
	if hi != c.g.high(guid.KindRange) {
		c.wrongKind(op, rng, guid.KindRange)
	}
	return lo
}
