package edt

import (
	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/word"
	"ocr/internal/graph/record"
)

// Calls of this rank on objects of other ranks: each checks what can be checked here, and sends an [Act].

// awaitCreation waits until another rank has created the EDT whose name this rank has reserved, and returns its record,
// nil if there is no such EDT. The courier does not wait. An EDT here may learn the name before the creation arrives.
func (c *Ctx) awaitCreation(edt guid.GUID) *edtRecord {
	hi, lo := edt.Words()
	if c.g.ranks == nil || hi != c.highEDT {
		return nil
	}
	for n := 0; c != c.g.ranks.courier && c.g.edts.Reserved(lo); n++ {
		c.g.ranks.Wait(c, n)
	}
	return c.g.edts.Lookup(lo)
}

// spawnElsewhere creates an EDT on another rank. Then it adds the dependences on events, at the homes of the events.
func (c *Ctx) spawnElsewhere(to int, hint Hint, t *Template, s *Spec) (edt, output guid.GUID) {
	e := &c.creation
	*e = RemoteEDT{Slots: c.checkSpec(t, s), Template: t.index, Spec: Spec{ // copies: the caller's
		Params: append(e.Params[:0], s.Params...), Deps: append(e.Deps[:0], s.Deps...), // lists need not be on the heap
		Output: s.Output, Finish: s.Finish, Hint: hint,
	}}
	if !t.registered {
		if len(c.local.graphs) == 1 {
			c.misuse("create EDT", ErrTemplate, guid.Null, "template %s, on rank %d", t.name, to)
		}
		c.useTemplate(t)
	}
	for n := range s.Deps {
		c.checkSource(guid.Null, t, n, &s.Deps[n])
	}
	output = c.outputOf(s)
	e.OutputEvent = output
	scope := uint32(0)
	if s.Finish {
		if scope = c.rootScope(output); scope != 0 {
			e.OutputEvent, e.Finish, e.Output = guid.Null, false, false // the scope satisfies the output event
		}
	}
	if scope == 0 && c.scope != 0 {
		scope = c.scope
		c.takeToken()
	}
	if scope != 0 {
		e.Scope, e.Memory = c.events.At(scope).Low(scope), c.memoryAround(scope)
	}
	c.n.EDTCreated++
	edt = c.g.ranks.Create(c, to, e)
	for n, d := range s.Deps {
		if c.isEvent(d.id) {
			c.dependOther(d.id, edt, n, d.mode)
		}
	}
	return edt, output
}

// makeForward makes a once event that stands for an output event of another rank: its only waiter is that event. It
// returns the low GUID word of the once event.
func (c *Ctx) makeForward(out guid.GUID) uint64 {
	lo := low(c.innerEvent(Once))
	k, _ := c.nodeElsewhere(out, slotForward)
	c.events.At(uint32(lo)).head.Begin(record.NodeRef(k))
	return lo
}

// nodeElsewhere makes the node of a waiter on another rank.
func (c *Ctx) nodeElsewhere(dst guid.GUID, s RemoteSlot) (uint32, *node) {
	k, n := c.newNode(low(dst), int(s))
	n.high, _ = dst.Words()
	return k, n
}

// forwarded returns the output event for which event g stands, or g itself.
func (c *Ctx) forwarded(g guid.GUID) guid.GUID {
	e := c.g.events.Lookup(low(g))
	if e == nil || e.flags&eventInner == 0 || !e.head.Look().Waiters().IsNode() {
		return g
	}
	n := c.nodes.At(e.head.Look().Waiters().Index())
	return guid.FromWords(n.high, n.dst)
}

// sendDepend has a rank connect source to dst: the home of source, or the home of dst if source is a block.
func (c *Ctx) sendDepend(to int, source, dst guid.GUID, s RemoteSlot) {
	c.g.ranks.Send(c, to, Act{Kind: ActDepend, On: dst, With: source, Slot: s})
}

// awaitRemote makes a slot of an EDT wait for an event of another rank.
func (c *Ctx) awaitRemote(source guid.GUID, i uint32, t *edtRecord, s *slot, n int, mode datablock.Mode) {
	s.noteRemote(source, mode, slotWaiting)
	c.sendDepend(source.Home(), source, c.g.edtGUID(i, t), remoteSlot(n, mode))
}

// noteRemote notes that a slot waits for an event of another rank, or, with state slotLost, that the event is
// destroyed.
func (s *slot) noteRemote(event guid.GUID, mode datablock.Mode, state uint64) {
	s.word = low(event)
	word.Publish(&s.link, uint64(mode)<<linkModeAt|state|linkRemote|uint64(event.Home()))
}

// checkFed ends the run if an event of another rank must not feed an event of this type: what an event passes on to
// another rank is not ordered before the satisfier's next call.
func (c *Ctx) checkFed(source, dst guid.GUID, typ EventType, slot int) {
	switch {
	case typ == Latch || typ == Channel:
		const allowed = "; over ranks an event may feed a once, idempotent, sticky or counted event"
		c.misuse("add dependence", ErrKind, dst, "%v event of rank %d, and its source is event %v of rank %d"+allowed, typ,
			dst.Home(), source, source.Home())
	case slot != 0:
		c.badEventSlot("add dependence", dst, typ, slot)
	}
}

