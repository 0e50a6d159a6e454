package edt

import (
	"unsafe"

	"ocr/datablock"
	"ocr/guid"
)

// The functions in this file convert what they report to the worker's observer to GUIDs. They are called only if there
// is an observer, or if the run records sites.

// noteEDT records the creation of an EDT, for the observer and for reports.
func (c *Ctx) noteEDT(i uint32, t *edtRecord, tmpl *Template) {
	c.noteSite(guid.KindEDT, i)
	if c.obs != nil && c.signed == nil { // else Home.Create reports it
		c.obs.EDTCreated(c.g.edtGUID(i, t), tmpl, int(t.depc))
	}
}

func (c *Ctx) noteEvent(i uint32, e *event) {
	c.noteSite(guid.KindEvent, i)
	if c.obs != nil {
		c.obs.EventCreated(c.g.eventGUID(e.Low(i)), e.typ)
	}
}

// deliverFrom notes, for the observer, the event that satisfies the next slots and events.
func (c *Ctx) deliverFrom(event uint64) {
	if c.obs != nil {
		c.source = event
	}
}

// observeSatisfied reports a satisfaction, and notes the event as the source of those that follow from it.
func (c *Ctx) observeSatisfied(i uint32, e *event, block uint64, slot int) {
	lo := e.Low(i)
	c.obs.EventSatisfied(c.g.eventGUID(lo), c.g.eventGUID(c.source), c.g.blockGUID(block), slot)
	c.source = lo
}

// observeFill reports that a slot is satisfied.
func (c *Ctx) observeFill(i uint32, t *edtRecord, s *slot, block uint64) {
	first := unsafe.SliceData(c.g.slotsOf(t))
	n := (uintptr(unsafe.Pointer(s)) - uintptr(unsafe.Pointer(first))) / unsafe.Sizeof(*s)
	c.obs.SlotSatisfied(c.g.edtGUID(i, t), int(n), c.g.eventGUID(c.source), c.g.blockGUID(block))
}

// observeSources reports the dependences that an EDT is created with. A slot with an event as source is reported as
// satisfied only when the event satisfies it.
func (c *Ctx) observeSources(g guid.GUID, deps []Source) {
	for n := range deps {
		d := &deps[n]
		if d.id.IsUninitialized() {
			continue // connected later
		}
		c.obs.DependenceAdded(d.id, g, n, d.mode)
		if !c.isEvent(d.id) {
			c.obs.SlotSatisfied(g, n, guid.Null, d.id)
		}
	}
}

// observeRelease reports that the running EDT gives up its hold on a block.
func (c *Ctx) observeRelease(word uint64, mode datablock.Mode) {
	if c.obs != nil {
		c.obs.BlockReleased(c.g.blockGUID(word), mode, false)
	}
}

// observeScope reports the scope of a finish EDT that is being created.
func (c *Ctx) observeScope(edt guid.GUID, t *edtRecord) {
	scope := c.events.At(t.scope).Low(t.scope)
	c.obs.ScopeOpened(c.g.eventGUID(scope), edt)
}
