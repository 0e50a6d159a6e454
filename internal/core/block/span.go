package block

import (
	"math/bits"
	"unsafe"
)

// A span is a contiguous piece of memory, cut into blocks of one class. Its length is the size of a class too: a span
// whose blocks are all free is listed under that class, and can be cut for any class whose spans have that length.
//
// Concurrency: all fields are under the lock of the arena. A block that is not free in the span is in a worker's pool,
// or in use.
type span struct {
	memory []byte // it has no pointers; this slice keeps it alive
	class  uint8  // of the blocks
	count  int    // blocks in the span
	fresh  int    // blocks, at the end, that were never used
	free   int    // bits set in freed
	freed  [maxBlocks / 64]uint64
	since  uint64 // the arena's clock when its last block came back

	list       *spanList // the list that it is in, nil for none
	prev, next *span
}

const (
	fineSpan  = 16 << 10            // bytes of a span of blocks of up to fineLimit
	spanLimit = 64 << 10            // bytes of the longest span of several blocks
	maxBlocks = fineSpan / lineSize // in a span
	pageSize  = 8 << 10             // of the Go heap; a span is whole pages
)

// spanBytes returns the length of the spans of a class: a multiple of the block size, except for blocks of up to
// fineLimit.
func spanBytes(class uint8) int {
	if class < fineCount {
		return fineSpan
	}
	n := classBytes(class)
	for n <= spanLimit/2 {
		n *= 2
	}
	return n
}

// assign cuts the span into blocks of a class. Fresh memory is zero.
func (s *span) assign(class uint8, fresh bool) {
	s.class, s.count = class, len(s.memory)/classBytes(class)
	if fresh {
		s.fresh = s.count
		return
	}
	s.fresh, s.free = 0, s.count
	for k := range s.freed {
		s.freed[k] = 1<<min(64, max(0, s.count-64*k)) - 1
	}
}

func (s *span) start() uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(s.memory))) }

// whole reports whether no block of the span is in use or in a worker's pool.
func (s *span) whole() bool { return s.free+s.fresh == s.count }

// pop takes a block out of freed; the caller has checked that there is one.
func (s *span) pop() uintptr {
	for k, word := range s.freed {
		if word != 0 {
			s.freed[k] = word & (word - 1)
			s.free--
			return s.start() + uintptr((k*64+bits.TrailingZeros64(word))*classBytes(s.class))
		}
	}
	panic("datablock: internal error: a span counts a free block that it does not have")
}

// push returns a block to freed.
func (s *span) push(addr uintptr) {
	k := int(addr-s.start()) / classBytes(s.class)
	s.freed[k/64] |= 1 << (k % 64)
	s.free++
}

// cut takes up to n of the blocks that were never used; the caller has checked that there is one.
func (s *span) cut(n int) (next, end uintptr) {
	n = min(n, s.fresh)
	bytes := classBytes(s.class)
	next = s.start() + uintptr((s.count-s.fresh)*bytes)
	s.fresh -= n
	return next, next + uintptr(n*bytes)
}

// leaveIfEmpty removes the span from its list if it has no block to take.
func (s *span) leaveIfEmpty() {
	if s.free+s.fresh == 0 {
		s.remove()
	}
}

// A spanList is a list of spans, the oldest first.
type spanList struct{ first, last *span }

func (l *spanList) push(s *span) {
	s.list, s.prev, s.next = l, l.last, nil
	if l.last == nil {
		l.first = s
	} else {
		l.last.next = s
	}
	l.last = s
}

// remove removes the span from its list, if it is in one.
func (s *span) remove() {
	l := s.list
	if l == nil {
		return
	}
	if s.prev == nil {
		l.first = s.next
	} else {
		s.prev.next = s.next
	}
	if s.next == nil {
		l.last = s.prev
	} else {
		s.next.prev = s.prev
	}
	s.list, s.prev, s.next = nil, nil, nil
}

// A directory finds the span of a block by its address.
type directory struct {
	regions map[uintptr]*region
	at      uintptr // the number of the region used last
	last    *region // that region
}

const regionPages = 512

type region [regionPages]*span

func (d *directory) region(page uintptr) *region {
	if at := page / regionPages; d.last == nil || d.at != at {
		r := d.regions[at]
		if r == nil {
			if d.regions == nil {
				d.regions = make(map[uintptr]*region)
			}
			r = new(region)
			d.regions[at] = r
		}
		d.at, d.last = at, r
	}
	return d.last
}

// set makes find return s for addresses in memory; a nil s removes them. A span longer than spanLimit has one block, so
// its first page is enough.
func (d *directory) set(memory []byte, s *span) {
	page := uintptr(unsafe.Pointer(unsafe.SliceData(memory))) / pageSize
	pages := len(memory) / pageSize
	if len(memory) > spanLimit {
		pages = 1
	}
	for k := range uintptr(pages) {
		d.region(page + k)[(page+k)%regionPages] = s
	}
}

func (d *directory) find(addr uintptr) *span {
	page := addr / pageSize
	return d.region(page)[page%regionPages]
}
