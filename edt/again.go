package edt

import (
	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/graph/record"
)

// A Change gives a new source to a slot of an EDT that calls [Ctx.Again].
type Change struct {
	Slot int
	// Source is an event, a data block, or [guid.Null] for none.
	Source guid.GUID
}

// Again makes the running EDT go on: when its body ends, it becomes a new EDT of the same template, with the same
// parameters, place and priority. That costs less than creating such an EDT.
//
// A slot that a change names gets the change's source: an event, for which it waits, or a block. Every other slot keeps
// its block and is satisfied at once. All slots keep their modes. If the body has written to its parameters
// ([Args.Params]), the new EDT gets the written values.
//
// Again takes effect at the end of the body, after the EDT's blocks are released and its output event is satisfied. The
// new EDT counts as one that was created, in the same finish scope. After a finish EDT that is the scope which it
// opened: its output event waits for the new EDT too. The new EDT has no output event, and acquires its blocks as every
// EDT does. Again returns no GUID: no other EDT can name the new EDT before its body runs.
//
// A body calls Again at most once ([ErrGoesOn]). A change ends the run if the EDT has no such slot ([ErrSlotRange]), if
// another change names the slot ([ErrSlotTaken]), or if its source is neither event nor block ([ErrKind]). The program
// must not destroy a new source, or a block that stays on its slot, before the body ends ([ErrStale]). Once events and
// latches may trigger, and so destroy themselves, as soon as Again is called.
//
//go:noinline
func (c *Ctx) Again(changes ...Change) {
	c.againWith(changes)
	c.again.site = callerPC()
}

func (c *Ctx) againWith(changes []Change) {
	a := &c.again
	if c.current == 0 || a.stage != 0 || c.running().code&flagNode != 0 {
		c.cannotGoOn()
	}
	a.stage, a.events = againCalled, 0
	slots := c.g.slotsOf(c.running())
	for n := range changes {
		c.change(slots, &changes[n])
	}
	c.atReady |= readyPicks
}

// AgainOf is [Ctx.Again] for one slot. It ends the run if the running EDT is not one of template t ([ErrKind]). notHigh
// is the inverted high word of the source's GUID, low its low word. If no EDT runs, running returns record 0, which has
// no slots.
//
//go:noinline
func (c *Ctx) AgainOf(t *Template, slot int, notHigh, low uint64) {
	if c.again.stage == 0 && ^notHigh == c.highEvent {
		k := c.running()
		if k.code&(templateMask|flagNode) == t.index && (t.registered || c.template(k) == t) &&
			k.depc <= inlineSlots && uint(slot) < uint(k.depc) {
			if e := c.g.events.Lookup(low); e != nil && e.typ == Sticky {
				s := &k.slots[slot&(inlineSlots-1)]
				s.word, s.link = low, s.link&linkMode|linkNamed|slotWaiting
				c.again.stage, c.again.events, c.again.last = againCalled, 1, slot
				c.atReady |= readyPicks
				c.again.site = callerPC()
				return
			}
		}
	}
	c.againOfSlow(t, slot, notHigh, low)
	c.again.site = callerPC()
}

func (c *Ctx) againOfSlow(t *Template, slot int, notHigh, low uint64) {
	c.CheckRuns(t)
	c.againWith([]Change{{slot, guid.FromWords(^notHigh, low)}})
}

// CheckRuns ends the run if no EDT runs, or if the running EDT was made from another template.
func (c *Ctx) CheckRuns(t *Template) {
	if c.current == 0 || c.template(c.running()) != t {
		c.misuse(opAgain, ErrKind, guid.Null, "the EDT is not one of template %s", t.name)
	}
}

// again is the call of [Ctx.Again] that has yet to take effect.
type again struct {
	stage  againStage
	events uint32  // number of slots that will wait for an event
	last   int     // the slot that got an event last
	site   uintptr // the return address of the call, 0 if that is not known
}

type againStage uint8

const (
	againCalled  againStage = iota + 1
	againEnds               // the body has ended
	againNew                // the record is the new EDT's, and the worker connects its slots
	againInGraph            // no call: the EDT is a node of a recorded graph whose run is watched
)

const opAgain = "go on"

// change gives a slot its new source. The body has its own description of the old blocks, and only snapshots read the
// slots of a running EDT. So the slot itself can store the source until the body ends.
func (c *Ctx) change(slots []slot, d *Change) {
	if uint(d.Slot) >= uint(len(slots)) {
		c.misuse(opAgain, ErrSlotRange, c.Self(), "slot %d; template %s has %d", d.Slot, c.runs().name, len(slots))
	}
	s := &slots[d.Slot]
	if s.link&linkNamed != 0 {
		c.misuse(opAgain, ErrSlotTaken, c.Self(), "slot %d is named twice", d.Slot)
	}
	own := s.link&linkMode | linkNamed
	_, lo := d.Source.Words()
	if waits, behindProxy := c.waitsFor(d); waits {
		if behindProxy {
			_, lo = c.proxyEvent(d.Source).Words()
		}
		s.word, s.link = lo, own|slotWaiting
		c.again.events++
		c.again.last = d.Slot
		return
	}
	if d.Source.IsUninitialized() {
		c.misuse(opAgain, ErrKind, d.Source, "an open slot, for slot %d: no EDT could connect it", d.Slot)
	}
	s.word, s.link = c.payload(opAgain, d.Source), own|slotFilled
}

