package check

import (
	"sort"
	"unsafe"

	"ocr/internal/sys"
)

// views are the memory that EDTs are shown in place of blocks: page after page of a
// reserved stretch of address space, each used once until all have been. An address
// that an EDT kept too long leads to pages that nobody may access.
type views struct {
	start unsafe.Pointer
	size  int
	next  int
	shown []shown // in the order of their addresses, from the last time round
}

// shown is a view that was given out.
type shown struct {
	from, to int // bytes from start
	hold     *hold
}

// addressSpace is how much is reserved, or the largest part of it that can be had.
const addressSpace = 1 << 40

// shownKept is how many views are remembered to tell whose address a fault is at.
const shownKept = 1 << 16

func (v *views) reserve() {
	for n := addressSpace; n >= 1<<28; n /= 4 {
		if p := sys.Reserve(n); p != nil {
			v.start, v.size = p, n
			return
		}
	}
}

func (v *views) release() {
	if v.start != nil {
		sys.Unreserve(v.start, v.size)
		v.start = nil
	}
}

// show returns size bytes, zero and never touched, on pages of their own, nil where
// there are none.
func (v *views) show(h *hold, size int) []byte {
	n := (size + sys.Page - 1) / sys.Page * sys.Page
	if v.start == nil || n > v.size {
		return nil
	}
	if v.next+n > v.size {
		v.next, v.shown = 0, nil
	}
	p := unsafe.Add(v.start, v.next)
	if sys.Protect(p, n, sys.ReadWrite) != nil {
		return nil
	}
	if len(v.shown) == shownKept {
		v.shown = v.shown[:copy(v.shown, v.shown[shownKept/2:])]
	}
	v.shown = append(v.shown, shown{v.next, v.next + n, h})
	v.next += n + sys.Page // what runs over the end finds nothing
	return unsafe.Slice((*byte)(p), size)
}

// at returns whose view an address is in, nil for nobody's.
func (v *views) at(addr uintptr) *hold {
	if v.start == nil || addr < uintptr(v.start) || addr-uintptr(v.start) >= uintptr(v.size) {
		return nil
	}
	off := int(addr - uintptr(v.start))
	k := sort.Search(len(v.shown), func(k int) bool { return v.shown[k].to > off })
	if k == len(v.shown) || off < v.shown[k].from {
		return nil
	}
	return v.shown[k].hold
}

// pages returns the pages that a view is on.
func pages(view []byte) (p unsafe.Pointer, bytes, count int) {
	count = (len(view) + sys.Page - 1) / sys.Page
	return unsafe.Pointer(unsafe.SliceData(view)), count * sys.Page, count
}

func seal(view []byte) {
	p, n, _ := pages(view)
	_ = sys.Protect(p, n, sys.ReadOnly)
}

func hide(view []byte) {
	p, n, _ := pages(view)
	sys.DropPages(p, n)
	_ = sys.Protect(p, n, sys.NoAccess)
}

// touched tells which pages of a view were accessed, nil where that is not known.
func touched(view []byte) []bool {
	p, _, count := pages(view)
	return sys.Touched(p, count)
}
