package check

import (
	"fmt"
	"slices"
	"unsafe"

	"ocr/edt"
	"ocr/internal/core/sys"
	"ocr/runtime/finding"
)

// A view of a block's pages costs three system calls: one maps the pages, one asks which of them were used, one unmaps
// them. The last interrupts every processor that runs a worker. So a block of a page or less is copied instead. The
// copies for one EDT lie in a row of frames, and one system call serves the whole row.
//
// A copy is unmapped before other effects of its EDT are visible: in the call by which the body releases it, else when
// the body has returned. A later use of its address, by an EDT or a goroutine that has kept it, faults as with other
// views.
//
// With several workers that still is the largest cost. So after the first EDTs of a template (atOnce), the copies that
// an EDT still has when its body has returned are unmapped only when several EDTs have left theirs (batch). Until then
// a kept address can still be read. A write to it faults if the copy was for reading, else it is found when the copy is
// unmapped.
//
// Between its acquire and its release an EDT does not see the releases of others, as all modes allow.

// copies are a worker's frames and the copies in them.
type copies struct {
	frames [2][]*frames // for EDTs that read, and that write
	given  [2][]*hold   // copies of the EDT that runs, still mapped: in the order of their frames
	left   []*hold      // copies of EDTs that have ended, still mapped
	ended  int          // number of EDTs that have left some
	late   []lateWrite  // found in copies that were left
	uses   []sys.PageUse
	spare  [][]byte // memory for was
}

// A lateWrite is to a copy that was released.
type lateWrite struct {
	hold *hold
	at   int // the first byte
}

const (
	// atOnce is the number of first EDTs of a template on each worker whose copies are unmapped at once.
	atOnce = 100
	// batch is the number of EDTs after which the copies that they left are unmapped.
	batch = 32
)

// frames are pages for copies of blocks. The checker sees them at their place in the memory. EDTs see them at addresses
// that are used once, as those of other views: when each frame was used, all are mapped at new addresses.
type frames struct {
	off  int // their place in the memory
	at   *extent
	next int     // the frame to use next
	held []*hold // by frame: the hold of the copy, nil for none
	live int     // number of copies in use
}

// framesTogether is the number of frames that are mapped together. Tests set 0 to map all blocks page by page.
var framesTogether = 256

// frameStride is the size of a frame and the gap behind it, in pages. On a fault Linux also maps resident pages of the
// same aligned 16 pages: without the gap these would count as used.
const frameStride = 16

func frameSpace() int { return frameStride * sys.Page }

// useFrames sets the number of frames that are mapped together, for workers with part bytes of addresses each; 0 if
// blocks are not copied. Copies need guarded memory: as frames are reused, late accesses must be caught.
func (m *memory) useFrames(workers, part int) {
	most := max(framesTogether/8, min(framesTogether, 8*framesTogether/workers))
	if m.frames = min(most, part/frameSpace()/8); m.frames < 8 || !m.guarded {
		m.frames = 0
	}
}

// isSmall reports whether a block of this size is copied.
func (m *memory) isSmall(size int) bool { return m.frames > 0 && size <= sys.Page }

// A smallView is a hold's copy of a block.
type smallView struct {
	frames *frames
	frame  int
	bytes  []byte // the copy, where the checker sees it
	was    []byte // the contents at the release, if the copy may be written after that; else nil
}

// copy gives an EDT a frame as its view, for a copy of its block. It returns false if there is no room for it.
func (v *views) copy(h *hold, size int) bool {
	way := 0
	if h.writes() {
		way = 1
	}
	if !v.m.hasParts() {
		return false
	}
	f, n := v.freeFrame(way, h.kept(v.m))
	if f == nil {
		return false
	}
	v.mu.Lock()
	h.at, h.view = f.at, unsafe.Slice((*byte)(unsafe.Add(v.m.start, f.at.from+n*frameSpace())), size)
	f.at.holds[n] = h
	v.mu.Unlock()
	h.small = &smallView{frames: f, frame: n, bytes: v.m.contents(f.off+n*frameSpace(), sys.Page)[:size]}
	f.held[n] = h
	f.live++
	f.at.live++
	h.parts = 2
	v.m.parts.Add(h.parts)
	v.given[way] = append(v.given[way], h)
	return true
}

