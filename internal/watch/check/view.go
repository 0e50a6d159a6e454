package check

import (
	"slices"
	"sort"
	"sync"
	"unsafe"

	"ocr/internal/core/sys"
)

// views are one worker's part of the address space for views. Addresses are used in order, each once in a round, so an
// address that an EDT has kept leads to unmapped pages.
//
// Concurrency: only its worker maps and unmaps views; any worker may ask which view an address is in. That state is
// under mu, which is not held during system calls.
type views struct {
	m        *memory
	from, to int // bytes from the start of the memory

	mu    sync.Mutex
	next  int
	shown []*extent // of this round, in the order of their addresses
	known int       // number of views in shown
	live  map[*extent]bool
	skip  []*extent // live when this round began, from next on

	copies
}

// An extent is an address range of one view, or of several at equal distances.
type extent struct {
	from, to int     // bytes from the start of the memory
	size     int     // of each view, in whole pages
	holds    []*hold // by view, nil if it is not used
	live     int     // of several: the number in use
}

// shownKept bounds the views that are remembered to find the view of a fault.
const shownKept = 1 << 14

// split makes the views of one of the workers.
func (m *memory) split(worker, workers int) *views {
	part := m.half() / workers / sys.Page * sys.Page
	from := m.half() + worker*part
	m.useFrames(workers, part)
	return &views{m: m, from: from, to: from + part, next: from, live: make(map[*extent]bool)}
}

// show maps an EDT's view of its block, with protection may. It returns false if there is no room for it.
func (v *views) show(h *hold, off, size int, may sys.Protection) bool {
	if !v.m.hasParts() {
		return false
	}
	e := v.give(whole(size), whole(size), []*hold{nil})
	if e == nil {
		return false
	}
	p := unsafe.Add(v.m.start, e.from)
	v.mu.Lock()
	h.at, h.view, h.parts = e, unsafe.Slice((*byte)(p), size), 2
	e.holds[0] = h
	v.mu.Unlock()
	v.m.parts.Add(2)
	if v.m.backing.Show(p, off, whole(size), may, true) != nil {
		v.hide(h)
		return false
	}
	if v.m.tellsUnwritten {
		v.showUnwritten(h, may)
	}
	return true
}

// mostParts bounds the mappings of all views of a run: Linux allows 65530 in a process, and Go's heap needs some.
const mostParts = 1 << 14

func (m *memory) hasParts() bool { return m.parts.Load() < m.mostParts }

// showUnwritten maps zeroes in place of pages that were never written: for these the system tells exactly which of them
// the EDT uses.
func (v *views) showUnwritten(h *hold, may sys.Protection) {
	b, pages := h.block, whole(len(h.view))/sys.Page
	for from := 0; from < pages && !b.filled && v.m.hasParts(); from++ {
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

// give reserves n bytes of addresses for views of size bytes, of these holds; nil if there are none.
func (v *views) give(n, size int, holds []*hold) *extent {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.m.start == nil || n > v.to-v.from || !v.place(n) {
		return nil
	}
	for v.known+len(holds) > shownKept && len(v.shown) > 0 {
		v.known -= len(v.shown[0].holds)
		v.shown = slices.Delete(v.shown, 0, 1)
	}
	e := &extent{from: v.next, to: v.next + n, size: size, holds: holds}
	v.shown, v.known, v.live[e] = append(v.shown, e), v.known+len(holds), true
	v.next += n + sys.Page // an access beyond the end faults
	return e
}

// place moves next to n bytes that no view of an earlier round uses.
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
	v.next, v.shown, v.known, v.skip = v.from, nil, 0, make([]*extent, 0, len(v.live))
	for e := range v.live {
		v.skip = append(v.skip, e)
	}
	slices.SortFunc(v.skip, func(a, b *extent) int { return a.from - b.from })
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
		return v.shown[k].at(off)
	}
	for e := range v.live {
		if e.from <= off && off < e.to {
			return e.at(off)
		}
	}
	return nil
}

// at returns the hold whose view has offset off from the start of the memory, nil if there is none.
func (e *extent) at(off int) *hold {
	distance := (e.to - e.from) / len(e.holds)
	if (off-e.from)%distance >= e.size {
		return nil
	}
	return e.holds[(off-e.from)/distance]
}

// end marks an extent as unused: none of its views is in use.
func (v *views) end(e *extent) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.live, e)
}

// hide unmaps a view.
func (v *views) hide(h *hold) {
	v.end(h.at)
	_ = sys.Clear(startOf(h.view), whole(len(h.view)), v.m.unused())
	v.m.parts.Add(-h.parts)
}
