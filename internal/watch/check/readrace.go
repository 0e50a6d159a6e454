package check

import (
	"fmt"
	"slices"

	"ocr/datablock"
	"ocr/edt"
	"ocr/internal/core/sys"
	"ocr/runtime/finding"
)

// The checker does not see reads, only which pages of a block an EDT has used. It reports an EDT that has used a page
// on which another, unordered, EDT changed words; a program whose EDTs use different words of a page declares that with
// [edt.Ctx.AllowUnordered]. An EDT in mode RW that changes words of a block, or writes to a page what was there, counts
// as one that uses only what it writes: EDTs may divide a block among them.
//
// On a read Linux may also map neighbouring pages, which then count as used. Of a run of used pages it is only certain
// that one was read. So the finding is a fault if the whole run was changed, else a note. A block that is copied has no
// neighbouring pages, see copies.go.

// A change is one publication of an EDT.
type change struct {
	by     cause
	lo, hi int          // bytes
	pages  map[int]bool // the changed pages; nil if it is only the first
	after  set8
}

func changeOf(n *node, p *publication) change {
	c := change{by: cause{from: n, at: p.at}, lo: p.Lo, hi: p.Hi}
	if p.Hi > sys.Page {
		c.pages = make(map[int]bool)
		for _, changed := range p.Changed {
			c.pages[changed.Lo/sys.Page] = true
		}
	}
	return c
}

// isOn reports whether something was changed on a page.
func (c *change) isOn(page int) bool { return c.pages[page] || c.pages == nil && page == 0 }

// A set8 is the set of earlier changes in block.changes that are known to happen before one: bit n is the change n+1
// places before it. EDTs that happen after the one need not be compared with those.
type set8 uint8

// A look is an ended hold of an EDT that has changed nothing.
type look struct {
	hold   *hold
	closed moment
	pages  []sys.PageUse // that it has used; nil if that is not known
	copied bool          // pages is nil until it matters, see copyUse
	before cause         // a change that is known to happen after it
	// doubtful: the EDT may have written what was there, see doubt.
	doubtful bool
}

// A doubt is a note that is reported at the end of the run, unless other EDTs of the template have changed the block on
// that slot. It is about an EDT that held a copied block for writing and changed nothing: it may have read the block,
// or written what was there.
type doubt struct {
	users
	finding finding.Finding
}

// users identifies the EDTs of a template by their use of a slot.
type users struct {
	template string
	slot     int
}

// doubtsKept bounds Checker.doubts.
const doubtsKept = 1 << 12

// settleDoubts reports the remaining doubts. The caller holds the lock.
func (k *Checker) settleDoubts() {
	for _, d := range k.doubts {
		if !k.writers[d.users] {
			k.report(d.finding)
		}
	}
	k.doubts = nil
}

// recent bounds the changes and looks of a block that are remembered.
const recent = 8

func keepRecent[T any](list []T, v T) []T {
	return append(list[max(0, len(list)+1-recent):], v)
}

// noteChange compares a change with earlier looks. after has the changes that are known to happen before it.
func (k *Checker) noteChange(h *hold, c change, after []cause) {
	b := h.block
	var known set8
	for n := len(b.changes) - 1; n >= 0; n-- {
		if slices.Contains(after, b.changes[n].by) {
			known |= b.changes[n].with(len(b.changes) - 1 - n)
		}
	}
	c.after = known
	for n := range b.looks {
		l := &b.looks[n]
		if l.hold.node == h.node || !l.copied && !l.maySee(c) || b.knows(known, l.before) {
			continue
		}
		if k.planned(l.hold.node, l.closed, h.node) {
			l.before = c.by
		} else if !k.planned(h.node, c.by.at, l.hold.node) {
			k.judgeRead(l, c)
		}
	}
	b.changes = keepRecent(b.changes, c)
}

// with is the set of a change, which is n places from the end of the list, and those known before it, as seen from
// behind the list.
func (c *change) with(n int) set8 { return c.after<<(n+1) | 1<<n }

// knows reports whether a change is among known ones.
func (b *block) knows(known set8, by cause) bool {
	for n := range b.changes {
		if known>>(len(b.changes)-1-n)&1 != 0 && b.changes[n].by == by {
			return true
		}
	}
	return false
}

// noteLook compares a look, when it ends, with the changes so far, the latest first.
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
	var known set8
	for n := len(b.changes) - 1; n >= 0; n-- {
		c, back := &b.changes[n], len(b.changes)-1-n
		switch {
		case known>>back&1 != 0 || c.by.from == h.node || !l.copied && !l.maySee(*c):
		case k.planned(c.by.from, c.by.at, h.node):
			known |= c.with(back)
		default:
			k.judgeRead(&l, *c)
		}
	}
	b.looks = keepRecent(b.looks, l)
}

func (l *look) maySee(c change) bool {
	may, _ := l.sees(c)
	return may
}

// sees reports whether the EDT may have used a changed page, and whether it must have.
func (l *look) sees(c change) (may, must bool) {
	switch {
	case l.pages == nil && l.copied:
		use, known := l.hold.copyUse()
		return !known || use != 0, known && use != 0
	case l.pages == nil:
		return true, false
	}
	all := false // the pages so far of this run of used ones were changed
	for page, use := range l.pages {
		changed := c.isOn(page)
		may = may || use != 0 && changed
		all = use != 0 && changed && (all || page == 0 || l.pages[page-1] == 0)
		must = must || all && (page+1 == len(l.pages) || l.pages[page+1] == 0)
	}
	return may, must
}

// judgeRead reports that an EDT may have read bytes that another, unordered, EDT changed. The caller has checked the
// order.
func (k *Checker) judgeRead(l *look, c change) {
	may, must := l.sees(c)
	if !may {
		return
	}
	h := l.hold
	f := h.finding(finding.ReadRace, fmt.Sprintf(
		"which, in no order with it, changed bytes %d to %d: a race if this EDT read them", c.lo, c.hi-1))
	f.Note, f.Site = !must || l.doubtful, h.node.site
	f = c.by.from.against(f)
	if d := (doubt{users{h.node.template, h.slot}, f}); !l.doubtful {
		k.report(f)
	} else if !k.writers[d.users] && len(k.doubts) < doubtsKept {
		k.doubts = append(k.doubts, d)
	}
}
