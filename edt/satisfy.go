package edt

import (
	"ocr/guid"
	"ocr/internal/graph/record"
)

// Satisfy satisfies an event with a block, or with [guid.Null] for none. An EDT whose last unsatisfied slot waited for
// the event becomes runnable. It sees what the caller wrote to the block if the caller released the block before the
// call.
//
// Satisfy ends the run if the event was satisfied before ([ErrSatisfied]; an idempotent event ignores the call), if as
// many satisfactions wait in a channel event as its bound allows ([ErrFull]), or if a GUID is stale ([ErrStale]) or
// names an object of another kind ([ErrKind]). A latch is counted down and ignores the block.
func (c *Ctx) Satisfy(event, block guid.GUID) { c.SatisfySlot(event, block, Decr) }

// SatisfySlot is [Ctx.Satisfy] for a slot of the event: [Decr] or [Incr] of a latch, 0 of any other event. Another slot
// ends the run ([ErrSlotRange]).
func (c *Ctx) SatisfySlot(event, block guid.GUID, slot int) {
	c.n.EventSatisfied++
	hi, low := event.Words()
	blockHi, lo := block.Words()
	if slot != 0 || hi != c.highEvent || c.obs != nil {
		c.satisfySlotSlow(event, block, slot)
		return
	}
	if blockHi|lo != 0 && (blockHi != c.highBlock || c.g.blocks.Lookup(lo) == nil) {
		c.satisfySlotSlow(event, block, slot)
		return
	}
	e := c.g.events.Lookup(low)
	if e == nil || e.typ > Sticky { // the first satisfaction triggers types up to Sticky
		c.satisfySlotSlow(event, block, slot)
		return
	}
	once := e.typ == Once // read before the trigger: after it, other workers may destroy an event that is not Once
	waiters, first := e.head.TryTrigger(lo)
	if !first {
		c.satisfySlotSlow(event, block, slot)
		return
	}
	if once && !c.quickFree(uint32(low), e) {
		c.freeEvent(uint32(low), e)
	}
	if waiters == 0 {
		return
	}
	if n := waiters.Position(); n < inlineSlots {
		t := c.edts.At(waiters.Index())
		s := &t.slots[n]
		link := s.link
		if link&record.RefMask == 0 && t.need.IsLast() && t.depc <= inlineSlots {
			s.fill(lo, link&linkMode)
			c.runnable(waiters.Index(), t)
			return
		}
	}
	for waiters != 0 {
		waiters = c.deliver(waiters, lo)
	}
	if len(c.passing) != 0 {
		c.passOn()
	}
}

func (c *Ctx) satisfySlotSlow(event, block guid.GUID, slot int) {
	hi, low := event.Words()
	if hi != c.highEvent && c.isRemote(event, guid.KindEvent) {
		c.satisfyRemote(event, block, slot)
		return
	}
	var lo uint64
	if !block.IsNull() {
		lo = c.payload("satisfy", block)
	}
	i, e := uint32(low), c.g.events.Lookup(low)
	if hi != c.highEvent || e == nil {
		c.event("satisfy", event, ErrStale) // ends the run
	}
	c.fire("satisfy", event, i, e, lo, slot)
	if len(c.passing) != 0 {
		c.passOn()
	}
}

// payload checks a block that a call passes on, and returns its low GUID word, 0 for none.
func (c *Ctx) payload(op string, block guid.GUID) uint64 {
	if block.IsNull() {
		return 0
	}
	hi, lo := block.Words()
	if hi != c.highBlock {
		return c.payloadRemote(op, block)
	}
	if c.g.blocks.Lookup(lo) == nil {
		c.misuse(op, ErrStale, block, "")
	}
	return lo
}

// fire satisfies a slot of an event of any type.
func (c *Ctx) fire(op string, g guid.GUID, i uint32, e *event, block uint64, slot int) {
	switch {
	case e.typ == Latch:
		c.count(op, g, i, e, slot)
	case slot != 0:
		c.badEventSlot(op, g, e.typ, slot)
	case e.typ == Channel:
		c.send(op, g, e, block)
	case !c.trigger(i, e, block):
		if op == opReturn || op == opFinish {
			c.lostOutput(op, g, ErrSatisfied)
		}
		c.misuse(op, ErrSatisfied, g, "%v event%s", e.typ, c.g.sites.EndOf(g).After(", "))
	}
}

