package check

import (
	"sync"
	"unsafe"

	"ocr/internal/core/sys"
)

// A memory allocates pages. Within a run it uses each address once, so an EDT that uses an address after the release of
// its view gets a fault.
type memory struct {
	extents []extent // of the run; the last one is in use
	next    int      // the offset of the free part of that extent
	live    int      // pages that were allocated and not dropped
	given   []*pages // the latest pages, the oldest first
}

// An extent is a range of addresses.
type extent struct {
	start unsafe.Pointer
	size  int
}

// A pages is memory that is shown to one EDT, or to several that read.
type pages struct {
	bytes []byte
	shown []*view // the latest views on them
}

const (
	extentSize  = 1 << 30
	extentsKept = 64      // extents of earlier runs that are kept before one of them is used again
	livePages   = 1 << 13 // pages at a time: Linux allows 65530 mappings, and Go's heap needs some
	givenKept   = 1 << 14 // pages that are remembered, to find the view of a fault
)

// old has the extents of runs that are over.
var old struct {
	sync.Mutex
	extents []extent
}

// newExtent reserves addresses for at least n bytes; it returns false if there are none.
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

// take allocates zeroed pages for size bytes, which may be written; it returns nil if there are none.
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

// drop frees the memory of pages. An access to them faults.
func (m *memory) drop(p *pages) {
	m.live--
	_ = sys.Clear(start(p.bytes), whole(len(p.bytes)), sys.NoAccess)
}

// protect sets which accesses the pages allow.
func (p *pages) protect(may sys.Protection) {
	_ = sys.Protect(start(p.bytes), whole(len(p.bytes)), may)
}

// find returns the pages that contain an address, nil if there are none.
func (m *memory) find(addr uintptr) *pages {
	for n := len(m.given) - 1; n >= 0; n-- {
		p := m.given[n]
		if from := uintptr(start(p.bytes)); from <= addr && addr < from+uintptr(len(p.bytes)) {
			return p
		}
	}
	return nil
}

// close makes all pages zero and readable: after the run a goroutine may read bytes that it has kept.
func (m *memory) close() {
	old.Lock()
	defer old.Unlock()
	for _, e := range m.extents {
		_ = sys.Clear(e.start, e.size, sys.ReadOnly)
	}
	old.extents = append(old.extents, m.extents...)
	*m = memory{}
}

// whole rounds a size up to whole pages.
func whole(size int) int { return (size + sys.Page - 1) / sys.Page * sys.Page }

// start returns the address of the first byte.
func start(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }
