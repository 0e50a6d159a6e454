package edt

import (
	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/word"
	"ocr/internal/graph/record"
)

// A Source is one entry of an EDT's dependence list at creation.
type Source struct {
	id   guid.GUID
	mode datablock.Mode
}

// GUID returns the event or block, [guid.Null] or, of an open slot, [guid.Uninitialized].
func (s Source) GUID() guid.GUID { return s.id }

// Mode returns the mode in which the EDT will access the block.
func (s Source) Mode() datablock.Mode { return s.mode }

// Open leaves a slot to [Ctx.AddDependence] (OCR UNINITIALIZED_GUID).
var Open = Source{id: guid.Uninitialized}

// noSource stands for the zero value of a typed source in a layer on this package.
var noSource = guid.FromWords(^uint64(0), 0)

// From is a dependence on an event or a block, in the mode in which the EDT will
// access the block. [guid.Null] satisfies the slot at once, without a block.
func From(source guid.GUID, mode datablock.Mode) Source { return Source{source, mode} }

// Params makes the parameter list of an EDT.
func Params(v ...uint64) []uint64 { return v }

// A Spec has every option of creating an EDT.
type Spec struct {
	// Params are the parameters, copied; as many as the template says.
	Params []uint64
	// Deps has one entry a slot. If it is empty all slots are open.
	Deps []Source
	// DepCount is the number of slots if Deps is empty and the template leaves
	// the number [Unknown]; 0 means none.
	DepCount int
	// Output asks for an output event: a once event, of a finish EDT a latch.
	// It is satisfied with what the EDT returns, and destroys itself. Add its
	// dependences before the EDT can run: keep a slot open.
	Output bool
	// OutputEvent is an event of the caller to use instead (OCR OEVT_VALID).
	// If it is a latch, its [Decr] slot is satisfied.
	OutputEvent guid.GUID
	// Finish makes a finish EDT: its output event is satisfied when every EDT
	// that was created in its scope has ended, transitively.
	Finish bool
	// Hint overrides the template's hint if it is not the zero Hint.
	Hint Hint
}

// NewEDT creates an EDT from a template. Without deps all its slots are open, and
// wait for [Ctx.AddDependence]; otherwise there must be one entry a slot. An EDT
// whose slots are all satisfied may run before NewEDT returns.
//
// The parameters are copied. If the number of parameters or dependences is not the
// template's, the run ends with [ErrCount].
//
// A block may come on several slots in one mode, EW too: the EDT acquires it once, and each slot shows the same bytes.
// In different modes, other than Null, it ends the run ([ErrMixedModes]).
func (c *Ctx) NewEDT(t *Template, params []uint64, deps ...Source) guid.GUID {
	return c.NewEDTAt(t.place(), t, params, deps...)
}

// checkMade ends the run if t was not made by NewTemplate.
func (c *Ctx) checkMade(op string, t *Template) {
	switch {
	case t == nil:
		c.misuse(op, ErrKind, guid.Null, "nil, need a template")
	case t.fn == nil:
		c.misuse(op, ErrKind, guid.Null, "the zero Template, need one that NewTemplate made")
	}
}

// NewEDTAt is [Ctx.NewEDT] with a placement; see [Ctx.Place] and [Ctx.Bind].
func (c *Ctx) NewEDTAt(at Affinity, t *Template, params []uint64, deps ...Source) guid.GUID {
	if at|c.spread != 0 && (int(at&^strictBit) > c.nearby || at == strictBit) {
		return c.placeEDT(at, t, params, deps)
	}
	i, k := c.makeEDT(at, t, params, len(deps))
	lo := k.Low(i) // before another worker can see the EDT
	switch {
	case len(deps) != 0:
		c.quickStart(i, k, deps)
	case k.depc == 0:
		c.ready(i, k)
	}
	return guid.FromWords(c.highEDT, lo)
}

