package edt

import (
	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/word"
	"ocr/internal/graph/record"
)

// Most EDTs are small: parameters and slots fit into the record, and at most one slot waits for an event. makeEDT,
// start and fillSlots create such an EDT in one pass. makeEDT and fillSlots call nothing, so their values stay in
// registers. In every other case, and on misuse, the functions with the suffix Slow do the work; if makeEDT or
// fillSlots fails, it has changed only fields that these functions overwrite.

// makeEDT makes an EDT with open slots. deps is the length of its dependence list, 0 for none.
func (c *Ctx) makeEDT(at Affinity, t *Template, params []uint64, deps int) (uint32, *edtRecord) {
	if c.obs != nil || c.edts.Empty() || t == nil || len(params) != t.small || deps != 0 && deps != t.depc ||
		c.scope != 0 && c.tokens == 0 {
		return c.makeEDTSlow(at, t, params, deps)
	}
	if !t.registered {
		number := t.index % runTemplate
		if t.of != c.local || int(number) >= len(c.made) || t.gone.Load() {
			return c.makeEDTSlow(at, t, params, deps)
		}
		word.Publish(&c.made[number], c.made[number]+1)
	}
	i := c.edts.Take()
	k := c.edts.At(i)
	switch len(params) {
	case 1:
		k.params[0] = params[0]
	case 2:
		k.params[0], k.params[1] = params[0], params[1]
	case 3:
		k.params[0], k.params[1], k.params[2] = params[0], params[1], params[2]
	case 4:
		k.params[0], k.params[1], k.params[2], k.params[3] = params[0], params[1], params[2], params[3]
	}
	k.edtHead, k.out = t.head, 0
	k.place, k.prio, k.phase = at, t.hint.Priority, phaseWaiting
	if k.scope = c.scope; k.scope != 0 {
		c.tokens--
	}
	if k.depc != 0 {
		k.slots = [inlineSlots]slot{}
	}
	c.n.EDTCreated++
	return i, k
}

// fillSlots fills the slots of a new record with the blocks and Nulls of the dependence list. The list may have one
// event: fillSlots stores its word in the slot, and returns the slot and the event. Without an event it returns 0 and
// nil. If the list has two events, an open slot or a source of another rank, and on misuse, it returns inlineSlots.
func (c *Ctx) fillSlots(k *edtRecord, deps []Source) (at int, e *event) {
	need := k.need.Left()
	for n := range deps {
		d, s := &deps[n], &k.slots[n&(inlineSlots-1)]
		hi, lo := d.id.Words()
		link := uint64(d.mode)<<linkModeAt | slotFilled
		switch {
		case d.mode > datablock.Null:
			return inlineSlots, nil
		case hi == c.highBlock:
			if c.g.blocks.Lookup(lo) == nil {
				return inlineSlots, nil
			}
		case hi == c.highEvent:
			if e != nil {
				return inlineSlots, nil
			}
			if e = c.g.events.Lookup(lo); e == nil {
				return inlineSlots, nil
			}
			at = n
			s.word = lo
			continue
		case hi|lo != 0:
			return inlineSlots, nil
		}
		need--
		s.word, s.link = lo, link
	}
	k.need.SetLeft(need)
	return at, e
}

func (c *Ctx) makeEDTSlow(at Affinity, t *Template, params []uint64, deps int) (uint32, *edtRecord) {
	if t == nil {
		c.checkMade("create EDT", t)
	}
	if deps == 0 {
		deps = t.depc
	}
	c.checkCounts("create EDT", t, len(params), deps)
	i, k := c.allocEDT(t, params, deps)
	k.place, k.prio = at, t.hint.Priority
	return i, k
}

// allocEDT makes a record with parameters and open slots, and counts it in the creator's finish scope.
func (c *Ctx) allocEDT(t *Template, params []uint64, depc int) (uint32, *edtRecord) {
	if !t.registered && c.signed == nil { // if signed, the rank of the creator has counted it
		c.useTemplate(t)
	}
	i := c.edts.Get()
	if i == 0 {
		c.misuse("create EDT", ErrMemory, guid.Null, "too many EDTs alive")
	}
	k := c.edts.At(i)
	k.need, k.depc, k.out, k.phase = record.NewNeed(uint32(depc)), uint32(depc), 0, phaseWaiting
	k.scope = c.scope
	if c.scope != 0 {
		c.takeToken()
	}
	if len(params) > inlineParams || depc > inlineSlots {
		c.spillEDT(t, k, params, depc)
	} else {
		k.code = t.index | uint32(len(params))<<paramShift
		for n, p := range params {
			k.params[n&(inlineParams-1)] = p
		}
		if depc != 0 {
			k.slots = [inlineSlots]slot{}
		}
	}
	c.n.EDTCreated++
	if c.obs != nil {
		c.noteSite(guid.KindEDT, i)
		if c.signed == nil { // else Home.Create reports it
			c.obs.EDTCreated(c.g.edtGUID(i, k), t, depc)
		}
	}
	return i, k
}

// useTemplate counts an EDT of one of the run's own templates.
func (c *Ctx) useTemplate(t *Template) {
	if t.of != c.local || t.gone.Load() && c.behalf == nil { // for a sealed recording the template still makes EDTs
		c.checkTemplate("create EDT", t)
	}
	c.countMade(t.index, 1)
}