// freeFrame finds a frame without a copy, nil if there is none and no more can be mapped.
func (v *views) freeFrame(way int, may sys.Protection) (f *frames, n int) {
	all := v.frames[way]
	if last := len(all) - 1; last >= 0 {
		if f = all[last]; f.skipHeld() {
			f.next++
			return f, f.next - 1
		}
		v.takeLeft()
		for k, f := range all {
			if f.live <= len(f.held)/2 && v.showAgain(f, may) {
				all[k], all[last] = all[last], f
				return v.freeFrame(way, may)
			}
		}
	}
	off, ok := v.m.place(v.m.frames * frameSpace())
	if !ok {
		return nil, 0
	}
	f = &frames{off: off, held: make([]*hold, v.m.frames)}
	if !v.showAgain(f, may) {
		return nil, 0
	}
	v.frames[way] = append(all, f)
	return v.freeFrame(way, may)
}

// skipHeld moves next to a frame without a copy.
func (f *frames) skipHeld() bool {
	for f.next < len(f.held) && f.held[f.next] != nil {
		f.next++
	}
	return f.next < len(f.held)
}

// showAgain maps frames at addresses that no view has had.
func (v *views) showAgain(f *frames, may sys.Protection) bool {
	e := v.give(len(f.held)*frameSpace(), sys.Page, make([]*hold, len(f.held)))
	if e == nil {
		return false
	}
	if v.m.backing.Show(unsafe.Add(v.m.start, e.from), f.off, e.to-e.from, may, false) != nil {
		v.end(e)
		return false
	}
	old := f.at
	f.at, f.next = e, 0
	if old == nil {
		v.m.parts.Add(2)
		return true
	}
	for n, h := range old.holds {
		if h == nil { // it was skipped, as an earlier round's copy was in it
			v.takeAway(old, n, 1)
		}
	}
	if old.live == 0 {
		v.end(old)
	}
	return true
}

// takeAway unmaps n frames.
func (v *views) takeAway(e *extent, first, n int) {
	_ = sys.Clear(unsafe.Add(v.m.start, e.from+first*frameSpace()), n*frameSpace(), v.m.unused())
}

// rows calls do for each run of copies that lie in adjacent frames.
func rows(all []*hold, do func(row []*hold)) {
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].at == all[0].at && all[n].small.frame == all[0].small.frame+n {
			n++
		}
		do(all[:n])
		all = all[n:]
	}
}

// take unmaps copies in a row.
func (v *views) take(row []*hold) {
	v.keepUse(row)
	v.takeAway(row[0].at, row[0].small.frame, len(row))
	for _, h := range row {
		h.taken.Store(true)
	}
}

// keepUse records which copies in a row the EDT has used, before they are unmapped.
func (v *views) keepUse(row []*hold) {
	pages := (len(row)-1)*frameStride + 1
	if len(v.uses) < pages {
		v.uses = make([]sys.PageUse, pages)
	}
	known := sys.PagesInUse(startOf(row[0].view), v.uses[:pages])
	for n, h := range row {
		h.use.Store(useIs(v.uses[n*frameStride], known))
	}
}

// useIs encodes the use of a copy for [hold.copyUse]; it is not 0.
func useIs(use sys.PageUse, known bool) uint32 {
	if !known {
		return 1 << 8
	}
	return 1<<9 | uint32(use)
}

// copyUse returns how the EDT has used a copy, false if that is not known. Any worker may call it. Subtle: the copy's
// worker stores use before it unmaps the copy, so if use is still 0 after the system call, the copy was mapped during
// it.
func (h *hold) copyUse() (sys.PageUse, bool) {
	use := h.use.Load()
	if use == 0 {
		var one [1]sys.PageUse
		known := sys.PagesInUse(startOf(h.view), one[:])
		if use = h.use.Load(); use == 0 {
			use = useIs(one[0], known)
		}
	}
	return sys.PageUse(use), use>>9 != 0
}

