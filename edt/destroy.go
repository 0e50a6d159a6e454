package edt

import (
	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/dep"
	"ocr/internal/core/word"
	"ocr/internal/graph/record"
)

// DestroyEDT destroys an EDT of which no slot is connected: it never runs, and counts as ended in its finish scope. An
// output event that the runtime made for it is destroyed too.
//
// If a slot of the EDT is connected, satisfied or not, the run ends with [ErrSlotTaken]; if the EDT is runnable or
// runs, with [ErrRunnable]; if it has ended or was destroyed, with [ErrDestroyed].
//
// The program must order the call with every [Ctx.AddDependence] to the EDT. If another worker adds a dependence at the
// same time, DestroyEDT can miss the dependence, which then can connect a slot of a later EDT. A satisfaction at the
// same time does no harm, as DestroyEDT finds the connected slot. If another rank has connected a slot with an event
// that is not on the EDT's rank, the run ends only when that event triggers or is destroyed ([ErrStale]).
func (c *Ctx) DestroyEDT(g guid.GUID) {
	hi, lo := g.Words()
	if hi != c.highEDT {
		if c.destroyRemote(g, guid.KindEDT) {
			return
		}
		c.wrongKind(opDestroyEDT, g, guid.KindEDT)
	}
	i, t := uint32(lo), c.lookup(opDestroyEDT, g, ErrDestroyed)
	c.checkUnconnected(g, t)
	c.n.EDTDestroyed++
	if c.obs != nil {
		c.obs.EDTDestroyed(g)
	}
	c.dropOutput(t)
	scope := t.scope
	c.freeEDT(i, t)
	c.leaveScope(scope)
}

const opDestroyEDT = "destroy EDT"

// checkUnconnected ends the run if an EDT that is to be destroyed is runnable or has a connected slot. Other workers
// may fill slots at the same time.
func (c *Ctx) checkUnconnected(g guid.GUID, t *edtRecord) {
	const allowed = "an EDT without connected slots can be destroyed"
	if t.phase != phaseWaiting {
		c.misuse(opDestroyEDT, ErrRunnable, g, "template %s; %s", c.g.template(t).name, allowed)
	}
	slots := c.g.slotsOf(t)
	for n := range slots {
		if word.Load(&slots[n].link)&linkState != slotOpen {
			c.misuse(opDestroyEDT, ErrSlotTaken, g, "slot %d%s of template %s; %s", n, inBrackets(c.g.slotName(t, n)),
				c.g.template(t).name, allowed)
		}
	}
}

// dropOutput detaches the output event from a finish scope, so that it is never
// satisfied, and destroys the event if the runtime made it.
func (c *Ctx) dropOutput(t *edtRecord) {
	out := t.out
	if t.code&flagFinish != 0 {
		sc := c.events.At(t.scope)
		out, sc.out = sc.out, 0
	}
	e := c.g.events.Lookup(out)
	if e == nil {
		return
	}
	g := guid.FromWords(c.highEvent, out)
	real := c.forwarded(g)
	if e.flags&eventInner != 0 { // e stands for the output event
		c.dropEvent(g, uint32(out), e)
	}
	if t.code&flagOwnOut != 0 {
		c.DestroyEvent(real)
	}
}

// freeEvent gives the record of an event back: its GUID is stale from here on.
func (c *Ctx) freeEvent(i uint32, e *event) {
	if e.flags&eventExternal != 0 {
		c.g.mail.remove(e.Low(i))
	}
	if e.flags&eventInner != 0 {
		c.n.EventDestroyed--
	}
	if c.obs != nil {
		c.obs.EventDestroyed(guid.FromWords(c.highEvent, e.Low(i)))
	}
	e.typ = 0
	c.n.EventDestroyed++
	if e.Expire() {
		c.events.Put(i)
	}
}

// DestroyEvent destroys an event. If the event has triggered, the dependences that were added are still satisfied. If
// it has not, the EDTs that wait for it never start. Once, latch and counted events destroy themselves.
//
// Destroying an event twice ends the run with [ErrDestroyed].
func (c *Ctx) DestroyEvent(g guid.GUID) {
	if hi, lo := g.Words(); hi == c.highEvent {
		if e := c.g.events.Lookup(lo); e != nil && e.typ <= Sticky {
			if e.head.Look().IsIdle() {
				if c.quickFree(uint32(lo), e) {
					return
				}
			}
		}
	}
	c.destroyEventSlow(g)
}