// checkTemplate ends the run if a template cannot be used.
func (c *Ctx) checkTemplate(op string, t *Template) {
	c.checkMade(op, t)
	if t.registered {
		return
	}
	if t.of != c.local {
		c.misuse(op, ErrForeign, guid.Null, "template %s", t.name)
	}
	if t.gone.Load() && c.again.stage != againEnds { // Again works also after the template's destruction
		c.misuse(op, ErrStale, c.TemplateGUID(t), "template %s was destroyed", t.name)
	}
}

// spillEDT gives an EDT room for more parameters or slots than fit inline. It drops long lists that the spill has from
// another EDT, if this one needs far less: they would pile up, as an EDT with many slots often gets another spill.
func (c *Ctx) spillEDT(t *Template, k *edtRecord, params []uint64, depc int) {
	i := c.places.Get()
	if i == 0 {
		k.phase = phaseFree // so that reports skip the record, which is not complete
		c.misuse("create EDT", ErrMemory, guid.Null, "too many EDTs alive")
	}
	sp := c.g.spills.make(i)
	const kept = 64
	if cap(sp.params) > max(kept, 4*len(params)) {
		sp.params = nil
	}
	if cap(sp.slots) > max(kept, 4*depc) {
		sp.slots = nil
	}
	k.code = t.index | flagSpill
	if len(params) > inlineParams {
		sp.params = append(sp.params[:0], params...)
		k.params[0] = uint64(i)
		k.code |= paramsSpilled << paramShift
	} else {
		k.code |= uint32(len(params)) << paramShift
		copy(k.params[:], params)
	}
	if depc > inlineSlots {
		if cap(sp.slots) < depc {
			sp.slots = make([]slot, depc)
		}
		sp.slots = sp.slots[:depc]
		clear(sp.slots)
		k.slots[0].word = uint64(i)
	} else {
		clear(k.slots[:])
	}
}

// start connects the slots of an EDT that makeEDT has made: by fillSlots if it can, else by startSlow.
func (c *Ctx) start(i uint32, k *edtRecord, deps []Source) {
	n, e := inlineSlots, (*event)(nil)
	if c.obs == nil && len(deps) <= inlineSlots {
		n, e = c.fillSlots(k, deps)
	}
	switch {
	case n == inlineSlots:
		c.startSlow(i, k, c.g.edtGUID(i, k), deps)
	case k.need.Left() == 0:
		c.runnable(i, k)
	case e != nil:
		d, s := &deps[n], &k.slots[n&(inlineSlots-1)]
		if e.typ > Latch || !e.head.TryPush(record.SlotRef(i, n), &s.link, uint64(d.mode)<<linkModeAt|slotWaiting) {
			c.await(s.word, e, i, s, n, d.mode)
		}
	}
}

// startSlow connects the slots that were listed at creation. It first fills the slots of blocks and Nulls, which no
// other worker can see yet; then it makes the other slots wait for their events. An event may trigger at once. Subtle:
// the EDT cannot run before its last slot waits for its event, so startSlow may touch the record until then.
func (c *Ctx) startSlow(i uint32, k *edtRecord, g guid.GUID, deps []Source) {
	if len(deps) == 0 {
		if k.depc == 0 {
			c.runnable(i, k)
		}
		return
	}
	if c.obs != nil {
		c.observeSources(g, deps)
	}
	slots := c.g.slotsOf(k)
	filled, later := uint32(0), 0
	for n := range deps {
		d := &deps[n]
		hi, lo := d.id.Words()
		if hi == c.highEvent && d.mode.Valid() {
			later++
			continue
		}
		if hi != c.highBlock || !d.mode.Valid() || c.g.blocks.Lookup(lo) == nil {
			var waits bool
			if lo, waits = c.checkSource(g, c.template(k), n, d); waits {
				later++
				continue
			} else if d.id.IsUninitialized() {
				continue
			}
		}
		slots[n] = slot{lo, uint64(d.mode)<<linkModeAt | slotFilled}
		filled++
	}
	k.need.SetLeft(k.need.Left() - filled)
	if k.need.Left() == 0 {
		c.runnable(i, k)
		return
	}
	for n := 0; later > 0; n++ {
		d := &deps[n]
		hi, lo := d.id.Words()
		switch {
		case hi == c.highEvent:
			later--
			e := c.g.events.Lookup(lo)
			if e == nil {
				c.staleSource("create EDT", d.id, n)
			}
			c.await(lo, e, i, &slots[n], n, d.mode)
		case c.isRemote(d.id, guid.KindEvent):
			later--
			c.awaitRemote(d.id, i, k, &slots[n], n, d.mode)
		}
	}
}

// checkSource ends the run if slot n of g, an EDT that is being created, cannot have this source. It returns the low
// GUID word of a block, or reports that the slot waits for an event.
func (c *Ctx) checkSource(g guid.GUID, t *Template, n int, d *Source) (block uint64, waits bool) {
	hi, lo := d.id.Words()
	switch {
	case !d.mode.Valid():
		c.misuse("create EDT", ErrMode, g, "%v on slot %d", d.mode, n)
	case d.id == noSource:
		const zero = "slot %d%s got the zero Source, Event or Block"
		c.misuse("create EDT", ErrNoSource, g, zero, n, inBrackets(t.SlotName(n)))
	case hi == c.highEvent && c.g.events.Lookup(lo) == nil:
		c.staleSource("create EDT", d.id, n)
	case c.isEvent(d.id):
		return 0, true
	case d.id.IsUninitialized():
		return 0, false
	}
	return c.payload("create EDT", d.id), false
}
