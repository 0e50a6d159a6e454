package edt

import (
	"sync/atomic"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/dep"
	"ocr/internal/core/relaxed"
)

// Pass releases the block that came on a slot, and satisfies an event with it: [Ctx.Release],
// then [Ctx.Satisfy]. If one EDT waits for the event, and for nothing else, Pass hands it the
// hold of the block itself; that is cheaper than the two calls.
func (c *Ctx) Pass(event guid.GUID, slot int) {
	if uint(slot) >= uint(len(c.deps)) {
		c.badSlotToPass(slot)
	}
	c.pass(event, &c.deps[slot])
}

// PassDep is [Ctx.Pass] for the block of one of the EDT's own dependences, as [Args.Dep] returns it, and not a copy.
func (c *Ctx) PassDep(event guid.GUID, own *datablock.Dep) { c.pass(event, block.Hide(own)) }

func (c *Ctx) pass(event guid.GUID, d *dep.State) {
	switch waiters, done := c.quickPass(event, d); done {
	case passedOver:
		i, had := uint32(waiters), int(waiters>>refSlotShift)
		t := c.edts.At(i)
		t.phase = phaseRunnable
		a := c.aheadFor(i)
		if n := c.acquireRW(i, t, a, had); n != int(t.depc) {
			a.edt = 0
			c.acquireBut(i, t, n, had)
			return
		}
		if t.place != 0 && t.place != c.self {
			t.noteLines(a)
		}
		c.ready(i, t)
	case passedOn:
		_, lo := d.ID.Words()
		c.passTo(waiters, lo)
	default:
		if block := d.ID; d.Access.Proxy() == 0 || !c.passBlockAway(event, d) {
			c.releasePassed(d)
			c.SatisfySlot(event, block, Decr)
		}
	}
}

// releasePassed releases a block that is about to be passed on.
func (c *Ctx) releasePassed(d *dep.State) {
	c.refuseOfGraph("pass", d.ID)
	c.releaseOwn(d)
}

func (c *Ctx) badSlotToPass(slot int) {
	c.misuse("pass", ErrSlotRange, c.Self(), "slot %d; the EDT has %d", slot, len(c.deps))
}

// passTo gives up a block, and satisfies the waiters of the event that was triggered with it.
func (c *Ctx) passTo(waiters, block uint64) {
	c.letGo(block, datablock.RW)
	for waiters != 0 {
		waiters = c.deliver(waiters, block)
	}
	if len(c.passing) != 0 {
		c.passOn()
	}
}

// How far quickPass has come.
type passed uint8

const (
	passedNot  passed = iota // nothing has changed
	passedOn                 // the event has triggered; the caller must still release the block
	passedOver               // the event has triggered, and the EDT that waited has the hold
)

// quickPass triggers a sticky event with a block that the EDT holds in mode RW, if one try
// does it, and returns the event's waiters. It hands over the hold, and fills the waiter's slot, if the
// only waiter is an EDT that needs the block in mode RW and waits for nothing else, and no EDT waits for
// the block. Like quickSlots it calls nothing.
func (c *Ctx) quickPass(event guid.GUID, d *dep.State) (waiters uint64, done passed) {
	hi, low := event.Words()
	if hi != c.highEvent || d.Access != heldRW || c.shared {
		return 0, passedNot
	}
	e := c.g.events.Lookup(low)
	if e == nil || e.typ != Sticky {
		return 0, passedNot
	}
	_, lo := d.ID.Words()
	r := c.blocks.At(uint32(lo))
	waiters = atomic.LoadUint64(&e.head)
	if waiters&headKind != 0 || !r.Is(lo) || !atomic.CompareAndSwapUint64(&e.head, waiters, lo) {
		return 0, passedNot
	}
	d.Access, d.Addr, d.Size = dep.Access(datablock.RW), 0, 0
	c.held--
	c.n.EventSatisfied++
	n := waiters >> refSlotShift // not below inlineSlots if it is a node
	if waiters == 0 || n >= inlineSlots {
		return waiters, passedOn
	}
	t := c.edts.At(uint32(waiters))
	s := &t.slots[n]
	// As in fill, one slot short means that it is this one, and the record is this worker's.
	if atomic.LoadUint64(&s.link)&(refMask|linkMode) != uint64(datablock.RW)<<linkModeAt ||
		atomic.LoadUint32(&t.need) != 1 || t.depc > inlineSlots || !r.OnlyRW() {
		return waiters, passedOn
	}
	s.word = lo
	relaxed.Store64(&s.link, filledRW)
	return waiters, passedOver
}

// acquireBut acquires the blocks from slot n on, which acquireRW has returned. The EDT holds the block of slot had.
func (c *Ctx) acquireBut(i uint32, t *edtRecord, n, had int) {
	if n <= had { // from there on nothing is acquired
		c.letGo(t.slots[had&(inlineSlots-1)].word, datablock.RW)
	}
	c.acquireMore(i, t, n)
}
