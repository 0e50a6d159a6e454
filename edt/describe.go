package edt

import (
	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/dep"
)

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
