package edt

import (
	"ocr/datablock"
	"ocr/guid"
)

// A Source is one entry of an EDT's dependence list at creation.
type Source struct {
	id   guid.GUID
	mode datablock.Mode
}

// GUID returns the event or block: [guid.Null] for none, [guid.Uninitialized] for an open slot.
func (s Source) GUID() guid.GUID { return s.id }

// Mode returns the mode in which the EDT will access the block.
func (s Source) Mode() datablock.Mode { return s.mode }

// Open leaves a slot to [Ctx.AddDependence] (OCR UNINITIALIZED_GUID).
var Open = Source{id: guid.Uninitialized}

// noSource is the GUID of the zero Source, Event or Block of package ocr/task.
var noSource = guid.FromWords(^uint64(0), 0)

// From makes a source of an event or a block, with the mode in which the EDT will access the block. [guid.Null]
// satisfies the slot at once, without a block.
func From(source guid.GUID, mode datablock.Mode) Source { return Source{source, mode} }

// Params makes the parameter list of an EDT.
func Params(v ...uint64) []uint64 { return v }

// A Spec has every option of creating an EDT.
type Spec struct {
	// Params are the parameters, as many as the template says. The creation copies them.
	Params []uint64
	// Deps has one entry for each slot. If it is empty all slots are open.
	Deps []Source
	// DepCount is the number of slots if Deps is empty and the template leaves the number [Unknown]; 0 means none.
	DepCount int
	// Output asks for an output event, which destroys itself: a once event that is satisfied with what the EDT returns,
	// or, for a finish EDT, a latch, which brings no block. Add dependences on it while the EDT has an open slot.
	Output bool
	// OutputEvent is an event of the caller that serves as the output event (OCR OEVT_VALID). If it is a latch, its [Decr]
	// slot is satisfied.
	OutputEvent guid.GUID
	// Finish makes a finish EDT: its output event is satisfied when it and all EDTs created below it have ended.
	Finish bool
	// Hint: each field that is not 0 overrides that of the template's hint.
	Hint Hint
}

// NewEDT creates an EDT from a template. deps has one entry for each slot; without deps all slots are open, and wait
// for [Ctx.AddDependence]. An EDT whose slots are all satisfied may run before NewEDT returns.
//
// The parameters are copied. If the number of parameters or dependences is not the
// template's, the run ends with [ErrCount].
//
// A block may come on several slots in one mode, also in EW: the EDT acquires it once, and each slot shows the same
// bytes. If the modes differ, Null aside, the run ends ([ErrMixedModes]).
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

// NewEDTAt is [Ctx.NewEDT] with a placement, see [Ctx.Place] and [Ctx.Bind]; 0 is any worker, whatever t's hint says.
func (c *Ctx) NewEDTAt(at Affinity, t *Template, params []uint64, deps ...Source) guid.GUID {
	if at|c.spread != 0 && (int(at&^strictBit) > c.nearby || at == strictBit) {
		return c.placeEDT(at, t, params, deps)
	}
	i, k := c.makeEDT(at, t, params, len(deps))
	lo := k.Low(i) // before another worker can see the EDT
	switch {
	case len(deps) != 0:
		c.start(i, k, deps)
	case k.depc == 0:
		c.ready(i, k)
	}
	return guid.FromWords(c.highEDT, lo)
}

// Spawn creates an EDT with the options of a [Spec]. output is its output event if the spec asks for one or gives one,
// else [guid.Null]. The spec is only read; it is passed by pointer because copying it takes time.
func (c *Ctx) Spawn(t *Template, s *Spec) (edt, output guid.GUID) {
	if t == nil {
		c.checkMade("create EDT", t)
	}
	hint := s.Hint
	if hint.Affinity == 0 {
		hint.Affinity = t.hint.Affinity
	}
	if hint.Priority == 0 {
		hint.Priority = t.hint.Priority
	}
	c.checkPlace("create EDT", hint.Affinity)
	return c.spawnAt(hint.Affinity, hint.Priority, t, s)
}

func (c *Ctx) spawnHere(at Affinity, prio int8, t *Template, s *Spec) (edt, output guid.GUID) {
	depc := c.checkSpec(t, s)
	output = c.outputOf(s)
	i, k := c.allocEDT(t, s.Params, depc)
	k.place, k.prio = at, prio
	edt = c.g.edtGUID(i, k)
	c.setOutput(edt, k, output, s)
	c.startSlow(i, k, edt, s.Deps)
	return edt, output
}

