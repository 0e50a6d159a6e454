package check

import (
	"fmt"
	"sync/atomic"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/sys"
	"ocr/runtime/finding"
)

// A hold is one EDT's access to a block.
type hold struct {
	node  *node
	block *block
	mode  datablock.Mode
	slot  int           // that the block was on, -1 for none
	came  string        // " on slot N (name)", if the template names the slot
	as    *layout       // of the elements by the type of the slot, nil if that is not known
	view  []byte        // the bytes that the EDT sees
	at    *extent       // the addresses of the view
	small *smallView    // nil if the view maps pages of the contents
	twins map[int]*twin // by page: what it saw at first, if others have published changes since
	parts int64         // mappings of the view, see mostParts
	taken atomic.Bool   // the view is unmapped, though the hold is not over
	use   atomic.Uint32 // of a copy, see copyUse
	over  bool

	// Under the checker's lock:
	exposed   []exposure
	published moment // of its writes, 0 before
	changed   bool   // it has published writes
}

// A twin is a copy of a page as an EDT saw it at first.
type twin struct {
	bytes []byte
	use   sys.PageUse // how the EDT had used the page when others changed it
}

func (h *hold) writes() bool { return h.mode == datablock.RW || h.mode == datablock.EW }

// kept is the protection of the view, by the mode of the hold.
func (h *hold) kept(m *memory) sys.Protection {
	if h.writes() {
		return sys.ReadWrite
	}
	return m.readable()
}

// open makes an EDT's view of a block and returns the bytes that the EDT sees. slot is -1 if the block is on none.
func (w *worker) open(n *node, id guid.GUID, mode datablock.Mode, slot int, real []byte) []byte {
	if len(real) == 0 {
		return real
	}
	w.k.lock()
	b := w.k.blockOf(id)
	w.k.mu.Unlock()
	h := &hold{node: n, block: b, mode: mode, slot: slot}
	seen := w.show(h, real)
	if h.view != nil {
		w.k.lock()
		defer w.k.mu.Unlock()
		n.keepHold(h)
	}
	return seen
}

// keepHold records a hold. The caller holds the lock.
func (n *node) keepHold(h *hold) {
	if n.holds == nil {
		n.holds = make(map[guid.GUID]*hold)
	}
	n.holds[h.block.id] = h
}

// show makes the view of a hold, and returns the bytes that the EDT sees. Without room for a view, and if the EDTs of
// the block synchronise their accesses, that is the block's memory itself: all EDTs see its writes at once, and the
// checker knows nothing of them.
//
// Subtle: a hold that may write is added to b.holds under the same lock as its view is made, so that later publications
// keep twins of its pages (keepTwins).
func (w *worker) show(h *hold, real []byte) []byte {
	m, b, size := &w.k.memory, h.block, len(real)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.place(m, real)
	if !b.placed || b.shared {
		return real
	}
	small := m.isSmall(size)
	switch {
	case small && w.views.copy(h, size):
		copy(h.small.bytes, b.bytes)
	case !small && w.views.show(h, b.off, size, h.kept(m)):
	default:
		return b.bytes
	}
	if h.kept(m) == sys.ReadWrite {
		b.holds = append(b.holds, h)
	}
	return h.view
}

// close ends an EDT's access to a block, or its writing if it is downgraded.
func (w *worker) close(h *hold, downgraded bool) {
	k, b := w.k, h.block
	if h.small != nil {
		switch {
		case !w.returned && downgraded:
			w.views.keepUse([]*hold{h})
		case !w.returned:
			k.takeNewFaults()
			w.views.takeOne(h)
		}
		if !downgraded {
			w.views.released(h)
		}
	}
	pub := h.publish(&k.memory, k.tick())
	pub.site = w.sites.here()
	k.lock()
	k.takeFaults() // before h ends: faults so far were of an EDT that held the block
	k.judge(h, &pub)
	h.end(downgraded)
	k.mu.Unlock()
	switch {
	case downgraded:
		w.views.downgrade(h, b.off)
	case h.small != nil:
		w.views.leave(h)
	default:
		w.views.hide(h)
	}
}

