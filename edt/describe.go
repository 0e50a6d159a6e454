package edt

import (
	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/dep"
)

// A body sees its blocks in deps. Of most EDTs that is written when the blocks are acquired
// (see acquireRW), while all of it is at hand, and kept in aheads until the EDT runs. If another
// EDT has taken the place since, or another worker runs the EDT, its blocks are described when it begins.

// ahead describes the blocks of an EDT, whose slots are in its record.
type ahead struct {
	tag, edt uint32 // its generation and index
	deps     [inlineSlots]dep.State
	held     int // of deps
}

// aheads are of EDTs by their indices. One more is for those whose place is in use.
type aheads [aheadLen + 1]ahead

const aheadLen = 16

// aheadFor returns where an EDT is described that is not the one that runs.
func (c *Ctx) aheadFor(i uint32) *ahead {
	k := i % aheadLen
	if k == c.inUse {
		k = aheadLen
	}
	return &c.aheads[k]
}

// heldRW is the access of a slot that holds its block in mode RW.
const heldRW = dep.Access(dep.Held)<<8 | dep.Access(datablock.RW)

// noAccess is that of a slot whose block came in mode Null.
const noAccess = dep.Access(datablock.Null)

// notInOrder, as the number of dependences released in order, is larger than any index.
const notInOrder = MaxDeps + 1

// takeDeps gives the body the dependences of an EDT that has some.
func (c *Ctx) takeDeps(i uint32, t *edtRecord) {
	c.inUse = i % aheadLen
	a := &c.aheads[i%aheadLen]
	if a.edt != i || a.tag != t.Tag() {
		c.describe(i, t)
		return
	}
	c.deps = a.deps[:t.depc&(2*inlineSlots-1)]
	c.inOrder, c.held, c.shared, c.bare = 0, a.held, false, a.held == len(c.deps)
}

// describe describes the dependences of an EDT that is not in aheads.
//
//go:noinline
func (c *Ctx) describe(i uint32, t *edtRecord) {
	if t.blockless() {
		c.deps = c.noBlocks[:t.depc&(2*inlineSlots-1)]
		c.inOrder, c.held, c.shared, c.bare = notInOrder, 0, false, false
		return
	}
	a := &c.aheads[i%aheadLen]
	a.edt = 0
	slots, deps := c.g.slotsOf(t), a.deps[:]
	if len(slots) > len(deps) {
		if cap(c.many) < len(slots) {
			c.many = make([]dep.State, 2*len(slots))
		}
		deps = c.many
	}
	deps = deps[:len(slots)]
	c.deps = deps
	all, held := uint64(0), 0
	for k := range slots {
		d := &deps[k]
		word, link := slots[k].word, slots[k].link
		switch {
		case word == 0:
			*d = dep.State{}
		case link&linkMode == uint64(datablock.Null)<<linkModeAt:
			*d = dep.State{ID: guid.FromWords(c.highBlock, word), Access: noAccess}
		default:
			all |= link
			held++
			d.ID = guid.FromWords(c.highBlock, word)
			d.Access = dep.In(uint8(link>>linkModeAt&7), holdOf(link))
			c.blocks.At(uint32(word)).ShowMemory(d, link&linkLine)
		}
	}
	if c.g.away != nil {
		c.describeBlocksAway(slots)
	}
	c.inOrder, c.held = 0, held
	c.shared, c.bare = all&linkShared != 0, false
	if c.shared {
		c.inOrder = notInOrder
	}
}

// holdOf says what an EDT has of the block of a slot at its begin.
func holdOf(link uint64) dep.Hold {
	return dep.Held + dep.Hold(link/linkShared&1)*(dep.Shared-dep.Held)
}
