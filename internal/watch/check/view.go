package check

import (
	"cmp"
	"maps"
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
	shown []*hold // of this round, in the order of their addresses
	live  map[*hold]bool
	skip  []*hold // live when this round began, from next on
}

// shownKept bounds the views that are remembered to find the view of a fault.
const shownKept = 1 << 14

// split makes the views of one of the workers.
func (m *memory) split(worker, workers int) *views {
	part := m.half() / workers / sys.Page * sys.Page
	from := m.half() + worker*part
	return &views{m: m, from: from, to: from + part, next: from, live: make(map[*hold]bool)}
}

// show maps an EDT's view of its block, which is at off of the memory. It returns false if there is no room for it.
func (v *views) show(h *hold, off, size int) bool {
	if v.m.parts.Load() >= v.m.mostParts || !v.give(h, size) {
		return false
	}
	h.parts = 2
	v.m.parts.Add(2)
	if v.m.backing.Show(startOf(h.view), off, whole(size), h.kept(v.m), true) != nil {
		v.hide(h)
		h.view = nil
		return false
	}
	if v.m.tellsUnwritten {
		v.showUnwritten(h)
	}
	return true
}

// mostParts bounds the mappings of all views of a run: Linux allows 65530 in a process, and Go's heap needs some.
const mostParts = 1 << 14

// showUnwritten maps zeroes in place of pages that were never written: for these the system tells exactly which of them
// the EDT uses.
func (v *views) showUnwritten(h *hold) {
	b, pages := h.block, whole(len(h.view))/sys.Page
	for from := 0; from < pages && !b.filled && v.m.parts.Load() < v.m.mostParts; from++ {
		to := from
		for to < pages && (to >= len(b.written) || !b.written[to]) {
			to++
		}
		if to > from {
			_ = sys.Clear(unsafe.Add(startOf(h.view), from*sys.Page), (to-from)*sys.Page, h.kept(v.m))
			v.m.parts.Add(2)
			h.parts += 2
			from = to
		}
	}
}

// give reserves addresses for a view of size bytes; it returns false if there are none.
func (v *views) give(h *hold, size int) bool {
	n := whole(size)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.m.start == nil || n > v.to-v.from || !v.place(n) {
		return false
	}
	if len(v.shown) == shownKept {
		v.shown = slices.Delete(v.shown, 0, shownKept/2)
	}
	h.from, h.to = v.next, v.next+n
	h.view = unsafe.Slice((*byte)(unsafe.Add(v.m.start, h.from)), size)
	v.shown, v.live[h] = append(v.shown, h), true
	v.next += n + sys.Page // an access beyond the end faults
	return true
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
		v.next, v.shown, v.skip = v.from, nil, slices.SortedFunc(maps.Keys(v.live), byAddress)
	}
	return false
}

func byAddress(a, b *hold) int { return cmp.Compare(a.from, b.from) }

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
		return v.shown[k]
	}
	for h := range v.live {
		if h.from <= off && off < h.to {
			return h
		}
	}
	return nil
}

// hide unmaps views that lie one behind the other.
func (v *views) hide(row ...*hold) {
	from, to := row[0].from, row[len(row)-1].to
	_ = sys.Clear(unsafe.Add(v.m.start, from), to-from, v.m.unused())
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, h := range row {
		h.hidden.Store(true)
		delete(v.live, h)
		v.m.parts.Add(-h.parts)
	}
}

// downgrade makes a view read-only, of the block's contents.
func (v *views) downgrade(h *hold) {
	_ = v.m.backing.Show(startOf(h.view), h.block.off, whole(len(h.view)), h.kept(v.m), true)
}
