package edt

import (
	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/graph/record"
)

// AddDependence connects a source to a pre-slot of an EDT, or to an event (OCR 1.2, §2.9):
//
//	event -> EDT    the slot is satisfied when the event triggers, at once if it has triggered
//	block -> EDT    the slot is satisfied at once
//	Null  -> EDT    the slot is satisfied at once, without a block
//	event -> event  the destination is satisfied when the source triggers
//	block -> event  the event is satisfied with the block
//	Null  -> event  the event is satisfied without a block
//
// mode is the mode in which the EDT will access the block; if dst is an event it is ignored. slot is a slot of the EDT,
// [Decr] or [Incr] of a latch, or 0 of another event.
//
// Over ranks, an event may feed a latch or channel event only on its own rank ([ErrKind]).
//
// AddDependence ends the run if the slot is out of range ([ErrSlotRange]) or was connected before ([ErrSlotTaken]), if
// the mode is no access mode ([ErrMode]), if source or destination is of a wrong kind ([ErrKind]), if a GUID is stale
// ([ErrStale]), and if a counted or channel event allows no further dependence ([ErrCount], [ErrFull]).
func (c *Ctx) AddDependence(source, dst guid.GUID, slot int, mode datablock.Mode) {
	c.n.DependenceAdded++
	hi, lo := dst.Words()
	if hi != c.highEDT || c.obs != nil || mode > datablock.Null {
		c.addDependenceSlow(source, dst, slot, mode)
		return
	}
	t := c.g.edts.Lookup(lo)
	if t == nil || t.depc > inlineSlots || uint(slot) >= uint(t.depc) ||
		t.slots[slot&(inlineSlots-1)].state() != slotOpen {
		c.addDependenceSlow(source, dst, slot, mode)
		return
	}
	s := &t.slots[slot&(inlineSlots-1)]
	from, low := source.Words()
	link := uint64(mode) << linkModeAt
	if from == c.highEvent {
		e := c.g.events.Lookup(low)
		ref := record.SlotRef(uint32(lo), slot)
		if s.word = low; e == nil || e.typ > Latch || !e.head.TryPush(ref, &s.link, link|slotWaiting) {
			s.link = slotOpen // no other worker has seen another value
			c.addDependenceSlow(source, dst, slot, mode)
		}
		return
	}
	if from|low != 0 && (from != c.highBlock || c.g.blocks.Lookup(low) == nil) {
		c.addDependenceSlow(source, dst, slot, mode)
		return
	}
	s.fill(low, link)
	if t.need.CountDown() {
		c.runnable(uint32(lo), t)
	}
}

func (c *Ctx) addDependenceSlow(source, dst guid.GUID, slot int, mode datablock.Mode) {
	hi, lo := dst.Words()
	if hi != c.highEDT {
		c.dependOther(source, dst, slot, mode)
		return
	}
	i, t := uint32(lo), c.lookup("add dependence", dst, ErrStale)
	if t.code&flagNode != 0 {
		c.misuse("add dependence", ErrSlotTaken, dst, "a node of a recorded graph")
	}
	if uint(slot) >= uint(t.depc) {
		c.misuse("add dependence", ErrSlotRange, dst, "slot %d; template %s has %d", slot, c.g.template(t).name, t.depc)
	}
	s := c.g.slotAt(t, uint32(slot))
	if s.link&linkState != slotOpen || !mode.Valid() {
		c.badSlot(t, s, dst, slot, mode)
	}
	if c.obs != nil {
		c.obs.DependenceAdded(source, c.g.edtGUID(i, t), slot, mode)
	}
	from, block := source.Words()
	if from == c.highEvent {
		e := c.g.events.Lookup(block)
		if e == nil {
			c.staleSource("add dependence", source, slot)
		}
		c.await(block, e, i, s, slot, mode)
		return
	}
	if source == noSource {
		c.misuse("add dependence", ErrNoSource, dst, "slot %d%s got the zero Source, Event or Block", slot,
			inBrackets(c.g.slotName(t, slot)))
	}
	if !source.IsNull() {
		if c.isRemote(source, guid.KindEvent) {
			c.awaitRemote(source, i, t, s, slot, mode)
			return
		}
		block = c.payload("add dependence", source)
	}
	c.fill(i, t, s, block, uint64(mode)<<linkModeAt)
}

