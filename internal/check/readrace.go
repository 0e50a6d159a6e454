package check

import (
	"fmt"

	"ocr/runtime/finding"
)

// Reads cannot be seen, but an EDT that held a block while another, unordered, changed words
// of it may have read them. That is noted: it is a race if the words were read, and
// none if the EDTs use different parts of the block.

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

// noteChange compares a change with the EDTs that hold the block, or held it before.
func (k *Checker) noteChange(h *hold, c change) {
	h.block.changes = keepRecent(h.block.changes, c)
	for n := range h.block.looks {
		l := &h.block.looks[n]
		if l.hold == h || l.hold.node == h.node {
			continue
		}
		before := l.closed != 0 && k.ordered(l.hold.node, l.closed, h.node)
		if !before && !k.ordered(h.node, c.by.at, l.hold.node) {
			k.noteReadRace(l.hold, c, h.node)
		}
	}
}

// noteLook compares a hold that begins with the changes before it.
func (k *Checker) noteLook(h *hold) {
	for _, c := range h.block.changes {
		if c.by.from != h.node && !k.ordered(c.by.from, c.by.at, h.node) {
			k.noteReadRace(h, c, c.by.from)
		}
	}
	h.block.looks = keepRecent(h.block.looks, look{hold: h})
}

func (b *block) endLook(h *hold, at moment) {
	for n := range b.looks {
		if b.looks[n].hold == h {
			b.looks[n].closed = at
		}
	}
}

func (k *Checker) noteReadRace(h *hold, c change, by *node) {
	f := h.finding(finding.ReadRace, fmt.Sprintf("which, in no order with it, changed bytes %d to %d: a race if this EDT read them", c.lo, c.hi-1))
	f.Note, f.Site = true, h.node.site
	k.report(by.against(f))
}
