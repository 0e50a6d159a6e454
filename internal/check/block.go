package check

import (
	"encoding/binary"
	"fmt"
	"slices"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/sys"
	"ocr/runtime/finding"
)

// A block is what is known of a data block.
type block struct {
	id        guid.GUID
	site      string
	shared    bool    // its EDTs order their accesses by themselves
	filled    bool    // written before any EDT ran
	pages     []bool  // written by somebody
	last      []cause // of each word: the EDT that changed it last
	changes   []change
	looks     []look
	exclusive bool    // somebody held it in mode EW
	locked    []cause // all releases so far: exclusive holders come after them, and the other way round
	users     int     // EDTs that were satisfied with it and have yet to end
	destroyed bool
	ghost     *block // see remains
}

// remains is a block of which only the name is known, for what outlives it.
func (b *block) remains() *block {
	if b.ghost == nil {
		b.ghost = &block{id: b.id, site: b.site}
	}
	return b.ghost
}

// uses notes that an EDT will be given a block: what is known of it is kept until then,
// also if another destroys it.
func (n *node) uses(b *block) {
	b.users++
	n.blocks = append(n.blocks, b)
}

// dropBlocks ends an EDT's use of blocks.
func (k *Checker) dropBlocks(n *node) {
	for _, b := range n.blocks {
		b.users--
		k.forget(b)
	}
	n.blocks = nil
}

// forget drops what is known of a block that is destroyed, if nobody is to use it.
func (k *Checker) forget(b *block) {
	if b.destroyed && b.users == 0 {
		delete(k.blocks, b.id)
	}
}

const word = 8

// lockedKept bounds the releases of a block that are kept apart.
const lockedKept = 64

// at returns an element of a list that grows as needed.
func at[T any](list *[]T, n int) *T {
	if more := n + 1 - len(*list); more > 0 {
		*list = append(*list, make([]T, more)...)
	}
	return &(*list)[n]
}

func (b *block) wrote(n int) bool { return b.filled || n < len(b.pages) && b.pages[n] }

// A hold is one EDT's access to a block.
type hold struct {
	node    *node
	block   *block
	mode    datablock.Mode
	real    []byte // the block's own memory
	view    []byte // what the EDT sees
	twin    []byte // what it saw at first, if it may write; nil is zeroes
	over    bool
	exposed []exposure

	published moment // when its writes were, 0 before
	changed   bool   // there were some
}

func (h *hold) writes() bool { return h.mode == datablock.RW || h.mode == datablock.EW }

// blockOf returns what is known of a block: nothing, of one from before the run.
func (k *Checker) blockOf(id guid.GUID) *block {
	b := k.blocks[id]
	if b == nil {
		b = &block{id: id, filled: true}
		k.blocks[id] = b
	}
	return b
}

// open shows an EDT a block. It returns nil if the EDT is to see the block itself.
func (k *Checker) open(n *node, b *block, mode datablock.Mode, real []byte) *hold {
	if b.shared || len(real) == 0 {
		return nil
	}
	h := &hold{node: n, block: b, mode: mode, real: real}
	if h.view = k.views.show(h, len(real)); h.view == nil {
		// What it writes is not seen, but must be shown to EDTs that come later.
		b.filled = b.filled || h.writes()
		return nil
	}
	if h.writes() {
		h.twin = make([]byte, len(real))
	}
	// Pages that nobody wrote are left untouched, to see whether this EDT
	// touches them.
	for p, at := 0, 0; at < len(real); p, at = p+1, at+sys.Page {
		if to := min(at+sys.Page, len(real)); b.wrote(p) {
			copy(h.view[at:to], real[at:to])
			if h.writes() {
				copy(h.twin[at:to], real[at:to])
			}
		}
	}
	if !h.writes() {
		seal(h.view)
	}
	n.holds = append(n.holds, h)
	k.noteLook(h)
	return h
}

