package edt

import (
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/word"
)

// This file is for package internal/rank/remote: what other ranks ask of this rank.

// A Home is a Ctx with the methods that a [Remote] needs. The courier is a Ctx that runs no EDT. The goroutine that
// holds the courier lock handles the messages of other ranks: by calls of the courier it carries out what they ask on
// objects of this rank.
type Home struct{ *Ctx }

// Number returns the worker's number on its rank, from 0; the courier's is the number of workers.
func (h Home) Number() int { return h.onRank() }

// Counters returns the worker's counters. A call counts on the rank that makes it, so the courier does not count it.
func (h Home) Counters() *Counters { return &h.n }

// Watched reports whether there is an observer, or sites are recorded.
func (h Home) Watched() bool { return h.obs != nil }

// Receive has the worker handle messages, at most n of them.
func (h Home) Receive(n int) { h.g.poll(h.host, n) }

// The next methods set and return the EDT on whose behalf calls are made.

// A RemoteCaller is the EDT on whose behalf a message comes.
type RemoteCaller struct {
	From     int       // the rank of the sender
	EDT      guid.GUID // Null for none; it may be of a third rank
	Template uint32    // the index of its template
}

// Handle sets the EDT on whose behalf the courier makes all calls until Handle(nil).
func (h Home) Handle(by *RemoteCaller) {
	h.signed = by
	if by == nil {
		h.passing, h.source, h.closes = h.passing[:0], 0, false
	}
}

// Caller returns the EDT on whose behalf the current call is made.
func (h Home) Caller() (by RemoteCaller) {
	edt, t := h.author()
	if by.EDT = edt; t != nil {
		by.Template = t.index
	}
	return by
}

// NoMemory ends the run: there is no room for a block of this size.
func (h Home) NoMemory(block guid.GUID, size int, err error) { h.noMemory("acquire", block, size, err) }

// Do carries out an act for another rank, except ActReturn.
func (h Home) Do(a Act) guid.GUID {
	switch a.Kind {
	case ActDepend:
		h.n.DependenceAdded--
		h.AddDependence(a.With, a.On, a.Slot.Number(), a.Slot.Mode())
	case ActFill:
		h.fillFrom(a)
	case ActSatisfy:
		h.triggerFrom(a)
	case ActDestroy:
		switch a.On.Kind() {
		case guid.KindEvent:
			h.DestroyEvent(a.On)
		case guid.KindEDT:
			h.DestroyEDT(a.On)
		default:
			h.DestroyBlock(a.On)
		}
	case ActExists:
		if h.Exists(a.On) {
			return number(1)
		}
	case ActEventType:
		_, e := h.event("add dependence", a.On, ErrStale)
		return number(uint64(e.typ))
	case ActNewBlock:
		return h.NewBlockNear(int(low(a.On)), Affinity(a.Slot))
	case ActNewEvent:
		return h.newEventNear(EventType(a.Slot), int64(low(a.On)), 0)
	}
	return guid.Null
}

// fillFrom fills a slot of an EDT here, as the event of another rank for which the slot waited has triggered. If the
// event was destroyed, fillFrom only marks the slot as lost.
func (c *Ctx) fillFrom(a Act) {
	n, lo := uint32(a.Slot.Number()), low(a.On)
	t := c.g.edts.Lookup(lo)
	if t == nil {
		const why = "slot %d of it waited for an event of rank %d; an EDT without connected slots can be destroyed"
		c.misuse("satisfy", ErrStale, a.On, why, n, c.signed.From)
	}
	if n >= t.depc {
		c.misuse("add dependence", ErrSlotRange, a.On, "slot %d; template %s has %d", n, c.g.template(t).name, t.depc)
	}
	s := c.g.slotAt(t, n)
	if a.Slot&slotIsLost != 0 { // the EDT never starts
		s.noteRemote(a.With, a.Slot.Mode(), slotLost)
		return
	}
	hi, low := a.With.Words()
	if hi != c.highBlock { // a destroyed block of this rank is found when the EDT acquires it
		low = c.payload("satisfy", a.With)
	}
	if word.Load(&s.link)&(linkState|linkRemote) != slotWaiting|linkRemote && s.state() != slotOpen {
		c.badSlot(t, s, a.On, int(n), a.Slot.Mode())
	}
	c.fill(uint32(lo), t, s, low, uint64(a.Slot.Mode())<<linkModeAt)
}