// lookup returns the record of an EDT of this rank. If the GUID is stale, the run ends with the condition stale.
func (c *Ctx) lookup(op string, edt guid.GUID, stale *Condition) *edtRecord {
	t := c.g.edts.Lookup(low(edt))
	if t == nil {
		t = c.awaitCreation(edt)
	}
	if t == nil {
		c.misuse(op, stale, edt, "")
	}
	return t
}

// badSlot ends the run: the slot is taken, or the mode is wrong.
func (c *Ctx) badSlot(t *edtRecord, s *slot, dst guid.GUID, n int, mode datablock.Mode) {
	if s.state() != slotOpen {
		c.misuse("add dependence", ErrSlotTaken, dst, "slot %d of template %s", n, c.g.template(t).name)
	}
	c.misuse("add dependence", ErrMode, dst, "%v on slot %d", mode, n)
}

// await makes slot n of EDT i wait for an event, or satisfies the slot if the event has triggered.
func (c *Ctx) await(event uint64, e *event, i uint32, s *slot, n int, mode datablock.Mode) {
	s.word = event
	c.wait(event, e, record.SlotRef(i, n), &s.link, uint64(mode)<<linkModeAt|slotWaiting)
}

// wait makes a waiter wait for an event of this rank, or satisfies the waiter if the event has triggered. own is the
// waiter's link without the next waiter.
func (c *Ctx) wait(event uint64, e *event, ref record.Ref, link *record.Link, own record.Link) {
	if e.typ == Channel {
		*link = own
		c.receive(event, e, ref)
		return
	}
	counted := e.typ == Counted // its record stays until this use is counted
	for {
		seen := e.head.Look()
		if seen.IsTriggered() {
			*link = own
			if counted {
				c.useCounted(uint32(event), e)
			}
			c.deliverFrom(event)
			c.deliver(ref, seen.Block())
			c.source = 0
			return
		}
		if e.head.Push(seen, ref, link, own) {
			if counted {
				c.useCounted(uint32(event), e)
			}
			return
		}
	}
}

func (c *Ctx) useCounted(i uint32, e *event) {
	switch e.count.Use() {
	case record.UsedUp:
		c.freeEvent(i, e)
	case record.Overused:
		c.misuse("add dependence", ErrCount, c.g.eventGUID(e.Low(i)),
			"counted event, it has all the dependences that it was created for and is not satisfied")
	}
}

// dependOther is AddDependence for a destination that is not an EDT of this rank.
func (c *Ctx) dependOther(source, dst guid.GUID, slot int, mode datablock.Mode) {
	if hi, _ := dst.Words(); hi != c.highEvent && c.g.ranks != nil && c.dependRemote(source, dst, slot, mode) {
		return
	}
	i, e := c.event("add dependence", dst, ErrStale)
	if c.obs != nil {
		c.obs.DependenceAdded(source, dst, slot, mode)
	}
	hi, lo := source.Words()
	if hi != c.highEvent {
		if c.isRemote(source, guid.KindEvent) {
			c.checkFed(source, dst, e.typ, slot)
			c.sendDepend(source.Home(), source, dst, remoteSlot(slot, 0))
			return
		}
		block := c.payload("add dependence", source)
		c.fire("add dependence", dst, i, e, block, slot)
		c.passOn()
		return
	}
	if slot != 0 && (e.typ != Latch || slot != Incr) {
		c.badEventSlot("add dependence", dst, e.typ, slot)
	}
	src := c.g.events.Lookup(lo)
	if src == nil {
		c.misuse("add dependence", ErrStale, source, "as source of an event")
	}
	k, n := c.newNode(low(dst), slot)
	c.wait(lo, src, record.NodeRef(k), &n.link, 0)
	c.passOn()
}

// isEvent reports whether a source is an event of any rank.
func (c *Ctx) isEvent(g guid.GUID) bool {
	hi, _ := g.Words()
	return hi == c.highEvent || c.isRemote(g, guid.KindEvent)
}