// bodyReturned ends the body's use of its copies; now has them unmapped at once.
func (v *views) bodyReturned(now bool) {
	for way, all := range v.given {
		if now {
			rows(all, v.take)
		}
		clear(all)
		v.given[way] = all[:0]
	}
}

// takeOne unmaps the copy of a block that the body releases.
func (v *views) takeOne(h *hold) {
	v.take([]*hold{h})
	for way, all := range v.given {
		if n := slices.Index(all, h); n >= 0 {
			v.given[way] = slices.Delete(all, n, n+1)
		}
	}
}

// downgrade makes a view read-only: of a copy with what the EDT has published, of a larger block with its contents.
func (v *views) downgrade(h *hold, off int) {
	if s := h.small; s != nil {
		h.use.Store(0)
		_ = v.m.backing.Show(startOf(h.view), s.frames.off+s.frame*frameSpace(), sys.Page, h.kept(v.m), false)
		return
	}
	_ = v.m.backing.Show(startOf(h.view), off, whole(len(h.view)), h.kept(v.m), true)
}

// released keeps the contents of a copy at its release, if it can be written after that.
func (v *views) released(h *hold) {
	if h.taken.Load() || !h.writes() {
		return
	}
	was := make([]byte, 0, sys.Page)
	if last := len(v.spare) - 1; last >= 0 {
		was, v.spare = v.spare[last], v.spare[:last]
	}
	h.small.was = append(was, h.small.bytes...)
}

// leave ends the use of a copy, now or with its batch.
func (v *views) leave(h *hold) {
	if h.taken.Load() {
		v.endCopy(h)
	} else {
		v.left = append(v.left, h)
	}
}

// endCopy ends the use of a frame.
func (v *views) endCopy(h *hold) {
	f, e := h.small.frames, h.at
	f.held[h.small.frame] = nil
	f.live--
	if e.live--; e.live == 0 && e != f.at {
		v.end(e)
	}
	v.m.parts.Add(-h.parts)
	h.small = nil
}

// takeLeft unmaps the copies that EDTs have left, and records those that were written since.
func (v *views) takeLeft() {
	if v.ended = 0; len(v.left) == 0 {
		return
	}
	slices.SortFunc(v.left, func(a, b *hold) int {
		if a.at != b.at {
			return a.at.from - b.at.from
		}
		return a.small.frame - b.small.frame
	})
	rows(v.left, v.take)
	for _, h := range v.left {
		if was := h.small.was; was != nil {
			if at := firstChange(was, h.small.bytes); at >= 0 {
				v.late = append(v.late, lateWrite{h, at})
			}
			v.spare = append(v.spare, was[:0])
		}
		v.endCopy(h)
	}
	clear(v.left)
	v.left = v.left[:0]
}

// firstChange returns the first byte in which two copies differ, -1 for none.
func firstChange(a, b []byte) int {
	if string(a) == string(b) {
		return -1
	}
	n := 0
	for a[n] == b[n] {
		n++
	}
	return n
}

// takeLeft unmaps the copies that EDTs of this worker have left, and reports late writes. The caller does not hold mu.
func (w *worker) takeLeft() {
	if w.views == nil || len(w.views.left)+len(w.views.late) == 0 {
		return
	}
	w.views.takeLeft()
	w.k.lock()
	defer w.k.mu.Unlock()
	w.k.takeFaults()
	for _, l := range w.views.late {
		h := l.hold
		w.k.report(h.finding(finding.LateAccess, fmt.Sprintf(
			"byte %d of %d was written, held in mode %v%s; where is not known, it was seen some time later",
			l.at, len(h.view), h.mode, h.came)))
	}
	w.views.late = nil
}

// watchesClosely reports whether the copies of the EDT that runs are unmapped when its body has returned.
func (w *worker) watchesClosely(t *edt.Template) bool {
	if w.of.Ctx().Workers() == 1 {
		return true
	}
	if w.ran == nil || len(w.ran) == templatesCounted {
		w.ran = make(map[*edt.Template]int)
	}
	n := w.ran[t] + 1
	w.ran[t] = n
	return n <= w.k.atOnce
}

// templatesCounted bounds the templates whose EDTs a worker counts; at the bound it starts over.
const templatesCounted = 1 << 12