// quickStart connects the slots of an EDT that makeEDT has made. It uses start if they need more than quickSlots.
func (c *Ctx) quickStart(i uint32, k *edtRecord, deps []Source) {
	n, e := inlineSlots, (*event)(nil)
	if c.obs == nil && len(deps) <= inlineSlots {
		n, e = c.quickSlots(k, deps)
	}
	switch {
	case n == inlineSlots:
		c.start(i, k, c.g.edtGUID(i, k), deps)
	case k.need.Left() == 0:
		c.runnable(i, k)
	case e != nil:
		d, s := &deps[n], &k.slots[n&(inlineSlots-1)]
		if e.typ > Latch || !e.head.TryPush(record.SlotRef(i, n), &s.link, uint64(d.mode)<<linkModeAt|slotWaiting) {
			c.await(d.id, e, i, k, s, n, d.mode)
		}
	}
}

// makeAnyEDT is the general case of makeEDT.
func (c *Ctx) makeAnyEDT(at Affinity, t *Template, params []uint64, deps int) (uint32, *edtRecord) {
	if t == nil {
		c.checkMade("create EDT", t)
	}
	if deps == 0 {
		deps = t.depc
	}
	if len(params) != t.paramc || deps != t.depc || deps < 0 {
		c.checkCounts(t, len(params), deps)
	}
	i, k := c.allocEDT(t, params, deps)
	k.place, k.prio = at, t.hint.Priority
	return i, k
}

// Spawn creates an EDT with the options of a [Spec]. output is its output event
// if the spec asks for one or gives one, else [guid.Null]. The spec is only
// read; it is passed by pointer because copying it takes time.
func (c *Ctx) Spawn(t *Template, s *Spec) (edt, output guid.GUID) {
	if t == nil {
		c.checkMade("create EDT", t)
	}
	hint := t.hint
	if s.Hint != (Hint{}) {
		hint = s.Hint
	}
	at := hint.Affinity
	c.checkPlace("create EDT", at)
	return c.spawnAt(at, hint.Priority, t, s)
}

// spawnHere is Spawn for a place on this rank.
func (c *Ctx) spawnHere(at Affinity, prio int8, t *Template, s *Spec) (edt, output guid.GUID) {
	depc := c.checkSpec(t, s)
	output = c.outputOf(s)
	_, out := output.Words()
	if c.isAway(output, guid.KindEvent) {
		out = c.makeForward(output)
	}
	i, k := c.allocEDT(t, s.Params, depc)
	k.place, k.prio = at, prio
	edt = c.g.edtGUID(i, k)
	if s.Finish {
		own := c.openScope(edt, k, guid.FromWords(c.highEvent, out), s.Output)
		if s.Output {
			output = own
		}
		if c.obs != nil {
			c.observeScope(edt, k)
		}
	} else if k.out = out; s.Output {
		k.code |= flagOwnOut
	}
	c.start(i, k, edt, s.Deps)
	return edt, output
}

// outputOf returns the output event, Null for none. For a finish EDT, openScope makes the runtime's own.
func (c *Ctx) outputOf(s *Spec) guid.GUID {
	switch {
	case !s.OutputEvent.IsNull():
		if !c.isAway(s.OutputEvent, guid.KindEvent) {
			c.event("create EDT", s.OutputEvent, ErrStale)
		}
		return s.OutputEvent
	case s.Output && !s.Finish:
		i, e := c.allocEvent(Once)
		return c.g.eventGUID(e.Low(i))
	}
	return guid.Null
}

// checkCounts ends the run if a template does not take these numbers of parameters
// and slots.
func (c *Ctx) checkCounts(t *Template, params, deps int) {
	if (t.paramc == Unknown || params == t.paramc) && (t.depc == Unknown || deps == t.depc) && deps >= 0 {
		return
	}
	c.refuseCounts("create EDT", t, params, deps)
}

func (c *Ctx) refuseCounts(op string, t *Template, params, deps int) {
	c.checkMade(op, t)
	switch {
	case t.paramc != Unknown && params != t.paramc:
		c.misuse(op, ErrCount, guid.Null, "template %s has %d parameters, given %d", t.name, t.paramc, params)
	case t.depc != Unknown && deps != t.depc:
		c.misuse(op, ErrCount, guid.Null, "template %s has %d dependence slots, given %d", t.name, t.depc, deps)
	default:
		c.misuse(op, ErrCount, guid.Null,
			"template %s leaves the number of dependence slots to the creation, which does not give it", t.name)
	}
}

