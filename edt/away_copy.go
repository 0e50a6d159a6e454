package edt

import (
	"slices"

	"ocr/datablock"
	"ocr/internal/core/block"
)

// Several ranks may have copies of a lent block at the same time, for EDTs in modes RO and Const. A copy is a hold in
// mode Const: one at home for each rank that has a copy, and one in the record of that rank. So an EDT that writes
// waits in the queue as it does behind readers of its own rank, and readers that come later wait behind it.
//
// For a writer that waits at home, home recalls all copies. A rank then has the hold of its copy replaced by one in
// mode EW, ahead of all that wait there, and returns the copy when it has that. For a writer that waits on a rank with
// a copy, home replaces the hold of that copy in the same way: that rank gets the lease without the bytes, unless its
// copy was recalled before. When a lease is recalled for readers, the lessee keeps a copy.

// A share is what a rank has of a lent block, or needs.
type share uint8

const (
	noShare share = iota
	aCopy
	theLease
)

// mode is the mode in which a rank waits for it.
func (s share) mode() datablock.Mode {
	if s == aCopy {
		return datablock.Const
	}
	return datablock.EW
}

// needFor returns what a rank needs of a block for an EDT.
func needFor(m datablock.Mode) share {
	switch m {
	case datablock.Null:
		return noShare
	case datablock.RO, datablock.Const:
		return aCopy
	}
	return theLease
}

// needOf is needFor for one that waits, nothing if there is none.
func needOf(w block.Waiter) share {
	if w.EDT == 0 {
		return noShare
	}
	return needFor(w.Mode)
}

func (e *lent) hasCopy(r int) bool { return e.copies.has(r) || e.returning.has(r) }

func (e *lent) addCopy(r int) {
	e.copies.add(r)
	e.r.SetCopied(true)
}

func (e *lent) loseCopy(r int) {
	e.copies.remove(r)
	e.returning.remove(r)
	e.r.SetCopied(!e.copies.empty() || !e.returning.empty())
}

// lendCopy gives a copy of a block to a rank. The caller has the block in mode Const for it, and the lock.
func (c *Ctx) lendCopy(e *lent, to int) {
	if e.hasCopy(to) { // it got one unasked meanwhile
		c.blocks.Release(e.i, e.r, datablock.Const, nil)
		return
	}
	e.addCopy(to)
	flags := uint64(leaseCopy)
	if needOf(e.r.First()) == theLease {
		flags |= uint64(theLease)
		e.copies.remove(to)
		e.returning.add(to)
	}
	c.sendLease(to, msgGrant, e.id, flags, e.r.Size(), e.r.Bytes())
}

// recallCopies recalls all copies of a block. The caller has the lock.
func (c *Ctx) recallCopies(e *lent) {
	for to := range e.copies.all {
		c.sendLease(to, msgRecall, e.id, uint64(theLease), 0, nil)
		e.returning.add(to)
	}
	e.copies = rankSet{}
}

// upgrade has a rank that has a copy wait for the lease, ahead of all others. The caller has the lock.
func (c *Ctx) upgrade(e *lent, to int, w block.Waiter) {
	e.loseCopy(to)
	e.upgrades = to + 1
	c.recallCopies(e)
	if c.g.blocks.Upgrade(e.i, e.r, w) {
		c.lend(e, to)
	}
}

// keepCopy returns a lease, and keeps a copy. The caller has the block in mode Const for it, and the lock.
func (c *Ctx) keepCopy(p *proxy) {
	p.has = aCopy
	need, _ := p.lacks()
	c.sendLease(p.id.Home(), msgReturn, p.id, leaseCopy|uint64(need), 0, p.r.Bytes())
}

// A rankSet is a set of ranks: a word of bits, and a list of those that have no bit.
type rankSet struct {
	bits uint64
	more []int
}

const rankBits = 64

func (s *rankSet) has(r int) bool { return s.bits>>uint(r)&1 != 0 || slices.Contains(s.more, r) }
func (s *rankSet) empty() bool    { return s.bits == 0 && len(s.more) == 0 }

// add adds a rank that is not in the set.
func (s *rankSet) add(r int) {
	if r < rankBits {
		s.bits |= 1 << r
	} else {
		s.more = append(s.more, r)
	}
}

func (s *rankSet) remove(r int) {
	if r < rankBits {
		s.bits &^= 1 << r
	} else {
		s.more = slices.DeleteFunc(s.more, func(k int) bool { return k == r })
	}
}

func (s *rankSet) all(yield func(r int) bool) {
	for r := range rankBits {
		if s.bits>>r&1 != 0 && !yield(r) {
			return
		}
	}
	for _, r := range s.more {
		if !yield(r) {
			return
		}
	}
}