// waitsFor reports whether a slot waits for its new source, and whether a proxy event must stand in for the source: for
// an event of another rank, or for a once or latch event, which may be freed before the body ends.
func (c *Ctx) waitsFor(d *Change) (waits, behindProxy bool) {
	hi, lo := d.Source.Words()
	if hi != c.g.highEvent {
		return c.isRemote(d.Source, guid.KindEvent), true
	}
	e := c.g.events.Lookup(lo)
	if e == nil {
		c.staleSource(opAgain, d.Source, d.Slot)
	}
	return true, e.typ == Once || e.typ == Latch
}

// proxyEvent makes a counted event that source satisfies, for one dependence.
func (c *Ctx) proxyEvent(source guid.GUID) guid.GUID {
	g := c.innerEvent(Counted)
	c.events.At(uint32(low(g))).count.Begin(1 + record.Unsatisfied)
	c.dependOther(source, g, Decr, datablock.RW)
	return g
}

// cannotGoOn ends the run: Again was called twice, by a node of a recorded graph, or by no EDT.
func (c *Ctx) cannotGoOn() {
	if c.current == 0 {
		c.misuse(opAgain, ErrNoEDT, guid.Null, "")
	}
	if c.running().code&flagNode != 0 || c.again.stage == againInGraph {
		c.misuse(opAgain, ErrGoesOn, c.Self(), "a node of a recorded graph runs once in each run of the graph")
	}
	c.misuse(opAgain, ErrGoesOn, c.Self(), "a body calls Again once")
}

// goOn makes the new EDT. It uses the record of the old one, unless the run is watched or the generations of the record
// are used up. The new EDT keeps the token of the finish scope. Another worker may run the new EDT as soon as its last
// slot is connected, or the host has the EDT: goOn does not touch the record after that.
func (c *Ctx) goOn(i uint32, t *edtRecord) {
	c.again.stage = againEnds
	c.deps, c.held, c.inUse = c.deps[:0], 0, viewCount // no block is held: the new EDT's view may use the entry
	if c.obs != nil || t.Last() {
		c.replace(i, t)
		return
	}
	slots := c.g.slotsOf(t)
	for n := range slots {
		s := &slots[n]
		if s.link == filledRW {
			continue
		}
		s.link &= linkMode | linkState
		if s.link == filledNull && s.word != 0 {
			c.checkStays(n, s)
		}
	}
	t.code &^= flagFinish | flagOwnOut
	t.out = 0
	t.Advance()
	c.n.EDTCreated++
	c.again.stage = againNew
	t.phase = phaseWaiting
	t.need.SetLeft(c.again.events)
	switch c.again.events {
	case 0:
		c.runnable(i, t)
	case 1: // one try to add the slot to the event; the loop below does the rest
		n := c.again.last
		s := &slots[n]
		mode := s.link & linkMode
		if e := c.events.At(uint32(s.word)); e.Is(s.word) && e.typ <= Latch &&
			e.head.TryPush(record.SlotRef(i, n), &s.link, mode|slotWaiting) {
			return
		}
		s.link = mode | slotWaiting
	}
	for n, later := 0, c.again.events; later > 0; n++ {
		if s := &slots[n]; s.state() == slotWaiting {
			later--
			c.await(s.word, c.sourceOf(n, s), i, s, n, s.mode())
		}
	}
}

// replace creates the new EDT in a record of its own.
func (c *Ctx) replace(old uint32, t *edtRecord) {
	slots := c.g.slotsOf(t)
	deps := c.againDeps[:0]
	for n := range slots {
		s := &slots[n]
		if s.state() == slotWaiting {
			c.sourceOf(n, s)
			deps = append(deps, From(c.g.eventGUID(s.word), s.mode()))
		} else {
			c.checkStays(n, s)
			deps = append(deps, From(c.g.blockGUID(s.word), s.mode()))
		}
	}
	c.againDeps = deps
	i, k := c.allocEDT(c.template(t), c.g.paramsOf(t), len(slots))
	k.place, k.prio = t.place, t.prio
	c.startSlow(i, k, c.g.edtGUID(i, k), deps)
	scope := t.scope
	c.freeEDT(old, t)
	c.leaveScope(scope)
}

// sourceOf looks up the event that slot n is to wait for.
func (c *Ctx) sourceOf(n int, s *slot) *event {
	e := c.events.At(uint32(s.word))
	if !e.Is(s.word) {
		c.staleSource(opAgain, c.g.eventGUID(s.word), n)
	}
	return e
}

func (c *Ctx) staleSource(op string, event guid.GUID, n int) {
	c.misuse(op, ErrStale, event, "as source of slot %d, %s", n, c.gone(event))
}

// checkStays ends the run if the block that stays on slot n was destroyed.
func (c *Ctx) checkStays(n int, s *slot) {
	if s.word != 0 && (c.g.blocks.Lookup(s.word) == nil || c.g.destroyedOverRanks(s.word)) {
		c.goneBlock(n, s.word)
	}
}

func (c *Ctx) goneBlock(n int, block uint64) {
	c.misuse(opAgain, ErrStale, c.g.blockGUID(block), "on slot %d", n)
}
