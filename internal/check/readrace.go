package check

import (
	"fmt"
	"slices"

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
// that one of them was, and no more. It is a fault if all of the run were changed, else a note. A block of a page or
// less that is copied has no neighbours, see copies.go.

// A change is what an EDT published of a block at once.
type change struct {
	by     cause
	lo, hi int          // bytes
	pages  map[int]bool // on which there are changes; nil if it is the first alone
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

// A set8 is of the changes before one in the list of the latest: bit n is the one n+1 before it. Those it has are known
// to happen before it, so what happens after it is not compared with them.
type set8 uint8

// A look is an EDT's reading of a block that has ended.
type look struct {
	hold   *hold
	closed moment
	pages  []sys.PageUse // that it has used; nil if that is not known
	copied bool          // pages are asked for if they matter, see copyUse
	before cause         // a change that it is known to happen before
	// doubtful: it may have written what was there, see doubt.
	doubtful bool
}

// Of an EDT that holds a block of a page or less for writing, and changes nothing, it is not seen whether it
// writes what is there or only reads. It counts as one that writes if other EDTs of its template have changed
// what came on that slot: so what is a note at most is a doubt until the run has ended.
type doubt struct {
	users
	finding finding.Finding
}

// users are the EDTs of a template with what comes on a slot.
type users struct {
	template string
	slot     int
}

// doubtsKept bounds how many doubts are kept.
const doubtsKept = 1 << 12

// settleDoubts reports the doubts that are left. The caller holds the lock.
func (k *Checker) settleDoubts() {
	for _, d := range k.doubts {
		if !k.writers[d.users] {
			k.report(d.finding)
		}
	}
	k.doubts = nil
}

// recent is how many changes and looks of a block are remembered.
const recent = 8

func keepRecent[T any](list []T, v T) []T {
	return append(list[max(0, len(list)+1-recent):], v)
}

// noteChange compares a change with the EDTs that have held the block for reading. after are changes that are known to
// happen before it.
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

// with is a change, so far from the end of the list, and those before it, for what comes behind the list.
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

// noteLook compares an EDT's reading of a block, when it ends, with the changes so far, the latest first.
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

// sees reports whether the EDT may have used a page on which something was changed, and whether it must have.
func (l *look) sees(c change) (may, must bool) {
	switch {
	case l.pages == nil && l.copied:
		use, known := l.hold.copyUse()
		return !known || use != 0, known && use != 0
	case l.pages == nil:
		return true, false
	}
	all := false // pages of the run of used ones were changed
	for page, use := range l.pages {
		changed := c.isOn(page)
		may = may || use != 0 && changed
		all = use != 0 && changed && (all || page == 0 || l.pages[page-1] == 0)
		must = must || all && (page+1 == len(l.pages) || l.pages[page+1] == 0)
	}
	return may, must
}

// judgeRead reports that an EDT may have read what another changes in no order with it. The caller has looked at the
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
