package check

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"ocr/internal/core/sys"
)

// A memory is one region of address space for the blocks of a checked run. Its first half has the contents of all
// blocks of more than a page, each on its own pages. Its second half has the views, which map those pages again: shared
// for reading, copy-on-write for writing. So a view costs the pages that its EDT uses, whatever the size of the block.
//
// Concurrency: mu guards the places of blocks. Each worker has a part of the views, see views.
type memory struct {
	region
	backing *sys.Backing
	guarded bool // accesses that are not allowed can be caught on any goroutine

	tellsUnwritten bool // reads of bytes that were never written are reported

	frames int // that are mapped together, see frames; 0 if no block is copied

	parts     atomic.Int64 // mappings of all views, see mostParts
	mostParts int64

	mu   sync.Mutex
	next int
	free map[int][]int // by size: free places
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

// regionsKept is the number of regions of earlier runs that are kept before one is used again, so that addresses used
// after their run do not belong to another block.
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

// close ends the use of the memory. Its addresses are not used again for some runs.
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

// unused is the protection of memory that must not be used. Without guards it is accessible: a fault on a goroutine
// other than an EDT's would end the process.
func (m *memory) unused() sys.Protection {
	if m.guarded {
		return sys.NoAccess
	}
	return sys.ReadWrite
}

// readable is the protection of memory that may only be read.
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

// drop frees the place of a block.
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
