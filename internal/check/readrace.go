package check

import (
	"fmt"

	"ocr/datablock"
	"ocr/edt"
	"ocr/internal/sys"
	"ocr/runtime/finding"
)

// Reads cannot be seen, but which pages of a block an EDT has used. If another, unordered, changed words there, that is
// reported: a program whose EDTs use different words of a page says so, see [edt.Ctx.AllowUnordered]. An EDT that holds
// a block in mode RW and changes words of it counts as one that uses those only, as does one that writes to a page what
// was there: EDTs that share a block out among them are right.
//
// When a page is read, Linux may map its neighbours too, and they count as used. So it is certain of a run of used pages
// that one of them was, and no more. It is a fault if all of the run were changed, else a note.

// A change is what an EDT published of a block at once.
type change struct {
	by     cause
	lo, hi int          // bytes
	pages  map[int]bool // on which there are changes
}

func changeOf(n *node, p *publication) change {
	c := change{cause{from: n, at: p.at}, p.Lo, p.Hi, make(map[int]bool)}
	for _, r := range p.Runs {
		c.pages[r.Lo/sys.Page] = true
	}
	return c
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
		may, must := l.sees(c)
		if l.hold.node == h.node || !may || k.planned(l.hold.node, l.closed, h.node) {
			continue
		}
		if !k.planned(h.node, c.by.at, l.hold.node) {
			k.reportReadRace(l.hold, c, must)
		}
	}
}

// noteLook compares an EDT's reading of a block, when it ends, with the changes so far.
func (k *Checker) noteLook(l look) {
	b, h := l.hold.block, l.hold
	if b.allowed&edt.ReadsAndWrites != 0 || b.allowed&edt.ExclusiveWriters != 0 && h.mode == datablock.EW {
		return
	}
	for page, use := range l.pages {
		if h.writes() && use&sys.PageOwn != 0 {
			l.pages[page] = 0
		}
	}
	b.looks = keepRecent(b.looks, l)
	for _, c := range b.changes {
		if may, must := l.sees(c); may && c.by.from != h.node && !k.planned(c.by.from, c.by.at, h.node) {
			k.reportReadRace(h, c, must)
		}
	}
}

// sees reports whether the EDT may have used a page on which something was changed, and whether it must have.
func (l *look) sees(c change) (may, must bool) {
	if l.pages == nil {
		return true, false
	}
	all := false // pages of the run of used ones were changed
	for page, use := range l.pages {
		changed := c.pages[page]
		may = may || use != 0 && changed
		all = use != 0 && changed && (all || page == 0 || l.pages[page-1] == 0)
		must = must || all && (page+1 == len(l.pages) || l.pages[page+1] == 0)
	}
	return may, must
}

func (k *Checker) reportReadRace(h *hold, c change, certain bool) {
	f := h.finding(finding.ReadRace,
		fmt.Sprintf("which, in no order with it, changed bytes %d to %d: a race if this EDT read them", c.lo, c.hi-1))
	f.Note, f.Site = !certain, h.node.site
	k.report(c.by.from.against(f))
}