// end ends a hold, or makes it one for reading. The caller holds the lock.
func (h *hold) end(downgraded bool) {
	h.twins = nil
	if downgraded {
		h.mode = datablock.RO
		return
	}
	delete(h.node.holds, h.block.id)
	h.over, h.block = true, h.block.remains() // kept for findings of late accesses
}

// judge reports faults in an EDT's use of a block when its hold ends.
func (k *Checker) judge(h *hold, p *publication) {
	if h.writes() {
		k.judgeWrites(h, p)
		k.judgeExposures(h)
	} else {
		k.judgeReads(h, p)
	}
	switch {
	case !h.changed:
		k.noteLook(look{
			hold: h, closed: k.tick(), pages: p.Pages, copied: h.small != nil, doubtful: h.writes() && p.Small,
		})
	case p.Small:
		k.writers[users{h.node.template, h.slot}] = true
	}
}

// judgeWrites reports bytes that two EDTs without an order have changed. The caller holds the lock, here and in the
// functions below.
func (k *Checker) judgeWrites(h *hold, p *publication) {
	h.published = p.at
	k.unwritten(h, p)
	var after []cause // changes of others
	for _, c := range h.noteWriter(p) {
		if k.judgeConflict(h, p, &c) {
			after = append(after, c.by)
		}
	}
	if h.changed = p.Hi > 0; h.changed {
		k.noteChange(h, changeOf(h.node, p), after)
	}
	b := h.block
	if b.locked = append(b.locked, cause{from: h.node, at: p.at}); len(b.locked) == lockedKept {
		b.locked = k.condense(b.locked, 1)
	}
}

// judgeConflict reports words that two EDTs have changed without an order. If they have changed different bytes, and
// the sizes of the numbers are not known, it is a note. It returns whether the program orders the two.
func (k *Checker) judgeConflict(h *hold, p *publication, c *conflict) (planned bool) {
	if k.planned(c.by.from, c.by.at, h.node) {
		return true
	}
	f := h.finding(finding.WriteRace, fmt.Sprintf("bytes %d to %d%s", c.lo, c.hi-1, c.values))
	f.Site = p.site
	switch turns := k.ordered(c.by.from, c.by.at, h.node); {
	case turns && (!c.same || h.block.allowed&edt.ExclusiveWriters != 0):
		return false
	case turns:
		f.Kind = finding.TurnOrder
	case !c.same:
		f.Kind, f.Note = finding.SharedWord, true
		f.Detail = fmt.Sprintf(
			"bytes %d to %d: each has changed others of them; a race if one has written a whole word", c.lo, c.hi-1)
	}
	k.report(c.by.from.against(f))
	return false
}

// lockedKept bounds block.locked.
const lockedKept = 64

// judgeReads reports bytes that an EDT has changed though it may only read, or has read though they were never written.
func (k *Checker) judgeReads(h *hold, p *publication) {
	if p.Hi > 0 {
		f := h.finding(finding.ReadOnlyWrite,
			fmt.Sprintf("at bytes %d to %d of %d, held in mode %v", p.Lo, p.Hi-1, h.block.size, h.mode))
		f.Site = p.site
		k.report(f)
	}
	if page := k.unwritten(h, p); page >= 0 {
		from := page * sys.Page
		last := min(from+sys.Page, h.block.size) - 1
		f := h.finding(finding.UnwrittenRead, fmt.Sprintf("among bytes %d to %d", from, last))
		f.Site = p.site
		k.report(f)
	}
}

// unwritten returns a page that an EDT has used before it was ever written, -1 for none.
func (k *Checker) unwritten(h *hold, p *publication) (found int) {
	found = -1
	for page, use := range p.Pages {
		if !k.memory.tellsUnwritten || use == 0 {
			continue
		}
		if known := at(&h.block.known, page); !*known {
			*known = true
			if !h.block.filled {
				found = page
			}
		}
	}
	return found
}

// finding is the common part of findings about a hold.
func (h *hold) finding(kind finding.Kind, detail string) finding.Finding {
	return h.node.finding(kind, "", h.block.id, h.block.site, detail)
}
