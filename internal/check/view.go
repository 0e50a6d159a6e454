package check

import (
	"slices"
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
	live  map[*hold]shown
	skip  []shown // what was live when this round began, from next on
}

// shown is a view that was given out.
type shown struct {
	from, to int // bytes from start
	hold     *hold
}

// addressSpace is how much is reserved, or the largest part of it that can be had.
const addressSpace = 1 << 40

// leastSpace is the smallest reserve that is worth having.
const leastSpace = 1 << 28

// shownKept is how many views are remembered, to find the view that a fault is in.
const shownKept = 1 << 16

// reserve takes size bytes of address space, or a part of it of at least least.
func (v *views) reserve(size, least int) {
	v.live = make(map[*hold]shown)
	for n := size; n >= least; n /= 4 {
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

// show returns size bytes, zero and never touched, on pages of their own, nil if
// there are none.
func (v *views) show(h *hold, size int) []byte {
	n := whole(size)
	if v.start == nil || n > v.size || !v.place(n) {
		return nil
	}
	p := unsafe.Add(v.start, v.next)
	if sys.Protect(p, n, sys.ReadWrite) != nil {
		return nil
	}
	if len(v.shown) == shownKept {
		v.shown = slices.Delete(v.shown, 0, shownKept/2)
	}
	given := shown{v.next, v.next + n, h}
	v.shown, v.live[h] = append(v.shown, given), given
	v.next += n + sys.Page // what runs over the end finds nothing
	return unsafe.Slice((*byte)(p), size)
}

// place moves next to n free bytes: not in a view that is in use since the round before.
func (v *views) place(n int) bool {
	for range 2 {
		for len(v.skip) > 0 && v.next+n+sys.Page > v.skip[0].from {
			v.next = max(v.next, v.skip[0].to+sys.Page)
			v.skip = v.skip[1:]
		}
		if v.next+n <= v.size {
			return true
		}
		v.startAgain()
	}
	return false
}

func (v *views) startAgain() {
	v.next, v.shown, v.skip = 0, nil, make([]shown, 0, len(v.live))
	for _, s := range v.live {
		v.skip = append(v.skip, s)
	}
	slices.SortFunc(v.skip, func(a, b shown) int { return a.from - b.from })
}

// at returns the hold whose view an address is in, nil if there is none.
func (v *views) at(addr uintptr) *hold {
	if v.start == nil || addr < uintptr(v.start) || addr-uintptr(v.start) >= uintptr(v.size) {
		return nil
	}
	off := int(addr - uintptr(v.start))
	k := sort.Search(len(v.shown), func(k int) bool { return v.shown[k].to > off })
	if k < len(v.shown) && off >= v.shown[k].from {
		return v.shown[k].hold
	}
	for h, s := range v.live {
		if s.from <= off && off < s.to {
			return h
		}
	}
	return nil
}

// hide takes a view away.
func (v *views) hide(h *hold) {
	delete(v.live, h)
	p, n := pages(h.view)
	sys.DropPages(p, n)
	_ = sys.Protect(p, n, sys.NoAccess)
}

// pages returns the pages that a view is on.
func pages(view []byte) (p unsafe.Pointer, bytes int) {
	return unsafe.Pointer(unsafe.SliceData(view)), whole(len(view))
}

// whole is a size in whole pages.
func whole(size int) int { return (size + sys.Page - 1) / sys.Page * sys.Page }

func seal(view []byte) {
	p, n := pages(view)
	_ = sys.Protect(p, n, sys.ReadOnly)
}

// touched reports which pages of a view were accessed, nil if that is not known.
func touched(view []byte) []bool {
	p, n := pages(view)
	return sys.Touched(p, n/sys.Page)
}
