package check

import (
	"fmt"

	"ocr/runtime/finding"
)

// Reads cannot be seen, but an EDT that held a block while another, unordered, changed words
// of it may have read them. That is noted: it is a race if the words were read, and
// none if the EDTs use different parts of the block. An EDT that holds a block in mode RW
// and changes words of it counts as one that uses those only: EDTs that share a block out
// among them are nothing to note.

// A change is what an EDT published of a block at once.
type change struct {
	by     cause
	lo, hi int // bytes
}

// A look is an EDT's reading of a block. closed is 0 while it goes on.
type look struct {
	hold   *hold
	closed moment
}

// recent is how many changes and looks of a block are remembered.
const recent = 8

func keepRecent[T any](list []T, v T) []T {
	return append(list[max(0, len(list)+1-recent):], v)
}

// reads reports whether the hold is one for reading: as far as is known yet.
func (l *look) reads() bool {
	return !l.hold.writes() || l.closed != 0 && !l.hold.changed
}

// noteChange compares a change with the EDTs that hold the block, or held it before.
func (k *Checker) noteChange(h *hold, c change) {
	b := h.block
	b.changes = keepRecent(b.changes, c)
	for n := range b.looks {
		l := &b.looks[n]
		if l.hold.node == h.node || !l.reads() {
			continue
		}
		before := l.closed != 0 && k.planned(l.hold.node, l.closed, h.node)
		if !before && !k.planned(h.node, c.by.at, l.hold.node) {
			k.noteReadRace(l.hold, c, h.node)
		}
	}
}

// noteLook notes a hold that begins.
func (k *Checker) noteLook(h *hold) {
	l := look{hold: h}
	h.block.looks = keepRecent(h.block.looks, l)
	if l.reads() {
		k.compareLook(h)
	}
}

// endLook notes that a hold ends.
func (k *Checker) endLook(h *hold, at moment) {
	b := h.block
	for n := range b.looks {
		if b.looks[n].hold == h {
			b.looks[n].closed = at
		}
	}
	if l := (look{h, at}); h.writes() && l.reads() {
		k.compareLook(h)
	}
}

// compareLook compares a hold for reading with the changes so far.
func (k *Checker) compareLook(h *hold) {
	for _, c := range h.block.changes {
		if c.by.from != h.node && !k.planned(c.by.from, c.by.at, h.node) {
			k.noteReadRace(h, c, c.by.from)
		}
	}
}

func (k *Checker) noteReadRace(h *hold, c change, by *node) {
	f := h.finding(finding.ReadRace, fmt.Sprintf("which, in no order with it, changed bytes %d to %d: a race if this EDT read them", c.lo, c.hi-1))
	f.Note, f.Site = true, h.node.site
	k.report(by.against(f))
}
