package edt

import (
	"sync/atomic"
	"unsafe"

	"ocr/datablock"
	"ocr/guid"
)

// What follows tells the worker's observer of things that take some work to put as
// GUIDs. It is called only where there is one.

// Behalf returns the EDT whose call is carried out, which was kept until a label had an
// object; Null where it is a call of the EDT that runs. It is for observers.
func (c *Ctx) Behalf() guid.GUID {
	if c.behalf == nil {
		return guid.Null
	}
	return c.behalf.edt
}

func (c *Ctx) taskGUID(i uint32, t *task) guid.GUID {
	return guid.FromWords(c.g.highEDT, t.Low(i))
}

func (c *Ctx) eventGUID(lo uint64) guid.GUID {
	if lo == 0 {
		return guid.Null
	}
	return guid.FromWords(c.g.highEvent, lo)
}

// noteEDT records the creation of an EDT, for the observer and for reports.
func (c *Ctx) noteEDT(i uint32, t *task, tmpl *Template) {
	c.noteSite(guid.KindEDT, i)
	if c.obs != nil {
		c.obs.EDTCreated(c.taskGUID(i, t), tmpl, int(t.depc))
	}
}

func (c *Ctx) noteEvent(i uint32, e *event) {
	c.noteSite(guid.KindEvent, i)
	if c.obs != nil {
		c.obs.EventCreated(c.eventGUID(e.Low(i)), e.typ)
	}
}

func (c *Ctx) noteSite(kind guid.Kind, i uint32) {
	if c.g.sites != nil {
		c.g.sites.note(c, kind, i)
	}
}

// deliverFrom notes which event the slots and events that are satisfied next owe it
// to.
func (c *Ctx) deliverFrom(event uint64) {
	if c.obs != nil {
		c.source = event
	}
}

// observeSatisfied tells of a satisfaction, and notes the event as the source of what
// follows from it.
func (c *Ctx) observeSatisfied(i uint32, e *event, block uint64, slot int) {
	lo := e.Low(i)
	c.obs.EventSatisfied(c.eventGUID(lo), c.eventGUID(c.source), c.g.blockGUID(block), slot)
	c.source = lo
}

// observeFill tells that a slot is satisfied. The EDT may be destroyed meanwhile, by a
// worker that marks its slots first: if the mark is not there yet, the name read before
// is still its own.
func (c *Ctx) observeFill(i uint32, t *task, s *slot, block uint64) {
	edt := guid.FromWords(c.g.highEDT, t.SharedLow(i))
	if atomic.LoadUint64(&s.link)&linkBuried != 0 {
		return
	}
	first := unsafe.SliceData(c.g.slotsOf(t))
	n := (uintptr(unsafe.Pointer(s)) - uintptr(unsafe.Pointer(first))) / unsafe.Sizeof(*s)
	c.obs.SlotSatisfied(edt, int(n), c.eventGUID(c.source), c.g.blockGUID(block))
}

// observeSources tells of the dependences that an EDT is created with. Events are
// reported as the source once they satisfy their slot.
func (c *Ctx) observeSources(g guid.GUID, deps []Source) {
	for n := range deps {
		d := &deps[n]
		hi, _ := d.id.Words()
		if d.id.IsUninitialized() || d.id.IsLabel() {
			continue // connected later, or told of when the label is found
		}
		c.obs.DependenceAdded(d.id, g, n, d.mode)
		if hi != c.g.highEvent {
			c.obs.SlotSatisfied(g, n, guid.Null, d.id)
		}
	}
}

// observeDestroyBlock tells that a block goes, and with it the EDT's hold d, if any.
func (c *Ctx) observeDestroyBlock(block guid.GUID, d *datablock.Dep) {
	if d != nil {
		c.obs.BlockReleased(block, heldMode(d), false)
	}
	c.obs.BlockDestroyed(block)
}

// observeScope tells of the scope of a finish EDT that is being created.
func (c *Ctx) observeScope(i uint32, t *task) {
	scope := c.g.events.At(t.scope).Low(t.scope)
	c.obs.ScopeOpened(c.eventGUID(scope), c.taskGUID(i, t))
}

// keep tells that a call is kept for a label's object.
func (c *Ctx) keep() any {
	if c.obs == nil {
		return nil
	}
	return c.obs.CallKept()
}

// resumeKept begins to carry out a call that was kept, with from nil it ends.
func (c *Ctx) resumeKept(from *origin, told any) {
	c.behalf = from
	if c.obs != nil {
		c.obs.CallResumed(told)
	}
}
