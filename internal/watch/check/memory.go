package check

import (
	"sync"
	"unsafe"

	"ocr/internal/core/sys"
)

// A memory gives out pages. Within a run it gives out each address once, so one that is used after the release of its
// view leads to memory that may not be used.
type memory struct {
	extents []extent // of the run, the last of which is in use
	next    int      // in that
	live    int      // pages given out and not given back
	given   []*pages // the latest, the oldest first
}

// An extent is a range of addresses.
type extent struct {
	start unsafe.Pointer
	size  int
}

// Pages are shown to an EDT, or to several that read.
type pages struct {
	bytes []byte
	shown []*view // of the latest that have had them
}

const (
	extentSize  = 1 << 30
	extentsKept = 64      // of earlier runs, before one of them is used again
	livePages   = 1 << 13 // views at a time: Linux allows 65530 ranges of different use, and Go's heap needs some
	givenKept   = 1 << 14 // views that are remembered, to name the one of a fault
)

// old are the extents of runs that are over.
var old struct {
	sync.Mutex
	extents []extent
}

// newExtent reserves addresses for at least n bytes; false if there are none.
func newExtent(n int) (extent, bool) {
	n = max(n, extentSize)
	old.Lock()
	defer old.Unlock()
	if len(old.extents) > extentsKept && old.extents[0].size >= n {
		e := old.extents[0]
		old.extents = old.extents[1:]
		return e, sys.Clear(e.start, e.size, sys.NoAccess) == nil
	}
	p := sys.Reserve(n)
	return extent{p, n}, p != nil
}

// take returns pages for size bytes, zero, which may be written; nil if there are none.
func (m *memory) take(size int) *pages {
	n := whole(size)
	if m.live == livePages {
		return nil
	}
	if len(m.extents) == 0 || m.next+n > m.extents[len(m.extents)-1].size {
		e, ok := newExtent(n)
		if !ok {
			return nil
		}
		m.extents, m.next = append(m.extents, e), 0
	}
	at := unsafe.Add(m.extents[len(m.extents)-1].start, m.next)
	if sys.Clear(at, n, sys.ReadWrite) != nil {
		return nil
	}
	m.next += n
	m.live++
	p := &pages{bytes: unsafe.Slice((*byte)(at), size)}
	keepLast(&m.given, p, givenKept)
	return p
}

// drop gives the memory of pages back. An access to them faults.
func (m *memory) drop(p *pages) {
	m.live--
	_ = sys.Clear(start(p.bytes), whole(len(p.bytes)), sys.NoAccess)
}

// protect says what may be done with pages.
func (p *pages) protect(may sys.Protection) {
	_ = sys.Protect(start(p.bytes), whole(len(p.bytes)), may)
}

// find returns the pages that an address is in, nil if there are none.
func (m *memory) find(addr uintptr) *pages {
	for n := len(m.given) - 1; n >= 0; n-- {
		p := m.given[n]
		if from := uintptr(start(p.bytes)); from <= addr && addr < from+uintptr(len(p.bytes)) {
			return p
		}
	}
	return nil
}

// close makes all pages zero and readable: a goroutine that has kept bytes may read them after the run.
func (m *memory) close() {
	old.Lock()
	defer old.Unlock()
	for _, e := range m.extents {
		_ = sys.Clear(e.start, e.size, sys.ReadOnly)
	}
	old.extents = append(old.extents, m.extents...)
	*m = memory{}
}

// whole is a size in whole pages.
func whole(size int) int { return (size + sys.Page - 1) / sys.Page * sys.Page }

// start returns where bytes begin.
func start(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }
