package edt

import (
	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/dep"
	"ocr/internal/graph/record"
)

// Pass releases the block that came on a slot, and satisfies an event with it: [Ctx.Release], then [Ctx.Satisfy]. If a
// single EDT waits for the event, and waits for nothing else, Pass may hand the hold of the block over to it, which is
// cheaper than the two calls. Pass ends the run as these calls do, if the calling EDT has no such slot
// ([ErrSlotRange]), and if a run of a recorded graph holds the block ([ErrHeldByGraph]).
func (c *Ctx) Pass(event guid.GUID, slot int) {
	if uint(slot) >= uint(len(c.deps)) {
		c.badSlotToPass(slot)
	}
	c.pass(event, &c.deps[slot])
}

// PassDep is [Ctx.Pass] for the block of one of the EDT's own dependences, as [Args.Dep] returns it, and not a copy.
func (c *Ctx) PassDep(event guid.GUID, own *datablock.Dep) { c.pass(event, block.Hide(own)) }

// pass releases the block of d, and satisfies an event with it. The event's only waiter gets the hold if all of this is
// true: the hold is in mode RW, the event is sticky, one try triggers the event, no EDT waits for the block, and the
// waiter is a slot in mode RW, the last unsatisfied one of an EDT with few slots.
func (c *Ctx) pass(event guid.GUID, d *dep.State) {
	hi, low := event.Words()
	if hi != c.highEvent || d.Access != heldRW || c.releasedUpTo == noOrder || !block.Among(c.deps, d) {
		c.passSlow(event, d)
		return
	}
	e := c.g.events.Lookup(low)
	if e == nil || e.typ != Sticky {
		c.passSlow(event, d)
		return
	}
	_, lo := d.ID.Words()
	r := c.blocks.At(uint32(lo))
	seen := e.head.Look()
	if seen.IsTriggered() || !r.Is(lo) || !e.head.TriggerWith(seen, lo) {
		c.passSlow(event, d)
		return
	}
	d.Access, d.Addr, d.Size = dep.Access(datablock.RW), 0, 0
	c.held--
	c.n.EventSatisfied++
	waiters := record.Ref(seen)
	i, had := waiters.Index(), waiters.Position()
	if waiters == 0 || had >= inlineSlots || !r.OnlyRW() {
		c.passTo(waiters, lo)
		return
	}
	t := c.edts.At(i)
	s := &t.slots[had]
	if s.link&(record.RefMask|linkMode) != uint64(datablock.RW)<<linkModeAt ||
		!t.need.IsLast() || t.depc > inlineSlots {
		c.passTo(waiters, lo)
		return
	}
	s.fill(lo, filledRW)
	c.passedOver(i, t, had)
}

// passedOver acquires an EDT's blocks, but for that of the slot with index had: this slot got its block with the hold.
func (c *Ctx) passedOver(i uint32, t *edtRecord, had int) {
	t.phase = phaseRunnable
	a := c.viewFor(i)
	if n := c.acquireRW(i, t, a, had); n != int(t.depc) {
		a.edt = 0
		c.acquireBut(i, t, n, had)
		return
	}
	if t.place != 0 && t.place != c.self {
		t.noteLines(a)
	}
	c.ready(i, t)
}

func (c *Ctx) passSlow(event guid.GUID, d *dep.State) {
	c.refuseOfGraph("pass", d.ID)
	block := d.ID
	c.releaseDepSlow(d)
	c.SatisfySlot(event, block, Decr)
}

func (c *Ctx) badSlotToPass(slot int) {
	c.misuse("pass", ErrSlotRange, c.Self(), "slot %d; the EDT has %d", slot, len(c.deps))
}

// passTo releases a block, and satisfies the waiters of the event that was triggered with it.
func (c *Ctx) passTo(waiters record.Ref, block uint64) {
	c.release(block, datablock.RW)
	for waiters != 0 {
		waiters = c.deliver(waiters, block)
	}
	if len(c.passing) != 0 {
		c.passOn()
	}
}

// acquireBut continues where acquireRW has stopped. n is what acquireRW has returned; the EDT holds the block of the
// slot with index had.
func (c *Ctx) acquireBut(i uint32, t *edtRecord, n, had int) {
	if n <= had { // acquireSlow acquires this block again
		c.release(t.slots[had&(inlineSlots-1)].word, datablock.RW)
	}
	c.acquireSlow(i, t, n)
}
