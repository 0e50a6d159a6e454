package check

import (
	"slices"
	"sort"
	"sync"
	"unsafe"

	"ocr/internal/sys"
)

// views are one worker's part of the addresses of views: page after page, each used once
// until all have been. An address that an EDT kept too long leads to pages that nobody may
// use.
//
// Concurrency: its worker gives views out and takes them away; any worker may ask whose
// view an address is in. All is under mu.
type views struct {
	m        *memory
	from, to int // bytes from the start of the memory

	mu    sync.Mutex
	next  int
	shown []shown // in the order of their addresses, from the last time round
	live  map[*hold]shown
	skip  []shown // what was live when this round began, from next on
}

// shown is a view that was given out.
type shown struct {
	from, to int // bytes from the start of the memory
	hold     *hold
}

// shownKept is how many views are remembered, to find the view that a fault is in.
const shownKept = 1 << 14

// split makes the views of a worker, one of so many.
func (m *memory) split(worker, workers int) *views {
	part := m.half() / workers / sys.Page * sys.Page
	from := m.half() + worker*part
	return &views{m: m, from: from, to: from + part, next: from, live: make(map[*hold]shown)}
}

// show gives an EDT a view of its block, in which it may do what may says. It returns
// false if there is no room for it.
func (v *views) show(h *hold, off, size int, may sys.Protection) bool {
	p := v.give(h, size)
	if p == nil {
		return false
	}
	if v.m.backing.Show(p, off, whole(size), may, true) != nil {
		v.hide(h)
		return false
	}
	if v.m.tellsUnwritten {
		v.showUnwritten(h, may)
	}
	return true
}

// mostParts bounds the parts of different kinds that all views of a run have: the system keeps
// a list of them, of 65530 in a process, and Go cannot go on without new ones.
const mostParts = 1 << 14

// showUnwritten shows zeroes in place of pages that nobody has written: of those it is known
// exactly which of them the EDT uses.
func (v *views) showUnwritten(h *hold, may sys.Protection) {
	b, pages := h.block, whole(len(h.view))/sys.Page
	for from := 0; from < pages && !b.filled && v.m.parts.Load() < v.m.mostParts; from++ {
		to := from
		for to < pages && (to >= len(b.written) || !b.written[to]) {
			to++
		}
		if to > from {
			_ = sys.Clear(unsafe.Add(startOf(h.view), from*sys.Page), (to-from)*sys.Page, may)
			v.m.parts.Add(2)
			h.parts += 2
			from = to
		}
	}
}

// give finds addresses for a view, nil if there are none.
func (v *views) give(h *hold, size int) unsafe.Pointer {
	v.mu.Lock()
	defer v.mu.Unlock()
	n := whole(size)
	if v.m.start == nil || n > v.to-v.from || v.m.parts.Load() >= v.m.mostParts || !v.place(n) {
		return nil
	}
	if len(v.shown) == shownKept {
		v.shown = slices.Delete(v.shown, 0, shownKept/2)
	}
	given := shown{v.next, v.next + n, h}
	v.shown, v.live[h] = append(v.shown, given), given
	v.next += n + sys.Page // what runs over the end finds nothing
	p := unsafe.Add(v.m.start, given.from)
	h.view, h.parts = unsafe.Slice((*byte)(p), size), 2
	v.m.parts.Add(2)
	return p
}

// place moves next to n free bytes: not in a view that is in use since the round before.
func (v *views) place(n int) bool {
	for range 2 {
		for len(v.skip) > 0 && v.next+n+sys.Page > v.skip[0].from {
			v.next = max(v.next, v.skip[0].to+sys.Page)
			v.skip = v.skip[1:]
		}
		if v.next+n <= v.to {
			return true
		}
		v.startAgain()
	}
	return false
}

func (v *views) startAgain() {
	v.next, v.shown, v.skip = v.from, nil, make([]shown, 0, len(v.live))
	for _, s := range v.live {
		v.skip = append(v.skip, s)
	}
	slices.SortFunc(v.skip, func(a, b shown) int { return a.from - b.from })
}

// at returns the hold whose view an address is in, nil if there is none.
func (v *views) at(addr uintptr) *hold {
	v.mu.Lock()
	defer v.mu.Unlock()
	start := uintptr(v.m.start)
	if v.m.start == nil || addr < start+uintptr(v.from) || addr >= start+uintptr(v.to) {
		return nil
	}
	off := int(addr - start)
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
	v.mu.Lock()
	delete(v.live, h)
	v.mu.Unlock()
	_ = sys.Clear(startOf(h.view), whole(len(h.view)), v.m.unused())
	v.m.parts.Add(-h.parts)
}