// outputOf makes or finds the output event of an EDT that is being created, Null for none.
func (c *Ctx) outputOf(s *Spec) guid.GUID {
	switch {
	case !s.OutputEvent.IsNull():
		if !c.isRemote(s.OutputEvent, guid.KindEvent) {
			c.event("create EDT", s.OutputEvent, ErrStale)
		}
		return s.OutputEvent
	case s.Output && s.Finish:
		return c.NewLatch(1)
	case s.Output:
		return c.NewEvent(Once)
	}
	return guid.Null
}

// setOutput makes an EDT that is being created, or the finish scope that it opens, satisfy the output event.
func (c *Ctx) setOutput(edt guid.GUID, k *edtRecord, output guid.GUID, s *Spec) {
	_, out := output.Words()
	if c.isRemote(output, guid.KindEvent) {
		out = c.makeForward(output)
	}
	if s.Output {
		k.code |= flagOwnOut
	}
	if !s.Finish {
		k.out = out
		return
	}
	i, e := c.newScope(scopeEvent, k.scope, out) // it counts in the creator's scope as one member
	e.owner = finishEDT{low(edt), k.code & templateMask}
	if k.code&runTemplate != 0 { // the error of the scope's end names the template
		c.countMade(k.code, 1)
	}
	k.scope, k.out = i, 0
	k.code |= flagFinish
	if c.obs != nil {
		c.obs.ScopeOpened(c.g.eventGUID(e.Low(i)), edt)
	}
}

// checkCounts ends the run if a template does not allow these numbers of parameters and slots.
func (c *Ctx) checkCounts(op string, t *Template, params, deps int) {
	c.checkMade(op, t)
	switch {
	case t.paramc != Unknown && params != t.paramc:
		c.misuse(op, ErrCount, guid.Null, "template %s has %d parameters, given %d", t.name, t.paramc, params)
	case t.depc != Unknown && deps != t.depc:
		c.misuse(op, ErrCount, guid.Null, "template %s has %d dependence slots, given %d", t.name, t.depc, deps)
	case deps < 0:
		c.misuse(op, ErrCount, guid.Null,
			"template %s leaves the number of dependence slots to the creation, which does not give it", t.name)
	case deps > MaxDeps:
		c.misuse(op, ErrCount, guid.Null, "%d dependence slots, at most %d", deps, MaxDeps)
	}
}

// checkSpec ends the run if the spec does not fit the template, and returns the number of slots.
func (c *Ctx) checkSpec(t *Template, s *Spec) int {
	depc := t.depc
	switch {
	case len(s.Deps) != 0:
		depc = len(s.Deps)
	case t.depc == Unknown || s.DepCount != 0:
		depc = s.DepCount
	}
	c.checkCounts("create EDT", t, len(s.Params), depc)
	if len(s.Deps) != 0 && s.DepCount != 0 && s.DepCount != len(s.Deps) {
		c.misuse("create EDT", ErrCount, guid.Null, "template %s: %d dependences listed, DepCount says %d", t.name,
			len(s.Deps), s.DepCount)
	}
	if s.Output && !s.OutputEvent.IsNull() {
		c.misuse("create EDT", ErrCount, s.OutputEvent, "template %s: Output and OutputEvent both given", t.name)
	}
	return depc
}

// spawnAt creates an EDT at a place, on this rank or another one.
func (c *Ctx) spawnAt(at Affinity, prio int8, t *Template, s *Spec) (edt, output guid.GUID) {
	to, there, other := c.homeOf(at)
	if r := c.g.ranks; r != nil && at == 0 && r.Spread != nil {
		to = r.Spread()
		other = to != r.Rank
	}
	if other {
		return c.spawnElsewhere(to, Hint{prio, there}, t, s)
	}
	return c.spawnHere(there, prio, t, s)
}

// placeEDT is NewEDTAt for a place that may be on another rank, or that may name no worker.
func (c *Ctx) placeEDT(at Affinity, t *Template, params []uint64, deps []Source) guid.GUID {
	c.checkMade("create EDT", t)
	if len(deps) == 0 && t.depc == Unknown {
		c.checkCounts("create EDT", t, len(params), t.depc)
	}
	c.checkPlace("create EDT", at)
	edt, _ := c.spawnAt(at, t.hint.Priority, t, &Spec{Params: params, Deps: deps})
	return edt
}

