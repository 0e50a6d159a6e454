package edt

import (
	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/dep"
)

// How a running EDT gives up its blocks. An EDT that must wait for a block before it runs gives up the blocks that it
// has acquired, by [Ctx.unacquire].

// Release releases a block before the end of the EDT, which must not use the bytes afterwards. Every EDT that a later
// call makes ready sees what this EDT wrote. The run ends if the EDT does not hold the block ([ErrNotHeld]).
func (c *Ctx) Release(block guid.GUID) {
	// Most EDTs release their dependences in order, each once, and no EDT waits for them.
	if k := c.releasedUpTo; uint(k) < uint(len(c.deps)) {
		d := &c.deps[k]
		if _, lo := block.Words(); d.ID == block && d.Access == heldRW && c.blocks.At(uint32(lo)).LeaveRW() {
			d.SetHold(dep.NotHeld)
			c.releasedUpTo = k + 1
			c.held--
			return
		}
	}
	c.releaseSlow(block)
}

// ReleaseDep is [Ctx.Release] for the block of one of the EDT's own dependences, as [Args.Dep] returns it. It saves
// the search for the block. own must not be a copy, because ReleaseDep writes to it; go vet finds copies.
func (c *Ctx) ReleaseDep(own *datablock.Dep) {
	d := block.Hide(own)
	if _, lo := d.ID.Words(); d.Access != heldRW || c.releasedUpTo == noOrder || !c.blocks.At(uint32(lo)).LeaveRW() {
		c.releaseDepSlow(d)
		return
	}
	d.SetHold(dep.NotHeld)
	c.held--
}

// releaseDepSlow is the general case of ReleaseDep.
func (c *Ctx) releaseDepSlow(d *dep.State) {
	if !block.Among(c.deps, d) {
		c.misuse("release", ErrNotHeld, d.ID, "a copy of a dependence, or one of another EDT: use Args.Dep, or &deps[k]")
	}
	switch d.Access.Hold() {
	case dep.NotHeld:
		slot := 0
		for &c.deps[slot] != d {
			slot++
		}
		cause, why := ErrNotHeld, "released before, or its mode gives no access"
		if d.ID.IsNull() {
			cause, why = ErrKind, "no block came"
		}
		c.misuse("release", cause, d.ID, "slot %d%s: %s", slot, inBrackets(c.g.slotName(c.running(), slot)), why)
	case dep.Shared:
		c.releaseSlow(d.ID)
	default:
		c.giveUp(d, d.ID)
	}
}

// releaseSlow is the general case of Release.
func (c *Ctx) releaseSlow(block guid.GUID) {
	d := c.hold(block)
	if d == nil {
		c.notHeld("release", block)
	}
	c.giveUp(d, block)
}

// giveUp gives up the hold d of the running EDT on a block.
func (c *Ctx) giveUp(d *dep.State, block guid.GUID) {
	if d.Access.Hold() == dep.OfGraph {
		c.giveUpInGraph(d.ID)
		return
	}
	word, mode := c.wordOf(d), heldMode(d)
	c.drop(d, block)
	c.observeRelease(word, mode)
	c.release(word, mode)
}

// release releases a block that is held in a mode, and grants it to EDTs that wait for it.
func (c *Ctx) release(word uint64, mode datablock.Mode) {
	r := c.blocks.At(uint32(word))
	if mode != datablock.RW || !r.LeaveRW() {
		c.grant(c.blocks.Release(uint32(word), r, mode, c.granted[:0]))
	}
}

// wordOf returns the low GUID word of the record of a block that the EDT holds.
func (c *Ctx) wordOf(d *dep.State) uint64 {
	if i := d.Access.Proxy(); i != 0 {
		return c.blocks.At(i).Low(i)
	}
	return low(d.ID)
}

// drop marks a hold as given up, on every slot that shares it.
func (c *Ctx) drop(d *dep.State, block guid.GUID) {
	d.SetHold(dep.NotHeld)
	if last := len(c.created) - 1; last >= 0 && d == &c.created[last] {
		c.created = c.created[:last]
		return
	}
	if c.releasedUpTo != noOrder {
		return
	}
	for k := range c.deps {
		if s := &c.deps[k]; s.Access.Hold() == dep.Shared && s.ID == block {
			s.SetHold(dep.NotHeld)
		}
	}
}

func (c *Ctx) notHeld(op string, block guid.GUID) {
	if hi, _ := block.Words(); hi != c.highBlock && !c.isRemote(block, guid.KindBlock) {
		c.wrongKind(op, block, guid.KindBlock)
	}
	c.misuse(op, ErrNotHeld, block, "by this EDT: released, sent or destroyed before, or never acquired")
}

// Downgrade publishes what was written to a block and keeps read access (OCR 1.2, ocrDbDowngradeRelease). EDTs that
// wait for the block because of this hold can then acquire it. If the EDT holds the block only for reading, the call
// does nothing; if it does not hold the block, the run ends ([ErrNotHeld]).
func (c *Ctx) Downgrade(block guid.GUID) {
	d := c.hold(block)
	if d == nil {
		c.notHeld("downgrade", block)
	}
	if hold := d.Access.Hold(); hold == dep.Downgraded || hold == dep.OfGraph || modeOf(d) == datablock.RO ||
		modeOf(d) == datablock.Const {
		return
	}
	if c.obs != nil {
		c.obs.BlockReleased(block, modeOf(d), true)
	}
	i := uint32(c.wordOf(d))
	proxy := d.Access.Proxy()
	d.SetHold(dep.Downgraded)
	d.Access = d.Access.OfProxy(proxy)
	c.grant(c.blocks.Downgrade(i, c.blocks.At(i), modeOf(d), c.granted[:0]))
}
