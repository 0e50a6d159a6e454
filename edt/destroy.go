package edt

import (
	"sync/atomic"

	"ocr/guid"
	"ocr/internal/core/relaxed"
)

// freeEDT gives a record back: the EDT's GUID is stale from here on.
func (c *Ctx) freeEDT(i uint32, t *edtRecord) {
	if code := t.code; code&(flagSpill|flagRemote|runTemplate) != 0 {
		if code&runTemplate != 0 {
			made := c.madeOf(code)
			relaxed.Store64(made, *made-1)
		}
		if code&(flagSpill|flagRemote) != 0 {
			c.freeEDTExtras(i, t)
		}
	}
	t.phase = phaseFree
	if t.Expire() {
		c.edts.Put(i)
	}
}

// dropName forgets the name that another rank gave an EDT.
func (c *Ctx) dropName(i uint32, t *edtRecord) {
	if t.code&flagRemote != 0 {
		c.g.away.forgetAway(i)
		t.code &^= flagRemote
	}
}

// freeEDTExtras forgets the name of a record that another rank gave it, and frees its spill record.
func (c *Ctx) freeEDTExtras(i uint32, t *edtRecord) {
	c.dropName(i, t)
	if t.depc > inlineSlots {
		c.freeSpill(uint32(t.slots[0].word))
	} else if t.code&flagSpill != 0 {
		c.freeSpill(uint32(t.params[0]))
	}
}

func (c *Ctx) freeSpill(i uint32) {
	if c.places.At(i).Expire() {
		c.places.Put(i)
	}
}

// DestroyEDT destroys an EDT that is not runnable yet: it never runs, and counts as
// ended in its finish scope. An output event that the runtime made for it is destroyed
// too. If the EDT is runnable or runs, the run ends with [ErrRunnable]; if it has ended
// or was destroyed, with [ErrDestroyed]. The error is certain only if the program orders
// the call with the satisfaction of the EDT's last slot.
func (c *Ctx) DestroyEDT(g guid.GUID) {
	hi, lo := g.Words()
	if hi != c.highEDT {
		if c.destroyAway(g, guid.KindEDT) {
			return
		}
		own, ok := c.localName(g)
		if !ok {
			c.wrongKind("destroy EDT", g, guid.KindEDT)
		}
		_, lo = own.Words()
	}
	i, t := uint32(lo), c.g.edts.Lookup(lo)
	if t == nil {
		c.misuse("destroy EDT", ErrDestroyed, g, "")
	}
	if t.phase != phaseWaiting {
		c.misuse("destroy EDT", ErrRunnable, g, "template %s", c.g.template(t).name)
	}
	c.n.EDTDestroyed++
	if c.obs != nil {
		c.obs.EDTDestroyed(g)
	}
	c.dropOutput(t)
	scope := t.scope
	if !c.bury(i, t) {
		c.misuse("destroy EDT", ErrRunnable, g, "template %s", c.template(t).name)
	}
	c.leaveScope(scope)
}

// dropOutput detaches the output event from a finish scope, so that it is never
// satisfied, and destroys the event if the runtime made it.
func (c *Ctx) dropOutput(t *edtRecord) {
	out := t.out
	if t.code&flagFinish != 0 {
		sc := c.events.At(t.scope)
		out, sc.out = sc.out, 0
	}
	if t.code&flagOwnOut == 0 {
		return
	}
	if e := c.g.events.Lookup(out); e != nil {
		c.DestroyEvent(guid.FromWords(c.highEvent, out))
	}
}

// bury makes a destroyed EDT a zombie: its GUID is stale at once, and its record is
// freed when no event refers to its slots any more. need counts those slots. bury
// reports false if the EDT became runnable meanwhile.
//
// The events may trigger or be destroyed on other workers while bury runs:
//
//  1. bury adds zombieBias to need, and 1 for itself. From then on no worker that
//     counts a slot out can make the EDT runnable, or free the record under bury.
//  2. bury marks each waiting slot as buried by a compare-and-swap. An event that is
//     destroyed later finds the mark and counts its slot out. An event that was
//     destroyed earlier has left its slot lost, and bury counts it.
//  3. bury counts out the slots that are left to it, and its own 1.
//
// An event that triggers counts its slot out in any case.
func (c *Ctx) bury(i uint32, t *edtRecord) bool {
	if atomic.AddUint32(&t.need, zombieBias+1) == zombieBias+1 {
		return false
	}
	if r := c.g.away; r != nil {
		r.fills.Lock()
		defer r.fills.Unlock()
	}
	c.dropName(i, t)
	t.phase = phaseZombie
	slots := c.g.slotsOf(t)
	loose := uint32(0)
	for n := range slots {
		if c.g.away != nil && slots[n].awaitsAway() {
			c.g.slotsAway.Add(-1)
		}
		if slots[n].bury() {
			loose++
		}
	}
	t.ExpireShared() // a slot may be reported to an observer at the same time
	c.leaveZombie(i, t, loose+1)
	return true
}

// freeZombie gives back the record of a destroyed EDT, whose GUID is stale already.
func (c *Ctx) freeZombie(i uint32, t *edtRecord) {
	if t.code&runTemplate != 0 {
		made := c.madeOf(t.code)
		relaxed.Store64(made, *made-1)
	}
	if t.code&flagSpill != 0 {
		c.freeEDTExtras(i, t)
	}
	t.phase = phaseFree
	if !t.Retired() {
		c.edts.Put(i)
	}
}

// bury marks a slot if it waits, and reports whether no event will count the slot out.
func (s *slot) bury() (loose bool) {
	for {
		link := atomic.LoadUint64(&s.link)
		switch link & linkState {
		case slotOpen, slotLost:
			return true
		case slotFilled:
			return false
		}
		if link&linkRemote != 0 {
			return true
		}
		if atomic.CompareAndSwapUint64(&s.link, link, link|linkBuried) {
			return false
		}
	}
}

// leaveZombie counts out slots of a zombie that no event will satisfy. The call
// that counts out the last slot frees the record.
func (c *Ctx) leaveZombie(i uint32, t *edtRecord, slots uint32) {
	if atomic.AddUint32(&t.need, -slots) == zombieBias {
		c.freeZombie(i, t)
	}
}
