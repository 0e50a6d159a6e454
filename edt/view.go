package edt

import (
	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/dep"
)

// A body sees its blocks in deps. For most EDTs acquireRW writes the description when it acquires the
// blocks, while the values are in registers, and aheads keeps it until the EDT runs. If another EDT has
// taken that entry since, or another worker runs the EDT, describe writes it when the EDT begins.

// ahead describes the blocks of an EDT whose slots are in its record.
type ahead struct {
	tag, edt uint32 // the EDT's generation and index
	deps     [inlineSlots]dep.State
	held     int // how many of deps hold a block
}

// aheads has an entry for each EDT index modulo aheadLen. The last entry replaces the one that the running EDT uses.
type aheads [aheadLen + 1]ahead

const aheadLen = 16

// aheadFor returns the entry for an EDT other than the running one.
func (c *Ctx) aheadFor(i uint32) *ahead {
	k := i % aheadLen
	if k == c.inUse {
		k = aheadLen
	}
	return &c.aheads[k]
}

// heldRW is the access of a slot that holds its block in mode RW.
const heldRW = dep.Access(dep.Held)<<8 | dep.Access(datablock.RW)

// noAccess is the access of a slot whose block came in mode Null.
const noAccess = dep.Access(datablock.Null)

// notInOrder, as the number of dependences released in order, is larger than any index.
const notInOrder = MaxDeps + 1

// describe describes the dependences of an EDT that has blocks and is not in aheads.
//
//go:noinline
func (c *Ctx) describe(i uint32, t *edtRecord) {
	c.inUse = i % aheadLen
	a := &c.aheads[c.inUse]
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
	if all&linkShared != 0 {
		c.inOrder = notInOrder
	}
}

// holdOf returns the hold that an EDT has on the block of a slot when it begins.
func holdOf(link uint64) dep.Hold {
	return dep.Held + dep.Hold(link/linkShared&1)*(dep.Shared-dep.Held)
}

// noteLines notes in the slots of an EDT for another worker where the memory of its blocks is. That
// worker can then read the bytes without reading the blocks' records first: one transfer between
// caches less.
func (t *edtRecord) noteLines(a *ahead) {
	a.edt = 0
	for n := range t.slots[:t.depc&(2*inlineSlots-1)] {
		t.slots[n].link |= block.LineOf(a.deps[n].Addr)
	}
}
