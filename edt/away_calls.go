package edt

import (
	"strings"
	"sync/atomic"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/relaxed"
	"ocr/internal/rank"
)

// Dependences, satisfactions and destructions of objects of other ranks: the messages that are sent for them, and the
// handlers of those.

// dependElsewhere is AddDependence if the destination lives on another rank. It reports false if it does not.
func (c *Ctx) dependElsewhere(source, dst guid.GUID, slot int, mode datablock.Mode) bool {
	if !c.isAway(dst, guid.KindEDT) && !c.isAway(dst, guid.KindEvent) {
		return false
	}
	if !mode.Valid() && dst.Kind() == guid.KindEDT {
		c.misuse("add dependence", ErrMode, dst, "%v on slot %d", mode, slot)
	}
	if dst.Kind() == guid.KindEvent {
		mode = 0
	}
	if slot < 0 || slot > MaxDeps {
		c.misuse("add dependence", ErrSlotRange, dst, "slot %d", slot)
	}
	if dst.Kind() == guid.KindEvent && c.message == nil && c.isEvent(source) && source.Home() != dst.Home() {
		typ := c.query("add dependence", dst.Home(), queryEventType, dst, 0)
		c.checkFed(source, dst, EventType(low(typ)), slot)
	}
	if hi, lo := source.Words(); hi == c.highEvent {
		src := c.g.events.Lookup(lo)
		if src == nil {
			c.misuse("add dependence", ErrStale, source, "as source of an object on another rank")
		}
		if c.obs != nil {
			c.obs.DependenceAdded(source, dst, slot, mode)
		}
		k, n := c.newNode(0, slot)
		n.high, n.dst = dst.Words()
		n.slot |= uint32(mode) << nodeModeAt
		c.awaitEvent(source, src, k, n)
		c.passOn()
		return true
	}
	to := dst.Home()
	switch {
	case c.isAway(source, guid.KindEvent):
		to = source.Home()
	case source == noSource:
		c.misuse("add dependence", ErrNoSource, dst, "slot %d got the zero Source, Event or Block", slot)
	case !source.IsNull() && !c.isAway(source, guid.KindBlock):
		c.payload("add dependence", source)
	}
	c.sendDepend(to, source, dst, slot, mode)
	return true
}

// checkFed ends the run if an event of another rank must not feed an event of this type, see docs/ranks.md, "Order".
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

// What is beside the slot of a node whose destination is on another rank, and of a message about a slot.
const (
	nodeModeAt  = 24
	nodePassed  = 1 << 27 // an event passes this on
	nodeFinish  = 1 << 28 // of an output event: it is a finish scope's
	fillLost    = 1 << 29 // the event has gone
	nodeForward = 1 << 30 // the destination is an output event, for which this one stands
	nodeOwn     = 1 << 31 // which the runtime has made
)

func (c *Ctx) handleDepend(m *rank.Message) bool {
	source, dst := getGUID(m, 0), getGUID(m, 2)
	if c.tooEarly(dst) {
		return false
	}
	c.n.DependenceAdded--
	c.AddDependence(source, dst, int(m.Words[4]&(1<<nodeModeAt-1)), datablock.Mode(m.Words[4]>>nodeModeAt&7))
	return true
}

// handleFill fills a slot: the event that it waited for has triggered, or has gone.
func (c *Ctx) handleFill(m *rank.Message) bool {
	name, block := getGUID(m, 0), getGUID(m, 2)
	if c.tooEarly(name) {
		return false
	}
	_, lo := name.Words()
	t := c.g.edts.Lookup(lo)
	if t == nil {
		const why = "slot %d of it waited for an event of rank %d; an EDT without connected slots can be destroyed"
		c.misuse("satisfy", ErrStale, name, why, m.Words[4]&(1<<nodeModeAt-1), c.from)
	}
	n, mode := uint32(m.Words[4]&(1<<nodeModeAt-1)), datablock.Mode(m.Words[4]>>nodeModeAt&7)
	hi, word := block.Words()
	state, lost := uint64(slotFilled), m.Words[4]&fillLost != 0
	switch {
	case lost: // and it names the event
		state = slotLost | linkRemote | uint64(block.Home())
	case hi != c.highBlock: // else it may be destroyed, as a block of an event may: the EDT finds that when it acquires it
		word = c.payload("satisfy", block)
	}
	c.markSlot(uint32(lo), t, n, mode, word, state)
	if !lost && atomic.AddUint32(&t.need, ^uint32(0)) == 0 {
		c.runnable(uint32(lo), t)
	}
	return true
}