// An Affinity says where an EDT runs: anywhere (the zero value), preferably on one worker, or on one worker only.
// [Ctx.Place] and [Ctx.Bind] make one.
type Affinity uint16

const strictBit = 1 << 15

// MaxWorkers is the largest number of workers that an Affinity can tell apart.
const MaxWorkers = strictBit - 1

// PlaceOn prefers a worker: the EDT goes to that worker, but idle workers may then steal it.
func PlaceOn(worker int) Affinity { return Affinity(worker + 1) }

// BindTo is a strict affinity: only that worker runs the EDT.
func BindTo(worker int) Affinity { return Affinity(worker+1) | strictBit }

// Worker returns the worker's number, -1 for anywhere.
func (a Affinity) Worker() int { return int(a&^strictBit) - 1 }

// Strict reports whether only that worker may run the EDT.
func (a Affinity) Strict() bool { return a&strictBit != 0 }

// Places returns how many workers have a processor of their own: workers 0 to Places()-1 do. It is the number to spread
// work over; with more workers than processors it is the number of processors. With several ranks it is [Ctx.Workers].
func (c *Ctx) Places() int { return c.g.placesInAll }

// Place returns the affinity that prefers a worker: 0 to [Ctx.Workers] - 1. Another number ends the run ([ErrHint]).
func (c *Ctx) Place(worker int) Affinity {
	c.checkWorker("place", worker)
	return PlaceOn(worker)
}

// Bind returns the affinity that binds an EDT to a worker: no other worker runs it. For the numbers see [Ctx.Place].
func (c *Ctx) Bind(worker int) Affinity {
	c.checkWorker("bind", worker)
	return BindTo(worker)
}

func (c *Ctx) checkWorker(op string, worker int) {
	if worker < 0 || worker >= c.g.workersInAll {
		c.misuse(op, ErrHint, guid.Null, "worker %d, the run has 0 to %d", worker, c.g.workersInAll-1)
	}
}

// A Hint advises where and when an EDT should run. It never changes the results of a program. Only a strict affinity is
// binding: no other worker runs the EDT. The EDTs of a template inherit its hint (OCR 1.2, B.1).
type Hint struct {
	// Priority is -128 to 127, 0 by default. EDTs with a higher one run earlier.
	Priority int8
	// Affinity is where the EDT should run.
	Affinity Affinity
}

// SetHint sets the hint of an EDT of this rank that has not become runnable. The run ends if the EDT is runnable
// ([ErrRunnable]), is on another rank ([ErrHint]) or has ended ([ErrStale]).
func (c *Ctx) SetHint(edt guid.GUID, h Hint) {
	c.checkPlace("set hint", h.Affinity)
	if c.isRemote(edt, guid.KindEDT) {
		c.misuse("set hint", ErrHint, edt, "the EDT lives on rank %d: set its hint there, or when it is created", edt.Home())
	}
	t := c.waitingEDT("set hint", edt)
	t.prio, t.place = h.Priority, c.placeHere(h.Affinity)
}

// checkPlace ends the run if an affinity names no worker of the run.
func (c *Ctx) checkPlace(op string, a Affinity) {
	if a != 0 {
		c.checkWorker(op, a.Worker())
	}
}

// waitingEDT returns the record of an EDT that has not become runnable. It ends the run for any other GUID.
func (c *Ctx) waitingEDT(op string, g guid.GUID) *edtRecord {
	if hi, _ := g.Words(); hi != c.highEDT {
		c.wrongKind(op, g, guid.KindEDT)
	}
	t := c.lookup(op, g, ErrStale)
	if t.phase != phaseWaiting {
		c.misuse(op, ErrRunnable, g, "")
	}
	return t
}

// homeOf splits a place over all ranks, as programs know it: result home is the rank of its worker, result there the
// place on that rank. other reports whether home is not this rank.
func (c *Ctx) homeOf(a Affinity) (home int, there Affinity, other bool) {
	r := c.g.ranks
	if r == nil || a == 0 {
		return 0, a, false
	}
	w, n := a.Worker(), c.g.config.Workers
	return w / n, Affinity(w%n+1) | a&strictBit, w/n != r.Rank
}

// placeHere returns the place in a record of this rank. A place on another rank becomes 0, any worker, because EDTs do
// not change their rank.
func (c *Ctx) placeHere(a Affinity) Affinity {
	_, there, other := c.homeOf(a)
	if other {
		return 0
	}
	return there
}