// quickFree is freeEvent for most events of the program. It does nothing and returns false if the event is an inner one
// or has an external, if the run has observers, if the record's generation is the last, or if the worker's cache is
// full.
func (c *Ctx) quickFree(i uint32, e *event) bool {
	if e.flags&(eventExternal|eventInner) != 0 || c.obs != nil || c.events.Full() || e.Last() {
		return false
	}
	e.Advance()
	c.events.Give(i)
	e.typ = 0
	c.n.EventDestroyed++
	return true
}

func (c *Ctx) destroyEventSlow(g guid.GUID) {
	if c.destroyRemote(g, guid.KindEvent) {
		return
	}
	i, e := c.event("destroy event", g, ErrDestroyed)
	c.dropEvent(g, i, e)
}

// dropEvent drops the waiters of an event, and frees it.
func (c *Ctx) dropEvent(g guid.GUID, i uint32, e *event) {
	for ref := e.head.Look().Waiters(); ref != 0; {
		ref = c.abandon(g, ref)
	}
	if k := e.index.Get(); e.typ == Channel && k != 0 {
		for _, ref := range c.g.channels.Release(k) {
			c.abandon(g, ref)
		}
	}
	c.freeEvent(i, e)
}

// abandon drops a waiter of an event that is destroyed before it triggered, and returns the next one. A waiting EDT
// never starts.
func (c *Ctx) abandon(event guid.GUID, ref record.Ref) (next record.Ref) {
	i := ref.Index()
	if ref.IsNode() {
		n := c.nodes.At(i)
		next = record.Next(&n.link)
		if dst := guid.FromWords(n.high, n.dst); dst.Kind() == guid.KindEDT { // its rank marks the slot as lost
			c.g.ranks.Send(c, dst.Home(), Act{Kind: ActFill, On: dst, With: event, Slot: RemoteSlot(n.slot) | slotIsLost})
		}
		c.freeNode(i, n)
		return next
	}
	return record.Next(&c.g.slotAt(c.edts.At(i), ref.Slot()).link)
}

// DestroyBlock destroys a block, and releases the calling EDT's hold, if any. The GUID is stale at once or, if other
// ranks have the block, once they have given it back. EDTs that hold the block, or are runnable with it in a slot (not
// in mode Null), may still use it; over ranks only EDTs that have acquired it may. The memory is freed when all EDTs
// have released the block. Destroying a block twice ends the run with [ErrDestroyed].
func (c *Ctx) DestroyBlock(block guid.GUID) {
	last := len(c.created) - 1
	if last < 0 || c.obs != nil || c.created[last].ID != block || c.created[last].Access.Hold() != dep.Held {
		c.destroyBlockSlow(block)
		return
	}
	_, lo := block.Words()
	r := c.blocks.At(uint32(lo))
	stale, done := c.blocks.DestroyQuick(uint32(lo), r)
	if !stale {
		c.destroyBlockSlow(block)
		return
	}
	c.n.BlockDestroyed++
	c.created = c.created[:last]
	if !done {
		c.grant(c.blocks.LeaveDestroyed(uint32(lo), r, datablock.RW, c.granted[:0]))
	}
}

func (c *Ctx) destroyBlockSlow(block guid.GUID) {
	c.refuseOfGraph("destroy data block", block)
	hi, lo := block.Words()
	if hi != c.highBlock && c.destroyRemote(block, guid.KindBlock) {
		return
	}
	i, r := uint32(lo), c.g.blocks.Lookup(lo)
	if hi != c.highBlock || r == nil {
		c.block("destroy data block", block, ErrDestroyed) // ends the run
	}
	c.n.BlockDestroyed++
	d := c.hold(block)
	if c.obs != nil {
		if d != nil {
			c.obs.BlockReleased(block, heldMode(d), false)
		}
		c.obs.BlockDestroyed(block)
	}
	if c.g.ranks != nil && c.g.ranks.DestroyShared(c, block) { // other ranks know the block, and may still use it
		if d != nil {
			word, mode := c.wordOf(d), heldMode(d)
			c.drop(d, block)
			c.release(word, mode)
		}
		return
	}
	if d == nil {
		c.blocks.Destroy(i, r)
		return
	}
	mode := heldMode(d)
	c.drop(d, block)
	c.grant(c.blocks.DestroyHeld(i, r, mode, c.granted[:0]))
}