// triggerFrom satisfies an event here, for a call of another rank or for an event there.
func (c *Ctx) triggerFrom(a Act) {
	if a.Slot&slotForward != 0 {
		op := opReturn
		if c.closes = a.Slot&slotOfFinish != 0; c.closes {
			op = opFinish
			c.checkMemory(a.On)
		}
		c.fireOutput(op, low(a.On), c.payload(op, a.With))
		return
	}
	if a.Slot&slotPassed != 0 && !c.Exists(a.On) {
		const why = "passed on by an event of rank %d; what is called after the satisfaction of that may come first"
		c.misuse("satisfy", ErrStale, a.On, why, c.signed.From)
	}
	c.n.EventSatisfied--
	c.SatisfySlot(a.On, a.With, a.Slot.Number())
}

// EDTs that other ranks create.

// ReserveEDT reserves a record for an EDT that another rank will create, and returns the low word of its name. No call
// finds the record before Create confirms it.
func (h Home) ReserveEDT() uint64 {
	i := h.edts.Get()
	if i == 0 {
		h.misuse("create EDT", ErrMemory, guid.Null, "too many EDTs alive")
	}
	k := h.edts.At(i)
	lo := k.Low(i)
	k.phase = phaseFree // the phase may be left from an earlier run
	k.Reserve()
	return lo
}

// Reserved reports whether g names an EDT that another rank creates here, and that has not come yet.
func (h Home) Reserved(g guid.GUID) bool {
	hi, lo := g.Words()
	return hi == h.highEDT && h.g.edts.Reserved(lo)
}

// Create creates an EDT in a reserved record. scope is a proxy of its finish scope, 0 for none. The EDT's slots with
// events as sources are open. An EDT here that knows the name finds the record after Confirm, and may connect slots.
func (h Home) Create(name uint64, e *RemoteEDT, scope uint32) {
	c, i := h.Ctx, uint32(name)
	k, t := c.edts.At(i), c.g.templateAt(e.Template)
	edt := guid.FromWords(c.highEDT, 1<<63|k.Low(i))
	c.edts.Put(i) // where allocEDT gets it
	c.allocEDT(t, e.Params, e.Slots)
	c.n.EDTCreated--
	if c.obs != nil {
		c.obs.EDTCreated(edt, t, e.Slots)
	}
	k.need.SetLeft(k.need.Left() + 1) // counted down below, when the EDT is complete
	k.scope, k.place, k.prio = scope, e.Hint.Affinity, e.Hint.Priority
	c.setOutput(edt, k, e.OutputEvent, &e.Spec)
	if len(e.Deps) > 0 {
		c.startSlow(i, k, edt, e.Deps)
	}
	k.Confirm()
	if k.need.CountDown() {
		c.runnable(i, k)
	}
}

// Blocks.

// Store returns the blocks of this rank, Local the worker's part of them.
func (h Home) Store() *block.Store { return h.g.blocks }
func (h Home) Local() *block.Local { return &h.blocks }

// Grant resumes each EDT or rank that was granted a block.
func (h Home) Grant(granted []block.Waiter) { h.grant(granted) }

// Waiting returns the name of an EDT that waits for a block, and the index of its template.
func (h Home) Waiting(w block.Waiter) (edt guid.GUID, template uint32) {
	t := h.edts.At(w.EDT)
	return h.g.edtGUID(w.EDT, t), h.g.template(t).index
}

// Stale ends the run: an EDT of another rank waits for a block that is destroyed.
func (h Home) Stale(block, waits guid.GUID, template uint32) {
	name := h.g.templateAt(template).nameOr("?")
	h.misuse("acquire", ErrStale, block, "by EDT %v of rank %d, template %s"+acquiredFirst, waits, waits.Home(), name)
}
