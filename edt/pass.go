package edt

import (
	"sync/atomic"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/dep"
	"ocr/internal/relaxed"
)

// Pass releases the block that came on a slot, and satisfies an event with it: [Ctx.Release],
// then [Ctx.Satisfy]. If one EDT waits for the event, and this was its last slot, it has the
// block without a moment in which nobody holds it; so that is cheaper than the two calls.
func (c *Ctx) Pass(event guid.GUID, slot int) {
	if uint(slot) >= uint(len(c.deps)) {
		c.misuse("pass", ErrSlotRange, c.Self(), "slot %d; the EDT has %d", slot, len(c.deps))
	}
	d := &c.deps[slot]
	block := d.ID
	waiters, ok := c.quickPass(event, d)
	if !ok {
		c.Release(block)
		c.SatisfySlot(event, block, Decr)
		return
	}
	c.n.EventSatisfied++
	_, lo := block.Words()
	if i := uint32(waiters); waiters != 0 && waiters&refNode == 0 {
		t, n := c.edts.At(i), int(waiters>>refSlotShift)&MaxDeps
		if n < inlineSlots && c.handOver(t, n, lo) {
			c.runnableBut(i, t, n)
			return
		}
	}
	c.letGo(lo, datablock.RW)
	for waiters != 0 {
		waiters = c.deliver(waiters, lo)
	}
	if len(c.passing) != 0 {
		c.passOn()
	}
}

// quickPass triggers a sticky event with a block that the EDT holds in mode RW, if one try
// does it, and returns its waiters. The EDT has the block no more, but the hold is left to
// the caller to give back, or on. Like quickEDT it calls nothing.
func (c *Ctx) quickPass(event guid.GUID, d *dep.State) (waiters uint64, ok bool) {
	hi, low := event.Words()
	if hi != c.highEvent || c.obs != nil || d.Hold != dep.Held || modeOf(d) != datablock.RW || c.anyShared {
		return 0, false
	}
	e := c.g.events.Lookup(low)
	if e == nil || e.typ != Sticky {
		return 0, false
	}
	_, lo := d.ID.Words()
	waiters = atomic.LoadUint64(&e.head)
	if waiters&headKind != 0 || !c.g.blocks.At(uint32(lo)).Is(lo) || !atomic.CompareAndSwapUint64(&e.head, waiters, triggered(lo)) {
		return 0, false
	}
	d.SetHold(dep.NotHeld)
	c.held--
	return waiters, true
}

// handOver fills slot n of an EDT and gives it the hold of the block, if it is the only one that
// waited, wants the block in mode RW too, and waits for nothing else, and if nobody else waits
// for the block. Else it has done nothing. Like quickEDT it calls nothing.
func (c *Ctx) handOver(t *edtRecord, n int, block uint64) bool {
	s := &t.slots[n&(inlineSlots-1)]
	link := atomic.LoadUint64(&s.link)
	r := c.blocks.At(uint32(block))
	// As in fill, one slot short means that it is this one, and the record is this worker's.
	if link&(refMask|linkMode) != uint64(datablock.RW)<<linkModeAt || atomic.LoadUint32(&t.need) != 1 || t.depc > inlineSlots || !r.OnlyRW() {
		return false
	}
	s.word = block
	relaxed.Store64(&s.link, filledRW|r.Line())
	return true
}

// runnableBut is runnable for an EDT with few slots that holds the block of one of them.
func (c *Ctx) runnableBut(i uint32, t *edtRecord, held int) {
	t.phase = phaseRunnable
	if n := c.acquireRW(t); n != int(t.depc) {
		if n <= held { // from there on nothing is acquired
			s := &t.slots[held&(inlineSlots-1)]
			s.link = filledRW
			c.letGo(s.word, datablock.RW)
		}
		if !c.acquireAtOnce(i, t, n) {
			c.acquireOrdered(i, t, 0)
			return
		}
	}
	c.ready(i, t)
}