// allocEDT makes a record with parameters and open slots, and counts it in the
// creator's finish scope.
func (c *Ctx) allocEDT(t *Template, params []uint64, depc int) (uint32, *edtRecord) {
	if !t.registered && c.signed == nil { // else the creator has counted it
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
	if c.watched {
		c.noteEDT(i, k, t)
	}
	return i, k
}

// useTemplate counts an EDT of one of the run's own templates.
func (c *Ctx) useTemplate(t *Template) {
	if t.of != c.local || t.gone.Load() {
		c.checkTemplate("create EDT", t)
	}
	made := c.madeOf(t.index)
	word.Publish(made, *made+1)
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

// spillEDT gives an EDT room for more parameters or slots than fit inline.
func (c *Ctx) spillEDT(t *Template, k *edtRecord, params []uint64, depc int) {
	if depc > MaxDeps {
		k.phase = phaseFree // so that reports skip the record, which is not complete
		c.misuse("create EDT", ErrCount, guid.Null, "%d dependence slots, at most %d", depc, MaxDeps)
	}
	i := c.places.Get()
	if i == 0 {
		k.phase = phaseFree
		c.misuse("create EDT", ErrMemory, guid.Null, "too many EDTs alive")
	}
	sp := c.g.spills.make(i)
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

// start connects the slots that were listed at creation. It first fills the slots of
// blocks and Nulls, which no other worker can see yet; then it makes the others wait
// for their events. An event may trigger at once. Subtle: the EDT cannot run before
// its last event is awaited, so start may touch the record until then.
func (c *Ctx) start(i uint32, k *edtRecord, g guid.GUID, deps []Source) {
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
			c.await(d.id, e, i, k, &slots[n], n, d.mode)
		case c.isAway(d.id, guid.KindEvent):
			later--
			c.awaitAway(d.id, i, k, &slots[n], n, d.mode)
		}
	}
}

// checkSource ends the run if an EDT that is created, whose GUID is g, cannot have this source on slot n. It returns
// the low GUID word of a block, or reports that the slot waits for an event.
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

// checkSpec ends the run if the spec does not fit the template, and returns the number of slots.
func (c *Ctx) checkSpec(t *Template, s *Spec) int {
	depc := t.depc
	switch {
	case len(s.Deps) != 0:
		depc = len(s.Deps)
	case t.depc == Unknown:
		depc = s.DepCount
	case s.DepCount != 0:
		depc = s.DepCount
	}
	c.checkCounts(t, len(s.Params), depc)
	if len(s.Deps) != 0 && s.DepCount != 0 && s.DepCount != len(s.Deps) {
		c.misuse("create EDT", ErrCount, guid.Null, "template %s: %d dependences listed, DepCount says %d", t.name,
			len(s.Deps), s.DepCount)
	}
	if depc > MaxDeps {
		c.misuse("create EDT", ErrCount, guid.Null, "%d dependence slots, at most %d", depc, MaxDeps)
	}
	if s.Output && !s.OutputEvent.IsNull() {
		c.misuse("create EDT", ErrCount, s.OutputEvent, "template %s: Output and OutputEvent both given", t.name)
	}
	return depc
}

// spawnAt creates an EDT at a place.
func (c *Ctx) spawnAt(at Affinity, prio int8, t *Template, s *Spec) (edt, output guid.GUID) {
	if c.g.away != nil {
		return c.spawnAway(at, prio, t, s)
	}
	return c.spawnHere(at, prio, t, s)
}

// placeEDT is NewEDTAt for other places than workers of this rank: other ranks, bad numbers.
func (c *Ctx) placeEDT(at Affinity, t *Template, params []uint64, deps []Source) guid.GUID {
	c.checkMade("create EDT", t)
	if len(deps) == 0 && t.depc == Unknown {
		c.checkCounts(t, len(params), t.depc)
	}
	c.checkPlace("create EDT", at)
	edt, _ := c.spawnAt(at, t.hint.Priority, t, &Spec{Params: params, Deps: deps})
	return edt
}
