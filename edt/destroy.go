package edt

import (
	"ocr/guid"
	"ocr/internal/core/word"
	"ocr/internal/graph/record"
)

// freeEDT gives a record back: the EDT's GUID is stale from here on.
func (c *Ctx) freeEDT(i uint32, t *edtRecord) {
	if code := t.code; code&(flagSpill|runTemplate) != 0 {
		if code&runTemplate != 0 {
			made := c.madeOf(code)
			word.Publish(made, *made-1)
		}
		if code&flagSpill != 0 {
			c.freeSpillOf(t)
		}
	}
	t.phase = phaseFree
	if t.Expire() {
		c.edts.Put(i)
	}
}

// freeSpillOf frees the spill record of an EDT that has one.
func (c *Ctx) freeSpillOf(t *edtRecord) {
	if t.depc > inlineSlots {
		c.freeSpill(uint32(t.slots[0].word))
	} else {
		c.freeSpill(uint32(t.params[0]))
	}
}

func (c *Ctx) freeSpill(i uint32) {
	if c.places.At(i).Expire() {
		c.places.Put(i)
	}
}

// DestroyEDT destroys an EDT of which no slot is connected: it never runs, and counts as ended in its finish scope. An
// output event that the runtime made for it is destroyed too.
//
// If a slot of the EDT is connected, satisfied or not, the run ends with [ErrSlotTaken]; if the EDT is runnable or
// runs, with [ErrRunnable]; if it has ended or was destroyed, with [ErrDestroyed].
//
// The program must order the call with every [Ctx.AddDependence] to the EDT. If another worker adds a dependence at the
// same time, DestroyEDT may not find it, and it may connect a slot of a later EDT. A satisfaction at the same time does
// no harm, as DestroyEDT finds the connected slot. If another rank has connected a slot with an event that is not on
// the EDT's rank, the run ends only when that event triggers or is destroyed ([ErrStale]).
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

// lookup returns the record of an EDT of this rank. If the GUID is stale, the run ends with the condition stale.
func (c *Ctx) lookup(op string, edt guid.GUID, stale *Condition) *edtRecord {
	_, lo := edt.Words()
	t := c.g.edts.Lookup(lo)
	if t == nil {
		t = c.awaitCreation(edt)
	}
	if t == nil {
		c.misuse(op, stale, edt, "")
	}
	return t
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
	if e.flags&eventForward != 0 {
		c.dropEvent(g, uint32(out), e)
	}
	if t.code&flagOwnOut != 0 {
		c.DestroyEvent(real)
	}
}

// abandon drops the waiters of an event that is destroyed before it triggered. EDTs among them never start.
func (c *Ctx) abandon(event guid.GUID, ref record.Ref) {
	for ref != 0 {
		ref = c.abandonOne(event, ref)
	}
}

func (c *Ctx) abandonOne(event guid.GUID, ref record.Ref) (next record.Ref) {
	i := ref.Index()
	if ref.IsNode() {
		n := c.nodes.At(i)
		next = record.Next(&n.link)
		if n.high != 0 {
			c.abandonRemote(n, event)
		}
		c.freeNode(i, n)
		return next
	}
	return record.Next(&c.g.slotAt(c.edts.At(i), ref.Slot()).link)
}
