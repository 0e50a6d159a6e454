package check

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"ocr/internal/sys"
)

// A memory is where the blocks of a run are while it is checked, and what EDTs see of
// them. It is one stretch of address space. In its first half is the contents of all blocks of more than a page, each on
// pages of its own; in the second the views, which have the system show those pages
// again: for reading the very same ones, for writing a copy of each page that is written.
// So a view costs what is used of it, however large the block is.
//
// Concurrency: mu guards the places of blocks. Each worker has a part of the views, see
// views.
type memory struct {
	region
	backing *sys.Backing
	guarded bool // accesses that are not allowed can be caught on any goroutine

	tellsUnwritten bool // reads of what nobody has written are to be reported

	frames int // that are shown together, see frames; 0 if no block is copied

	parts     atomic.Int64 // of the views that there are, see mostParts
	mostParts int64

	mu   sync.Mutex
	next int
	free map[int][]int // by size: places that blocks had
}

// A region is address space.
type region struct {
	start unsafe.Pointer // nil for none
	size  int
}

// addressSpace is how much is reserved, or the largest part of it that can be had.
const addressSpace = 1 << 42

// leastSpace is the smallest reserve that is worth having.
const leastSpace = 1 << 28

// regionsKept is how many regions of earlier runs are left alone before one is used again,
// so that bytes that are used after their run are not those of another block.
const regionsKept = 8

// ended are the regions of runs that are over.
var ended struct {
	mu  sync.Mutex
	all []region
}

// newRegion reserves size bytes of address space, or a part of it of at least least.
func newRegion(size, least int) region {
	ended.mu.Lock()
	defer ended.mu.Unlock()
	if len(ended.all) < regionsKept {
		if p := sys.Reserve(size); p != nil {
			return region{p, size}
		}
	}
	for k, r := range ended.all {
		if r.size >= least {
			ended.all = append(ended.all[:k:k], ended.all[k+1:]...)
			return r
		}
	}
	for ; size >= least; size /= 4 {
		if p := sys.Reserve(size); p != nil {
			return region{p, size}
		}
	}
	return region{}
}

func (m *memory) open(size, least int) {
	if m.region = newRegion(size, least); m.start == nil {
		return
	}
	m.free = make(map[int][]int)
	if m.backing = sys.NewBacking(m.start, m.half()); m.backing == nil {
		m.close()
		return
	}
	m.guarded, m.mostParts = sys.Guard(m.start, m.size, false), mostParts
}

// close ends the use of the memory. Its addresses stay its own for some time.
func (m *memory) close() {
	if m.start == nil {
		return
	}
	_ = sys.Clear(m.start, m.size, m.unused())
	if m.guarded {
		sys.Guard(m.start, m.size, true)
	}
	if m.backing != nil {
		m.backing.Close()
	}
	ended.mu.Lock()
	defer ended.mu.Unlock()
	ended.all = append(ended.all, m.region)
	m.start = nil
}

// half is the number of bytes of each half.
func (m *memory) half() int { return m.size / 2 / sys.Page * sys.Page }

// unused is what may be done with memory that nobody should use. If that could not be
// caught on goroutines of the program's own, the process would end.
func (m *memory) unused() sys.Protection {
	if m.guarded {
		return sys.NoAccess
	}
	return sys.ReadWrite
}

// readable is what may be done with memory that should only be read.
func (m *memory) readable() sys.Protection {
	if m.guarded {
		return sys.ReadOnly
	}
	return sys.ReadWrite
}

// place finds a place for a block, zeroed; false if there is none.
func (m *memory) place(size int) (off int, ok bool) {
	n := whole(size)
	m.mu.Lock()
	defer m.mu.Unlock()
	if list := m.free[n]; len(list) > 0 {
		m.free[n] = list[:len(list)-1]
		return list[len(list)-1], true
	}
	if m.start == nil || n > m.half()-m.next {
		return 0, false
	}
	off = m.next
	m.next += n
	return off, true
}

// drop gives up the place of a block.
func (m *memory) drop(off, size int) {
	n := whole(size)
	m.backing.Drop(off, n)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.free[n] = append(m.free[n], off)
}

// contents is the memory at a place.
func (m *memory) contents(off, size int) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(m.start, off)), size)
}

// whole is a size in whole pages.
func whole(size int) int { return (size + sys.Page - 1) / sys.Page * sys.Page }

// startOf returns where bytes begin.
func startOf(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }

func uintptrOf(b []byte) uintptr { return uintptr(startOf(b)) }