func (c *Ctx) badEventSlot(op string, g guid.GUID, t EventType, slot int) {
	allowed := "0"
	if t == Latch {
		allowed = "0 (decrement) and 1 (increment)"
	}
	c.misuse(op, ErrSlotRange, g, "slot %d; a %v event has %s", slot, t, allowed)
}

// trigger triggers an event that is neither a latch nor a channel event, and satisfies its waiters. It returns false if
// the event has triggered before and is not idempotent.
func (c *Ctx) trigger(i uint32, e *event, block uint64) (ok bool) {
	kind := e.typ
	var seen record.State
	for {
		seen = e.head.Look()
		if seen.IsTriggered() {
			c.source = 0
			return kind == Idempotent
		}
		if c.obs != nil && c.source != e.Low(i) {
			c.observeSatisfied(i, e, block, Decr)
		}
		if e.head.Trigger(seen, block) {
			break
		}
	}
	// From here on another worker may have destroyed a sticky or idempotent event. A once event is freed before its
	// waiters are satisfied, a counted event by its last use.
	switch kind {
	case Once:
		c.freeEvent(i, e)
	case Counted:
		if e.count.Satisfy() {
			c.freeEvent(i, e)
		}
	}
	for waiters := seen.Waiters(); waiters != 0; {
		waiters = c.deliver(waiters, block)
	}
	c.source = 0
	return true
}

// count counts a latch up or down, and triggers it if the count becomes zero.
func (c *Ctx) count(op string, g guid.GUID, i uint32, e *event, slot int) {
	var step int64
	switch slot {
	case Decr:
		step = -1
	case Incr:
		step = 1
	default:
		c.badEventSlot(op, g, e.typ, slot)
	}
	if c.obs != nil {
		c.observeSatisfied(i, e, 0, slot)
	}
	if !e.count.Step(step) {
		c.source = 0
		return
	}
	waiters := e.head.TriggerLast()
	c.freeEvent(i, e)
	for waiters != 0 {
		waiters = c.deliver(waiters, 0)
	}
	c.source = 0
}

// deliver satisfies a waiter with a block, and returns the next waiter in its list. Subtle: it reads the next waiter
// first, because an EDT that becomes ready may run and end at once.
func (c *Ctx) deliver(ref record.Ref, block uint64) (next record.Ref) {
	i := ref.Index()
	if !ref.IsNode() {
		t := c.edts.At(i)
		s := c.g.slotAt(t, ref.Slot())
		next = record.Next(&s.link)
		c.fill(i, t, s, block, s.link&linkMode)
		return next
	}
	n := c.nodes.At(i)
	next = record.Next(&n.link)
	c.passing = append(c.passing, pass{n.dst, block, int(n.slot), c.source, n.high})
	c.freeNode(i, n)
	return next
}

// A pass is an event, or an object of another rank, that passOn has yet to satisfy.
type pass struct {
	event, block uint64
	slot         int
	from         uint64 // for observers: low GUID word of the event that satisfies it
	high         uint64 // high GUID word of an event or an EDT on another rank, else 0
}

// passOn satisfies what deliver has put into passing. It is a loop, because a chain of events may be longer than a
// stack is deep.
func (c *Ctx) passOn() {
	for len(c.passing) > 0 {
		last := len(c.passing) - 1
		p := c.passing[last]
		c.passing = c.passing[:last]
		if p.high != 0 {
			c.passRemote(&p)
			continue
		}
		g := guid.FromWords(c.highEvent, p.event)
		i, e := c.event("satisfy", g, ErrStale)
		c.source = p.from
		c.fire("satisfy", g, i, e, p.block, p.slot)
	}
}

// fill satisfies a slot with a block; link has the mode. The caller must not touch the EDT afterwards.
func (c *Ctx) fill(i uint32, t *edtRecord, s *slot, block, link uint64) {
	if c.obs != nil {
		c.observeFill(i, t, s, block)
	}
	s.fill(block, link)
	if t.need.CountDown() {
		c.runnable(i, t)
	}
}

func (c *Ctx) newNode(dst uint64, slot int) (uint32, *node) {
	i := c.nodes.Get()
	if i == 0 {
		c.misuse("add dependence", ErrMemory, guid.Null, "too many events wait for events")
	}
	n := c.nodes.At(i)
	n.dst, n.high, n.slot, n.link = dst, 0, uint32(slot), 0
	return i, n
}

func (c *Ctx) freeNode(i uint32, n *node) {
	if n.Expire() {
		c.nodes.Put(i)
	}
}
