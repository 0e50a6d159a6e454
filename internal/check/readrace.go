package check

import (
	"fmt"
	"slices"

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
	after  set8
}

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
// what came on that slot: so what may be a note is a doubt until the run has ended.
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
		if l.hold.node == h.node || !l.copied && !l.sees(c) || b.knows(known, l.before) {
			continue
		}
		if k.planned(l.hold.node, l.closed, h.node) {
			l.before = c.by
		} else if !k.planned(h.node, c.by.at, l.hold.node) && l.sees(c) {
			k.noteReadRace(l, c, h.node)
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
	b := l.hold.block
	var known set8
	for n := len(b.changes) - 1; n >= 0; n-- {
		c, back := &b.changes[n], len(b.changes)-1-n
		switch {
		case known>>back&1 != 0 || c.by.from == l.hold.node || !l.copied && !l.sees(*c):
		case k.planned(c.by.from, c.by.at, l.hold.node):
			known |= c.with(back)
		case l.sees(*c):
			k.noteReadRace(&l, *c, c.by.from)
		}
	}
	b.looks = keepRecent(b.looks, l)
}

// sees reports whether the EDT has used a page on which something was changed, and not written to it.
func (l *look) sees(c change) bool {
	if l.copied && l.pages == nil {
		use, known := l.hold.copyUse()
		return !known || use != 0
	}
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

func (k *Checker) noteReadRace(l *look, c change, by *node) {
	h := l.hold
	f := h.finding(finding.ReadRace, fmt.Sprintf(
		"which, in no order with it, changed bytes %d to %d: a race if this EDT read them", c.lo, c.hi-1))
	f.Note, f.Site = true, h.node.site
	f = by.against(f)
	if d := (doubt{users{h.node.template, h.slot}, f}); !l.doubtful {
		k.report(f)
	} else if !k.writers[d.users] && len(k.doubts) < doubtsKept {
		k.doubts = append(k.doubts, d)
	}
}