// close ends an EDT's access to a block, or, if it is downgraded, its writing.
func (k *Checker) close(h *hold, downgraded bool) {
	used := touched(h.view)
	if h.writes() {
		k.publish(h, used)
		k.judgeExposures(h)
	} else {
		k.judgeReads(h, used)
	}
	h.block.endLook(h, k.tick())
	h.twin = nil
	if downgraded {
		h.mode = datablock.RO
		seal(h.view)
		return
	}
	// From here on it only says whose view late accesses are in.
	k.views.hide(h)
	h.over, h.real, h.block = true, nil, h.block.remains()
	if n := slices.Index(h.node.holds, h); n >= 0 {
		h.node.holds = slices.Delete(h.node.holds, n, n+1)
	}
}

// judgeReads reports pages that an EDT read before anybody had written to them.
func (k *Checker) judgeReads(h *hold, used []bool) {
	for p := range used {
		if used[p] && !h.block.wrote(p) {
			from := p * sys.Page
			k.report(h.finding(finding.UnwrittenRead, fmt.Sprintf("among bytes %d to %d", from, min(from+sys.Page, len(h.real))-1)))
			return
		}
	}
}

// publish carries what an EDT has changed to the block, and reports the words of it
// that another has changed without an order between them.
func (k *Checker) publish(h *hold, used []bool) {
	now, lowest, highest := k.tick(), len(h.view), 0
	h.published = now
	for p, from := 0, 0; from < len(h.view); p, from = p+1, from+sys.Page {
		if used != nil && !used[p] {
			continue
		}
		to := min(from+sys.Page, len(h.view))
		if string(h.view[from:to]) != string(h.twin[from:to]) {
			lo, hi := k.publishPage(h, from, to)
			lowest, highest = min(lowest, lo), hi
		}
		*at(&h.block.pages, p) = true
	}
	if h.changed = highest > 0; h.changed {
		k.noteChange(h, change{cause{from: h.node, at: now}, lowest, highest})
	}
	if h.block.locked = append(h.block.locked, cause{from: h.node, at: now}); len(h.block.locked) == lockedKept {
		h.block.locked = k.condense(h.block.locked, 1)
	}
}

// publishPage does it for bytes from to to, and returns the first and the end of those
// that were changed.
func (k *Checker) publishPage(h *hold, from, to int) (first, end int) {
	first = to
	for w := from / word; w*word < to; w++ {
		lo, hi := w*word, min((w+1)*word, to)
		if !differs(h.view[lo:hi], h.twin[lo:hi]) {
			continue
		}
		first, end = min(first, lo), hi
		last := at(&h.block.last, w)
		if last.from != nil && last.from != h.node && !k.orderedAgain(last, h.node) {
			f := h.finding(finding.WriteRace, fmt.Sprintf("bytes %d to %d: %x, over %x", lo, hi-1, h.view[lo:hi], h.real[lo:hi]))
			k.report(last.from.against(f))
		}
		*last = cause{from: h.node, at: h.published}
		for i := lo; i < hi; i++ {
			if h.view[i] != h.twin[i] {
				h.real[i] = h.view[i]
			}
		}
		copy(h.twin[lo:hi], h.view[lo:hi])
	}
	return first, end
}

// orderedAgain is ordered, for words in a row that mostly were written at once.
func (k *Checker) orderedAgain(last *cause, r *node) bool {
	if k.asked.last != *last || k.asked.by != r {
		k.asked.last, k.asked.by = *last, r
		k.asked.ordered = k.ordered(last.from, last.at, r)
	}
	return k.asked.ordered
}

func differs(a, b []byte) bool {
	if len(a) == word {
		return binary.NativeEndian.Uint64(a) != binary.NativeEndian.Uint64(b)
	}
	return string(a) != string(b)
}

// against returns the finding with the EDT on its other side.
func (n *node) against(f finding.Finding) finding.Finding {
	f.Other, f.OtherTemplate, f.OtherAbout = n.edt, n.template, n.about
	return f
}

// finding is the common part of what is said of a hold.
func (h *hold) finding(kind finding.Kind, detail string) finding.Finding {
	return finding.Finding{
		Kind: kind, EDT: h.node.edt, Template: h.node.template, About: h.node.about, Site: edt.CallSite(),
		Object: h.block.id, ObjectSite: h.block.site, Detail: detail,
	}
}
