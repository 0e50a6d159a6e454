package graphtest

import (
	"slices"
	"sync/atomic"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A relay is a chain of EDTs, its legs, each of which passes a block, the baton, to the next. If the next leg waits for
// nothing else, and no other EDT waits for the event or the block, the runtime passes the hold on.
type relay struct {
	*stage
	legs   []leg
	baton  guid.GUID    // word 0 counts legs that wrote, word 1 EDTs in EW, word 2+k those in RW of leg k; 2 is ^word 1
	cargo  [6]guid.GUID // other blocks that legs hold, each on the slot of its number
	now    int          // legs that have begun; each passes the baton before the next begins
	wrote  uint64       // legs that have written
	ran    atomic.Int32 // other EDTs that have run
	beside int
	drop   bool // the last leg but one destroys the baton when the last is runnable; over ranks that is too early
}

// A leg is one EDT of a relay, and what is made for it.
type leg struct {
	made  making
	event edt.EventType // the type of the event through which the baton comes
	via   bool          // it comes through a second event too
	slots []datablock.Mode
	at    int    // the slot of the baton
	twin  int    // another slot with the baton, or none
	late  making // which EDT satisfies the event of the last slot, without a block; byNone if there is no event

	// beside has the modes of other EDTs that acquire the baton. In EW and RW they may acquire it before the leg does. In
	// Const they wait for the leg's event, perhaps until the last leg runs: then no EDT may destroy the baton (drop).
	beside []datablock.Mode

	places []edt.Affinity
	from   guid.GUID   // the source of the baton
	gate   guid.GUID   // the event of the last slot
	gone   []guid.GUID // events to destroy
}

// A making says which EDT does something for a leg, and when.
type making uint8

const (
	byNone    making = iota
	before           // the previous leg, before it passes the baton
	behind           // the previous leg, after it has passed the baton
	meanwhile        // another EDT
	bySelf           // the EDT of the previous leg runs again as this leg
)

func relayed(s *stage) {
	r := &relay{stage: s, legs: make([]leg, 2+s.rng.IntN(12)), drop: s.rng.IntN(3) == 0}
	s.makes(0, 0, 0, 1+len(r.cargo))
	for k := range r.legs {
		r.draw(k)
		r.count(k)
	}
	if !r.drop {
		s.makes(1, 0, 0, 0)
	}
	s.makes(r.beside, 0, 0, 0)
	s.open = r.start
	s.close = r.end
}

func (r *relay) chance(percent int) bool { return r.rng.IntN(100) < percent }

func pick[T any](r *relay, of ...T) T { return of[r.rng.IntN(len(of))] }

// draw draws leg k. If the last leg must hold the baton as soon as it is passed (drop), that leg is a simple one.
func (r *relay) draw(k int) {
	l := &r.legs[k]
	rw, ew, ro, readers, null := datablock.RW, datablock.EW, datablock.RO, datablock.Const, datablock.Null
	l.made, l.event = pick(r, before, before, before, behind, meanwhile, bySelf),
		pick(r, edt.Sticky, edt.Sticky, edt.Sticky, edt.Counted, edt.Once)
	for range 1 + r.rng.IntN(len(r.cargo)) {
		l.slots = append(l.slots, pick(r, rw, rw, rw, rw, rw, ro, ew, readers, null))
	}
	l.at = r.rng.IntN(len(l.slots))
	l.slots[l.at] = pick(r, rw, rw, rw, rw, rw, rw, ew, ro, readers)
	l.via = r.chance(10)
	for _, m := range []datablock.Mode{ew, rw, readers} {
		if r.chance(15) && !(m == readers && r.drop) {
			l.beside = append(l.beside, m)
		}
	}
	l.twin = none
	if twin := r.rng.IntN(len(l.slots)); r.chance(15) && twin != l.at {
		l.twin, l.slots[twin] = twin, l.slots[l.at]
	}
	if last := len(l.slots) - 1; r.chance(20) && last > max(l.at, l.twin) {
		l.late = pick(r, before, behind, meanwhile)
	}
	switch {
	case k == 0:
		*l = leg{slots: []datablock.Mode{rw}, twin: none}
	case r.drop && k == len(r.legs)-1:
		*l = leg{made: before, event: l.event, slots: l.slots[l.at : l.at+1], twin: none}
	case l.made == bySelf:
		b := &r.legs[k-1]
		l.slots, l.at, l.twin, l.late = b.slots, b.at, b.twin, b.late
	case l.made != before && l.event == edt.Once:
		l.event = edt.Sticky // the once event would be gone
	}
}

// count counts leg k, its template, events and calls, and the EDTs beside it.
func (r *relay) count(k int) {
	l, n := &r.legs[k], &r.counts
	n.EDTCreated++
	if l.made != bySelf {
		n.TemplateCreated++
	}
	r.beside += len(l.beside)
	for _, m := range []making{l.made, l.late} {
		if m == meanwhile {
			r.beside++
		}
	}
	events, satisfied := 0, 0
	if k > 0 {
		events, satisfied = 1, 1
	}
	if l.via {
		events++
		n.DependenceAdded++
	}
	if l.late != byNone {
		events, satisfied = events+1, satisfied+1
	}
	r.makes(0, events, satisfied, 0)
}

func (r *relay) start(c *edt.Ctx) {
	g, bytes := c.NewBlock(8 * (2 + len(r.legs)))
	datablock.SliceOf[uint64](bytes)[2] = ^uint64(0)
	c.Release(g)
	r.baton, r.legs[0].from = g, g
	for n := range r.cargo {
		r.cargo[n] = c.NewBlockNoAcquire(8)
	}
	for k := range r.legs {
		r.legs[k].places = r.stage.places(c, 6)
	}
	r.make(c, 0)
}

func (r *relay) sources(l *leg) []edt.Source {
	var deps []edt.Source
	for n, m := range l.slots {
		deps = append(deps, edt.From(r.cargo[n], m))
	}
	deps[l.at] = edt.From(l.from, l.slots[l.at])
	if l.twin != none {
		deps[l.twin] = edt.From(r.baton, l.slots[l.twin])
	}
	if last := len(deps) - 1; l.late != byNone {
		deps[last] = edt.From(l.gate, l.slots[last])
	}
	return deps
}

func (r *relay) make(c *edt.Ctx, k int) {
	part(c, r.legs[k].places[0], r.run, r.sources(&r.legs[k])...)
}

// run is the body of each leg.
func (r *relay) run(c *edt.Ctx, in edt.Args) {
	k := r.now
	r.now++
	l := &r.legs[k]
	ws := datablock.Slice[uint64](in.Dep(l.at))
	if in.Dep(l.at).GUID() != r.baton || ws[0] != r.wrote {
		r.x.problem("leg %d of a relay has block %v on slot %d, with %d; want %v with %d", k, in.Dep(l.at).GUID(), l.at,
			ws[0], r.baton, r.wrote)
	}
	if m := l.slots[l.at]; m == datablock.RW || m == datablock.EW {
		ws[0]++
		r.wrote++
	}
	for n, s := range r.sources(l) {
		if d := in.Dep(n); n != l.at && s != edt.From(l.gate, l.slots[n]) &&
			(edt.From(d.GUID(), d.Mode()) != s || (d.Bytes() == nil) != (d.Mode() == datablock.Null)) {
			r.x.problem("leg %d of a relay has block %v in mode %v on slot %d", k, d.GUID(), d.Mode(), n)
		}
	}
	if k+1 == len(r.legs) {
		return
	}
	slot := l.at
	if l.twin != none && k%2 == 0 {
		slot = l.twin
	}
	r.pass(c, k, &r.legs[k+1], slot)
	for n := range in.Deps() {
		if (n == l.at || n == l.twin) && in.Dep(n).Bytes() != nil {
			r.x.problem("leg %d of a relay has the bytes of the baton on slot %d, after it has passed it on", k, n)
		}
	}
}

// pass passes the baton from leg k, which holds it on a slot, to the next leg, l.
func (r *relay) pass(c *edt.Ctx, k int, l *leg, slot int) {
	places, event := l.places, r.prepare(c, l, k)
	gate := l.gate // copied, as the next leg may change l before the act runs
	acts := []struct {
		when making
		at   edt.Affinity
		do   func(c *edt.Ctx)
	}{
		{l.made, places[1], func(c *edt.Ctx) { r.make(c, k+1) }},
		{l.late, places[2], func(c *edt.Ctx) { c.Satisfy(gate, guid.Null) }},
	}
	if l.made == bySelf {
		changes := []edt.Change{{Slot: l.at, Source: l.from}}
		if l.late != byNone {
			changes = append(changes, edt.Change{Slot: len(l.slots) - 1, Source: gate})
		}
		c.Again(changes...)
	}
	for _, a := range acts {
		switch a.when {
		case before:
			a.do(c)
		case meanwhile:
			part(c, a.at, func(c *edt.Ctx, _ edt.Args) {
				r.ran.Add(1)
				a.do(c)
			})
		}
	}
	c.Pass(event, slot)
	for _, a := range acts {
		if a.when == behind {
			a.do(c)
		}
	}
	if r.drop && k+2 == len(r.legs) && r.x.Ranks == 1 {
		c.DestroyBlock(r.baton)
	}
}

// prepare creates the events of leg l, and the EDTs that acquire the baton beside the leg. It returns the event through
// which leg k, the previous leg, passes the baton.
func (r *relay) prepare(c *edt.Ctx, l *leg, k int) (event guid.GUID) {
	waits := map[bool]int{false: 1, true: 2}[slices.Contains(l.beside, datablock.Const)]
	event = newEvent(c, l.event, waits, 0)
	l.from = event
	if l.event == edt.Sticky {
		l.gone = append(l.gone, event)
	}
	if l.late != byNone {
		l.gate = c.NewCounted(1)
	}
	if l.via {
		l.from = c.NewEvent(edt.Sticky)
		l.gone = append(l.gone, l.from)
		c.AddDependence(event, l.from, 0, datablock.RW)
	}
	for n, m := range l.beside {
		from := r.baton
		if m == datablock.Const {
			from = event
		}
		part(c, l.places[3+n], func(_ *edt.Ctx, in edt.Args) {
			r.ran.Add(1)
			ws := datablock.Slice[uint64](in.Dep(0))
			switch {
			case m == datablock.RW:
				ws[3+k]++
			case ws[2] != ^ws[1]:
				r.x.problem("an EDT that has the baton in mode %v sees a half-done write: %x", m, ws)
			case m == datablock.EW:
				ws[1]++
				ws[2] = ^ws[1]
			}
		}, edt.From(from, m))
	}
	return event
}

func (r *relay) end(c *edt.Ctx) {
	if r.now != len(r.legs) || int(r.ran.Load()) != r.beside {
		r.x.problem("%d of %d legs of a relay ran, %d of %d EDTs beside them", r.now, len(r.legs), r.ran.Load(), r.beside)
	}
	for k := range r.legs {
		for _, e := range r.legs[k].gone {
			c.DestroyEvent(e)
		}
	}
	for _, g := range r.cargo {
		c.DestroyBlock(g)
	}
	if r.drop {
		if r.x.Ranks > 1 {
			c.DestroyBlock(r.baton)
		}
		return
	}
	want := make([]uint64, 2+len(r.legs))
	want[0] = r.wrote
	for k, l := range r.legs {
		for _, m := range l.beside {
			switch m {
			case datablock.EW:
				want[1]++
			case datablock.RW:
				want[2+k]++
			}
		}
	}
	want[2] = ^want[1]
	part(c, 0, func(c *edt.Ctx, in edt.Args) {
		if got := datablock.Slice[uint64](in.Dep(0)); !slices.Equal(got, want) {
			r.x.problem("the baton of a relay has %x at the end, want %x", got, want)
		}
		c.DestroyBlock(r.baton)
	}, edt.From(r.baton, datablock.Const))
}
