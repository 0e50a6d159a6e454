package check

import (
	"bytes"
	"fmt"
	"slices"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/sys"
	"ocr/internal/graph/site"
	"ocr/runtime/finding"
)

// A view is what one EDT sees of a block. It exists from the EDT's satisfaction with the block, and has bytes while the
// EDT holds the block.
//
// A block of a page or more is shown on pages: all EDTs that read a version share them, and an EDT that may write has
// pages of its own. A smaller block is copied to the heap, as system calls that change protections cost more than most
// EDTs. But the first EDTs of a template see small blocks on pages too: most faults show in these, with their line.
type view struct {
	node      *node
	id        guid.GUID // of the block
	site      string    // where the block was created
	block     *block    // nil after the release: the view may outlive the block
	mode      datablock.Mode
	came      string   // " on slot N (name)" if the template names the slot
	unit      int      // the size of the numbers in the block, 0 if unknown
	real      []byte   // the block's own memory
	bytes     []byte   // what the EDT sees
	was       []byte   // the same bytes, before the EDT has written
	version   *version // the version whose bytes are in was; nil after the release or downgrade
	pages     *pages   // the pages that hold bytes, nil if bytes is on the heap
	read      *version // the version whose pages these are, nil if they are the EDT's own
	exposed   []exposure
	published moment // the moment of the latest release or downgrade, 0 before
	changed   bool   // it has published changes
}

// watchedClosely is the number of EDTs of a template, on each worker, that see small blocks on pages.
var watchedClosely = 100

const (
	closeViews   = 64      // small blocks that each of these EDTs sees on pages, at most
	releasedKept = 1 << 12 // pages of copies that are checked for late writes; a smaller copy counts as a page
)

// poison is written to a copy after its release.
var poison = bytes.Repeat([]byte{0xDB}, 1<<12)

func (v *view) writes() bool { return v.mode == datablock.RW || v.mode == datablock.EW }

func (v *view) finding(kind finding.Kind, site, detail string) finding.Finding {
	return v.node.finding(kind, site, v.id, v.site, detail)
}

// view returns an EDT's view of a block; it makes one if there is none.
func (k *Checker) view(n *node, id guid.GUID) *view {
	v := n.views[id]
	if v == nil {
		b := k.blockOf(id)
		v = &view{node: n, id: id, site: b.site, block: b}
		if n.views == nil {
			n.views = make(map[guid.GUID]*view)
		}
		n.views[id] = v
		keepLast(&b.users, n, usersKept)
	}
	return v
}

// open returns the bytes that an EDT sees of a block. A block on several slots has one view, in the mode of the first.
func (w *worker) open(v *view, mode datablock.Mode, real []byte) []byte {
	if v.block.shared() || len(real) == 0 {
		return real
	}
	if v.bytes != nil {
		return v.bytes
	}
	v.mode, v.real = mode, real
	v.version = v.block.version(real)
	v.version.views++
	v.was = v.version.bytes
	if small := len(real) < sys.Page; !small || w.closely > 0 {
		if small {
			w.closely--
		}
		w.k.show(v)
	}
	if v.bytes == nil {
		v.bytes = cloneWords(v.was)
	}
	return v.bytes
}

// show gives a view pages, if there are any.
func (k *Checker) show(v *view) {
	switch {
	case v.writes() && k.write(v):
	case !v.writes() && k.read(v.version):
		v.read, v.pages = v.version, v.version.pages
	default:
		return
	}
	v.bytes = v.pages.bytes
	keepLast(&v.pages.shown, v, lately)
}

// comesOn records the name and the element type of a view's slot, if the slot has a name. If the block is on several
// slots, the first name counts, and types that differ count as unknown.
func (v *view) comesOn(t *edt.Template, slot int) {
	unit := unitOf(t.SlotType(slot))
	switch {
	case v.came == "" && t.SlotName(slot) != "":
		v.came, v.unit = fmt.Sprintf(" on slot %d (%s)", slot, t.SlotName(slot)), unit
	case v.unit != unit:
		v.unit = 0
	}
}

// release ends an EDT's view of a block, or only its writing if it downgrades.
func (k *Checker) release(v *view, site string, downgraded bool) {
	k.publish(v, site)
	if downgraded {
		v.unlink()
		v.mode, v.was = datablock.RO, cloneWords(v.bytes)
		if v.pages != nil && v.read == nil {
			v.pages.protect(sys.ReadOnly)
		}
		return
	}
	delete(v.node.views, v.id)
	k.hide(v)
}

// unlink ends the comparison of a view with its version.
func (v *view) unlink() {
	if v.version != nil {
		v.version.views--
		v.version = nil
	}
}

// hide takes the bytes of a view away.
func (k *Checker) hide(v *view) {
	switch {
	case v.read != nil:
		k.endRead(v.read)
	case v.pages != nil:
		k.endWrite(v)
	case v.bytes != nil:
		for part := range slices.Chunk(v.bytes, len(poison)) {
			copy(part, poison)
		}
		k.released = append(k.released, v)
		k.copied += whole(len(v.bytes))
		for k.copied > releasedKept*sys.Page && len(k.released) > 1 {
			oldest := k.released[0]
			k.released = k.released[1:]
			k.judgeLateWrite(oldest)
			k.copied -= whole(len(oldest.bytes))
			oldest.bytes = nil
		}
	}
	v.unlink()
	if b := v.block; b.destroyed && b.now != nil && b.now.views == 0 {
		k.end(b)
	}
	v.was, v.real, v.read, v.block = nil, nil, nil, nil
}

// judgeLateWrite reports a write to a copy after its release.
func (k *Checker) judgeLateWrite(v *view) {
	at := 0
	for part := range slices.Chunk(v.bytes, len(poison)) {
		if !bytes.Equal(part, poison[:len(part)]) {
			k.report(v.finding(finding.LateAccess, "", fmt.Sprintf(
				"byte %d of %d was written, held in mode %v%s; where is not known, it was seen some time later",
				at+firstChange(part, poison), len(v.bytes), v.mode, v.came)))
			return
		}
		at += len(part)
	}
}

// EDTPanicked reports the access that caused the panic, if it was to the pages of a view.
func (w *worker) EDTPanicked(value any) {
	fault, ok := value.(interface{ Addr() uintptr })
	if !ok {
		return
	}
	defer w.enter()()
	p := w.k.memory.find(fault.Addr())
	if p == nil {
		return
	}
	v := p.blamed(w.current)
	kind, what := finding.LateAccess, "used after its release"
	if v.published == 0 || w.current != nil && w.current.views[v.id] == v {
		kind, what = finding.ReadOnlyWrite, "written"
	}
	line, _ := site.OfPanic()
	f := v.finding(kind, line, fmt.Sprintf("byte %d of %d was %s, held in mode %v%s; the EDT panics there",
		int(fault.Addr()-uintptr(start(p.bytes))), len(p.bytes), what, v.mode, v.came))
	if v.node != w.current {
		f = w.current.against(f)
	}
	w.k.report(f)
}

// blamed returns the EDT's view on these pages, or if it has none the latest view on them.
func (p *pages) blamed(n *node) *view {
	if n != nil {
		for _, v := range n.views {
			if v.pages == p {
				return v
			}
		}
	}
	for _, v := range p.shown {
		if v.node == n {
			return v
		}
	}
	return p.shown[len(p.shown)-1]
}
