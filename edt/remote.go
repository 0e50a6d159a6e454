package edt

import (
	"fmt"
	"strings"
	"sync/atomic"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/rank"
	"ocr/internal/relaxed"
)

// What follows is where calls go on objects of other ranks, and what comes from there. The calls on objects of this
// rank have found out before that the high word of a GUID is not theirs.

// dependElsewhere is AddDependence if one of the two is a label, or the destination lives on another rank or has its name
// from one. It reports false if it is none of that.
func (c *Ctx) dependElsewhere(source, dst guid.GUID, slot int, mode datablock.Mode) bool {
	if source.IsLabel() || dst.IsLabel() {
		c.dependLabel(source, dst, slot, mode)
		return true
	}
	if own, ok := c.bornHere(dst); ok {
		c.dependOnBorn(source, dst, own, slot, mode)
		return true
	}
	if !c.isAway(dst, guid.KindEDT) && !c.isAway(dst, guid.KindEvent) {
		return false
	}
	if !mode.Valid() && dst.Kind() == guid.KindEDT {
		c.misuse("add dependence", ErrMode, dst, "%v on slot %d", mode, slot)
	}
	if slot < 0 || slot > MaxDeps {
		c.misuse("add dependence", ErrSlotRange, dst, "slot %d", slot)
	}
	if hi, lo := source.Words(); hi == c.highEvent {
		src := c.g.events.Lookup(lo)
		if src == nil {
			c.misuse("add dependence", ErrStale, source, "as source of an object on another rank")
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
	c.tellDepend(to, source, dst, slot, mode)
	return true
}

// dependOnBorn is AddDependence for an EDT that lives here under a name that another rank gave it.
func (c *Ctx) dependOnBorn(source, name, own guid.GUID, slot int, mode datablock.Mode) {
	if _, lo := own.Words(); c.g.edts.Lookup(lo) == nil {
		c.misuse("add dependence", ErrStale, name, "")
	}
	c.addDependence(source, own, slot, mode)
}

// tellDepend has another rank carry out AddDependence.
func (c *Ctx) tellDepend(to int, source, dst guid.GUID, slot int, mode datablock.Mode) {
	m := &rank.Message{Kind: msgDepend}
	putGUID(m, 0, source)
	putGUID(m, 2, dst)
	m.Words[4] = uint64(slot) | uint64(mode)<<nodeModeAt
	c.tell(to, m)
}

// nodeModeAt is where the mode is behind a slot.
const nodeModeAt = 24

func (c *Ctx) handleDepend(m *rank.Message) bool {
	source, dst := getGUID(m, 0), getGUID(m, 2)
	if c.tooEarly(dst) {
		return false
	}
	c.n.DependenceAdded--
	c.AddDependence(source, dst, int(m.Words[4]&(1<<nodeModeAt-1)), datablock.Mode(m.Words[4]>>nodeModeAt))
	return true
}

// awaitAway makes a slot of an EDT wait for an event of another rank.
func (c *Ctx) awaitAway(source guid.GUID, i uint32, t *edtRecord, s *slot, n int, mode datablock.Mode) {
	_, lo := source.Words()
	s.word = lo
	atomic.StoreUint64(&s.link, uint64(mode)<<linkModeAt|slotWaiting|linkRemote|uint64(source.Home()))
	c.tellDepend(source.Home(), source, c.g.edtGUID(i, t), n, mode)
}

// passAway satisfies what waited on another rank for an event here.
func (c *Ctx) passAway(p *pass) {
	dst := guid.FromWords(p.high, p.event)
	m := &rank.Message{Kind: msgSatisfy}
	if dst.Kind() == guid.KindEDT {
		m.Kind = msgFill
	}
	putGUID(m, 0, dst)
	putGUID(m, 2, c.g.blockGUID(p.block))
	m.Words[4] = uint64(p.slot)
	c.tell(dst.Home(), m)
}

// handleFill fills a slot: the event that it waited for has triggered. If the EDT was destroyed meanwhile nothing is
// left to do.
func (c *Ctx) handleFill(m *rank.Message) bool {
	name, block := getGUID(m, 0), getGUID(m, 2)
	if c.tooEarly(name) {
		return false
	}
	own, _ := c.bornHere(name)
	_, lo := own.Words()
	n, mode := uint32(m.Words[4]&(1<<nodeModeAt-1)), datablock.Mode(m.Words[4]>>nodeModeAt)
	word := c.payload("satisfy", block)
	if t := c.g.edts.Lookup(lo); t != nil && c.markFilled(t, lo, n, mode, word) {
		c.countSlot(uint32(lo), t)
	}
	return true
}

// markFilled writes into a slot what has come for it, unless the EDT was buried.
func (c *Ctx) markFilled(t *edtRecord, lo uint64, n uint32, mode datablock.Mode, word uint64) bool {
	r := c.g.ranks
	r.fills.Lock()
	defer r.fills.Unlock()
	if !t.Is(lo) {
		return false
	}
	g := c.g.edtGUID(uint32(lo), t)
	if n >= t.depc {
		c.misuse("add dependence", ErrSlotRange, g, "slot %d; template %s has %d", n, c.g.template(t).name, t.depc)
	}
	s := c.g.slotAt(t, n)
	if state := s.state(); state != slotOpen && (state != slotWaiting || s.link&linkRemote == 0) {
		c.badSlot(t, s, g, int(n), mode)
	}
	if c.obs != nil {
		c.observeFill(uint32(lo), t, s, word)
	}
	s.word = word
	relaxed.Store64(&s.link, uint64(mode)<<linkModeAt|slotFilled)
	return true
}

// countSlot counts out a slot that is filled, see fill.
func (c *Ctx) countSlot(i uint32, t *edtRecord) {
	switch atomic.AddUint32(&t.need, ^uint32(0)) {
	case 0:
		c.runnable(i, t)
	case zombieBias:
		c.freeZombie(i, t)
	}
}

// satisfyElsewhere is SatisfySlot for a label, or an event of another rank. It reports false if it is neither.
func (c *Ctx) satisfyElsewhere(event, block guid.GUID, slot int) bool {
	if event.IsLabel() {
		c.satisfyLabel(event, block, slot)
		return true
	}
	if !c.isAway(event, guid.KindEvent) {
		return false
	}
	if block.IsLabel() {
		block = c.resolve("satisfy", block)
	}
	if !c.isAway(block, guid.KindBlock) {
		c.payload("satisfy", block)
	}
	if slot != Decr && slot != Incr {
		c.misuse("satisfy", ErrSlotRange, event, "slot %d; events have 0, a latch has 1 too", slot)
	}
	m := &rank.Message{Kind: msgSatisfy}
	putGUID(m, 0, event)
	putGUID(m, 2, block)
	m.Words[4] = uint64(slot)
	c.tell(event.Home(), m)
	return true
}

func (c *Ctx) handleSatisfy(m *rank.Message) bool {
	c.n.EventSatisfied--
	c.SatisfySlot(getGUID(m, 0), getGUID(m, 2), int(m.Words[4]&(1<<nodeModeAt-1)))
	return true
}

// destroyElsewhere destroys an object of another rank. It reports false if g is not one.
func (c *Ctx) destroyElsewhere(g guid.GUID, kind guid.Kind) bool {
	if !c.isAway(g, kind) {
		return false
	}
	m := &rank.Message{Kind: msgDestroy}
	putGUID(m, 0, g)
	c.tell(g.Home(), m)
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

// foreignBlock is payload for what is no block of this rank.
func (c *Ctx) foreignBlock(op string, block guid.GUID) uint64 {
	if c.isAway(block, guid.KindBlock) {
		c.misuse(op, ErrBlockAway, block, "it lives on rank %d, this is rank %d", block.Home(), c.g.ranks.me)
	}
	c.wrongKind(op, block, guid.KindBlock)
	return 0
}

// encodeOrigin puts who makes a call and where into the tail of a message.
func encodeOrigin(o *origin) []byte {
	return []byte(fmt.Sprintf("%s\x00%s\x00%s\x00%d", o.template, o.about, o.file, o.line))
}

// decodeOrigin is the inverse of encodeOrigin; it reports false if tail is something else.
func decodeOrigin(tail []byte, o *origin) bool {
	parts := strings.Split(string(tail), "\x00")
	if len(parts) != 4 {
		return false
	}
	o.template, o.about, o.file = parts[0], parts[1], parts[2]
	_, err := fmt.Sscan(parts[3], &o.line)
	return err == nil
}