// dependRemote is [Ctx.AddDependence] if the destination lives on another rank; if not, it reports false.
func (c *Ctx) dependRemote(source, dst guid.GUID, slot int, mode datablock.Mode) bool {
	const op = "add dependence"
	isEvent, to := c.isRemote(dst, guid.KindEvent), dst.Home()
	switch {
	case !isEvent && !c.isRemote(dst, guid.KindEDT):
		return false
	case isEvent:
		mode = 0
	case !mode.Valid():
		c.misuse(op, ErrMode, dst, "%v on slot %d", mode, slot)
	}
	if slot < 0 || slot > MaxDeps {
		c.misuse(op, ErrSlotRange, dst, "slot %d", slot)
	}
	if isEvent && c.signed == nil && c.isEvent(source) && source.Home() != to {
		c.checkFed(source, dst, EventType(low(c.g.ranks.Ask(c, to, Act{Kind: ActEventType, On: dst}))), slot)
	}
	switch hi, lo := source.Words(); {
	case hi == c.highEvent:
		src := c.g.events.Lookup(lo)
		if src == nil {
			c.misuse(op, ErrStale, source, "as source of an object on another rank")
		}
		if c.obs != nil {
			c.obs.DependenceAdded(source, dst, slot, mode)
		}
		k, n := c.nodeElsewhere(dst, remoteSlot(slot, mode))
		c.wait(lo, src, record.NodeRef(k), &n.link, 0)
		c.passOn()
		return true
	case c.isRemote(source, guid.KindEvent):
		to = source.Home()
	case source == noSource:
		c.misuse(op, ErrNoSource, dst, "slot %d got the zero Source, Event or Block", slot)
	default:
		c.payload(op, source)
	}
	c.sendDepend(to, source, dst, remoteSlot(slot, mode))
	return true
}

func (c *Ctx) satisfyRemote(event, block guid.GUID, slot int) {
	c.payload("satisfy", block)
	if slot != Decr && slot != Incr {
		c.misuse("satisfy", ErrSlotRange, event, "slot %d; events have 0, a latch has 1 too", slot)
	}
	c.g.ranks.Send(c, event.Home(), Act{Kind: ActSatisfy, On: event, With: block, Slot: RemoteSlot(slot)})
}

// passRemote satisfies what waited on another rank for an event here.
func (c *Ctx) passRemote(p *pass) {
	dst := guid.FromWords(p.high, p.event)
	a := Act{Kind: ActSatisfy, On: dst, With: c.g.blockGUID(p.block), Slot: RemoteSlot(p.slot) | slotPassed}
	if c.closing.low != 0 {
		a.Slot |= slotOfFinish
	}
	if dst.Kind() == guid.KindEDT {
		a.Kind = ActFill
	}
	c.g.ranks.Send(c, dst.Home(), a)
}

// payloadRemote is payload for a GUID that names no block of this rank. It returns the low GUID word of a proxy.
func (c *Ctx) payloadRemote(op string, block guid.GUID) uint64 {
	if !c.isRemote(block, guid.KindBlock) {
		c.wrongKind(op, block, guid.KindBlock)
	}
	return c.g.ranks.Word(c, block)
}

// destroyRemote destroys an object of another rank. It reports false if g names no object of this kind on another rank.
func (c *Ctx) destroyRemote(g guid.GUID, kind guid.Kind) bool {
	if !c.isRemote(g, kind) {
		return false
	}
	if kind == guid.KindBlock && c.hold(g) != nil {
		c.releaseSlow(g)
	}
	c.g.ranks.Send(c, g.Home(), Act{Kind: ActDestroy, On: g})
	return true
}

func (c *Ctx) existsRemote(g guid.GUID) bool {
	return (c.isRemote(g, guid.KindEDT) || c.isRemote(g, guid.KindEvent) || c.isRemote(g, guid.KindBlock)) &&
		low(c.g.ranks.Ask(c, g.Home(), Act{Kind: ActExists, On: g})) != 0
}

// The rest is about blocks of other ranks, and about blocks of this rank that other ranks know.

// describeProxies completes the descriptions of those blocks of the running EDT that are of other ranks.
func (c *Ctx) describeProxies(slots []slot) {
	for k := range slots {
		if word := slots[k].word; word != 0 && c.blocks.At(uint32(word)).Proxy() {
			d := &c.deps[k]
			d.ID = c.g.blockGUID(word)
			if d.Access != noAccess {
				d.Access = d.Access.OfProxy(uint32(word))
			}
		}
	}
}

// acquiredFirst is what errors say of a block that was destroyed too early, over ranks.
const acquiredFirst = "; over ranks a block may be destroyed when its users have acquired it, not before"

// blockInOrder is blockGUID for a block that the EDT has in a slot. It does not look at the generation of the record: a
// worker that destroys a block which the EDT keeps may be changing the generation.
func (c *Ctx) blockInOrder(word uint64) guid.GUID {
	if c.blocks.At(uint32(word)).Proxy() {
		return c.g.ranks.Name(word)
	}
	return guid.FromWords(c.highBlock, word)
}

// destroyedOverRanks reports whether this rank knows that a block, whose record is still in use, is destroyed. word is
// the low GUID word of the record.
func (g *Graph) destroyedOverRanks(word uint64) bool {
	return g.ranks != nil && g.ranks.Destroyed(word)
}
