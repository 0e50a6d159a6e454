package check

import (
	"fmt"

	"ocr/internal/sys"
	"ocr/runtime/finding"
)

// Reads cannot be seen, but an EDT that held a block while another, unordered, changed words
// of it may have read them. That is noted: it is a race if the words were read, and
// none if the EDTs use different parts of the block. An EDT that holds a block in mode RW
// and changes words of it counts as one that uses those only: EDTs that share a block out
// among them are nothing to note. Nor is one that wrote to a page only what was there: the page is its own then.

// A change is what an EDT published of a block at once.
type change struct {
	by     cause
	lo, hi int // bytes
}

// A look is an EDT's reading of a block that has ended.
type look struct {
	hold   *hold
	closed moment
	pages  []sys.PageUse // that it has used; nil if that is not known
}

// recent is how many changes and looks of a block are remembered.
const recent = 8

func keepRecent[T any](list []T, v T) []T {
	return append(list[max(0, len(list)+1-recent):], v)
}

// noteChange compares a change with the EDTs that have held the block for reading.
func (k *Checker) noteChange(h *hold, c change) {
	b := h.block
	b.changes = keepRecent(b.changes, c)
	for _, l := range b.looks {
		if l.hold.node == h.node || !l.sees(c) || k.planned(l.hold.node, l.closed, h.node) {
			continue
		}
		if !k.planned(h.node, c.by.at, l.hold.node) {
			k.noteReadRace(l.hold, c, h.node)
		}
	}
}

// noteLook compares an EDT's reading of a block, when it ends, with the changes so far.
func (k *Checker) noteLook(l look) {
	b := l.hold.block
	b.looks = keepRecent(b.looks, l)
	for _, c := range b.changes {
		if c.by.from != l.hold.node && l.sees(c) && !k.planned(c.by.from, c.by.at, l.hold.node) {
			k.noteReadRace(l.hold, c, c.by.from)
		}
	}
}

// sees reports whether the EDT has used a page on which something was changed, and not written to it.
func (l *look) sees(c change) bool {
	if l.pages == nil {
		return true
	}
	for _, use := range l.pages[c.lo/sys.Page : (c.hi-1)/sys.Page+1] {
		if use != 0 && use&sys.PageOwn == 0 {
			return true
		}
	}
	return false
}

func (k *Checker) noteReadRace(h *hold, c change, by *node) {
	f := h.finding(finding.ReadRace, fmt.Sprintf("which, in no order with it, changed bytes %d to %d: a race if this EDT read them", c.lo, c.hi-1))
	f.Note, f.Site = true, h.node.site
	k.report(by.against(f))
}