// markSlot writes into a slot what has come for it.
func (c *Ctx) markSlot(i uint32, t *edtRecord, n uint32, mode datablock.Mode, word, state uint64) {
	g := c.g.edtGUID(i, t)
	if n >= t.depc {
		c.misuse("add dependence", ErrSlotRange, g, "slot %d; template %s has %d", n, c.g.template(t).name, t.depc)
	}
	s := c.g.slotAt(t, n)
	if !s.awaitsAway() && s.state() != slotOpen {
		c.badSlot(t, s, g, int(n), mode)
	}
	if c.obs != nil && state == slotFilled {
		c.obs.SlotSatisfied(g, int(n), guid.Null, c.g.blockGUID(word))
	}
	s.word = word
	relaxed.Store64(&s.link, uint64(mode)<<linkModeAt|state)
}

func (c *Ctx) handleSatisfy(m *rank.Message) bool {
	block := getGUID(m, 2)
	if w := m.Words[4]; w&nodeForward != 0 {
		op := opReturn
		if w&nodeFinish != 0 {
			op = opFinish
			c.checkMemory(getGUID(m, 0))
		}
		c.fireOutput(op, m.Words[1], c.payload(op, block))
		return true
	}
	event := getGUID(m, 0)
	if m.Words[4]&nodePassed != 0 && !c.Exists(event) {
		const why = "passed on by an event of rank %d; what is called after the satisfaction of that may come first"
		c.misuse("satisfy", ErrStale, event, why, c.from)
	}
	c.n.EventSatisfied--
	c.SatisfySlot(event, block, int(m.Words[4]&(1<<nodeModeAt-1)))
	return true
}

func (c *Ctx) handleDestroy(m *rank.Message) bool {
	g := getGUID(m, 0)
	switch {
	case c.tooEarly(g):
		return false
	case g.Kind() == guid.KindEvent:
		c.DestroyEvent(g)
	case g.Kind() == guid.KindEDT:
		c.DestroyEDT(g)
	default:
		c.DestroyBlock(g)
	}
	return true
}

// appendOrigin appends the EDT that makes a call, and the line of the call, to the tail of a message.
func appendOrigin(tail []byte, o *origin) []byte {
	hi, lo := o.edt.Words()
	file, line := o.at.line()
	tail = appendWords(tail, hi, lo, uint64(line))
	for _, text := range [...]string{o.template, "\x00", o.about, "\x00", file} {
		tail = append(tail, text...)
	}
	return tail
}

// decodeOrigin is the inverse of appendOrigin.
func decodeOrigin(tail []byte) *origin {
	var words [3]uint64
	appendFrom(words[:0], tail, len(words))
	text := strings.SplitN(string(tail[8*len(words):]), "\x00", 3)
	at := position{file: text[2], no: int(words[2])}
	return &origin{edt: guid.FromWords(words[0], words[1]), template: text[0], about: text[1], at: at}
}

// satisfyElsewhere is SatisfySlot for an event of another rank.
func (c *Ctx) satisfyElsewhere(event, block guid.GUID, slot int) {
	if !c.isAway(block, guid.KindBlock) {
		c.payload("satisfy", block)
	}
	if slot != Decr && slot != Incr {
		c.misuse("satisfy", ErrSlotRange, event, "slot %d; events have 0, a latch has 1 too", slot)
	}
	c.sendSatisfy(event, block, slot)
}

// sendLost lets go of what waited on another rank for an event that is gone without having triggered. An output
// event that the runtime has made goes too, and an EDT is sent the news.
func (c *Ctx) sendLost(n *node, event guid.GUID) {
	dst := guid.FromWords(n.high, n.dst)
	if n.slot&nodeOwn != 0 {
		c.sendDestroy(dst)
		return
	}
	if dst.Kind() != guid.KindEDT {
		return
	}
	c.sendTo(dst.Home(), about(msgFill, dst, event, uint64(n.slot)|fillLost))
}

// sendTrigger satisfies what waited on another rank for an event here.
func (c *Ctx) sendTrigger(p *pass) {
	dst := guid.FromWords(p.high, p.event)
	kind, slot := msgSatisfy, uint64(p.slot)|nodePassed
	if dst.Kind() == guid.KindEDT {
		kind = msgFill
	}
	if c.closing.low != 0 {
		slot |= nodeFinish
	}
	c.passWith(p.block, dst.Home(), about(kind, dst, guid.Null, slot))
}

// sendDepend has another rank carry out AddDependence.
func (c *Ctx) sendDepend(to int, source, dst guid.GUID, slot int, mode datablock.Mode) {
	c.sendWith(source, to, about(msgDepend, source, dst, uint64(slot)|uint64(mode)<<nodeModeAt))
}

// sendSatisfy has the home of an event carry out SatisfySlot.
func (c *Ctx) sendSatisfy(event, block guid.GUID, slot int) {
	c.creation = *about(msgSatisfy, event, block, uint64(slot))
	c.sendWith(block, event.Home(), &c.creation)
}

// sendDestroy has the home of an object destroy it.
func (c *Ctx) sendDestroy(g guid.GUID) {
	c.sendTo(g.Home(), about(msgDestroy, g, guid.Null, 0))
}
