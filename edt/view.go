package edt

import (
	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/dep"
)

// A body sees its blocks in deps. For most EDTs acquireRW writes a view of them when it acquires the blocks, while the
// values are in registers, and the worker keeps it until the EDT runs. If another EDT has taken that entry since, or
// another worker runs the EDT, describe writes the view when the EDT begins.

// A view describes the blocks of an EDT whose slots are in its record.
type view struct {
	tag, edt uint32 // the EDT's generation and index
	deps     [inlineSlots]dep.State
	held     int // how many of deps hold a block
}

// views has an entry for each EDT index modulo viewCount. The last entry replaces the one that the running EDT uses.
type views [viewCount + 1]view

const viewCount = 16

// viewFor returns the entry for an EDT other than the running one.
func (c *Ctx) viewFor(i uint32) *view {
	k := i % viewCount
	if k == c.inUse {
		k = viewCount
	}
	return &c.views[k]
}

// heldRW is the access of a slot that holds its block in mode RW.
const heldRW = dep.Access(dep.Held)<<8 | dep.Access(datablock.RW)

// noAccess is the access of a slot whose block came in mode Null.
const noAccess = dep.Access(datablock.Null)

// noOrder, as the number of dependences released in order, is larger than any index.
const noOrder = MaxDeps + 1

// describe describes the dependences of an EDT that has blocks and is not in views.
//
//go:noinline
func (c *Ctx) describe(i uint32, t *edtRecord) {
	c.inUse = i % viewCount
	a := &c.views[c.inUse]
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
	if c.g.ranks != nil {
		c.describeProxies(slots)
	}
	c.releasedUpTo, c.held = 0, held
	if all&linkShared != 0 {
		c.releasedUpTo = noOrder
	}
}

// holdOf returns the hold that an EDT has on the block of a slot when it begins.
func holdOf(link uint64) dep.Hold {
	return dep.Held + dep.Hold(link/linkShared&1)*(dep.Shared-dep.Held)
}

// noteLines notes in the slots of an EDT for another worker where the memory of its blocks is. That worker can then
// read the bytes without reading the blocks' records first: one transfer between caches less.
func (t *edtRecord) noteLines(a *view) {
	a.edt = 0
	for n := range t.slots[:t.depc&(2*inlineSlots-1)] {
		t.slots[n].link |= block.LineOf(a.deps[n].Addr)
	}
}
