package edt

import (
	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/ids"
	"ocr/internal/rank"
)

// An EDT is made where its placement says. On another rank that takes one message; the EDT has its name at once, see
// bornNames. Its dependences on events are told to the homes of the events, by the creator itself: what the creator calls
// next is behind them.

// newEDTElsewhere is NewEDTAt for a place that is not a worker of this rank by its number as it is.
func (c *Ctx) newEDTElsewhere(at Affinity, t *Template, params []uint64, deps []Source) guid.GUID {
	c.checkMade("create EDT", t)
	if len(deps) == 0 && t.depc == Unknown {
		c.checkCounts(t, len(params), t.depc)
	}
	edt, _ := c.spawnAt(c.settle(at), t.hint.Priority, t, &Spec{Params: params, Deps: deps})
	return edt
}

// spawnAt creates an EDT at a place.
func (c *Ctx) spawnAt(at Affinity, prio int8, t *Template, s *Spec) (edt, output guid.GUID) {
	r := c.g.ranks
	if r == nil {
		return c.spawnHere(at, prio, t, s)
	}
	to, local := r.me, Affinity(0)
	if w, n := at.Worker(), c.g.config.Workers; w >= 0 {
		to, local = w/n, Affinity(w%n+1)|at&strictBit
	} else if r.config.Spread != nil {
		to = r.config.Spread()
	}
	if to == r.me {
		return c.spawnHere(local, prio, t, s)
	}
	return c.spawnAway(to, local, prio, t, s)
}

// What the words of a creation hold, behind the number of the EDT.
const (
	createTemplate = iota + 1 // index | flags
	createScope               // low word of the scope, 0 for none
	createPlace               // place 16 | priority 8 | parameters 32, in this order from below
	createCounts              // slots 32 | sources in the tail 32
)

// The tail of a creation is the output event, two words; the parameters; and of each source that is listed three words:
// slot | mode, and the GUID; and the memory of the scopes around the EDT.
const (
	createFinish  = 1 << 32
	createOwnOut  = 1 << 33
	createMemory  = 1 << 34
	createModeAt  = 32
	sourceWords   = 3
	createPrioAt  = 16
	createParamAt = 32
)

// spawnAway creates an EDT on another rank.
func (c *Ctx) spawnAway(to int, place Affinity, prio int8, t *Template, s *Spec) (edt, output guid.GUID) {
	depc := c.checkSpec(t, s)
	if !t.registered {
		if len(c.local.graphs) == 1 {
			c.misuse("create EDT", ErrTemplate, guid.Null, "template %s, on rank %d", t.name, to)
		}
		c.useTemplate(t)
	}
	c.checkSources(t, s.Deps)
	m := &rank.Message{Kind: msgCreate}
	m.Words[createTemplate] = uint64(t.index)
	switch output = s.OutputEvent; {
	case !output.IsNull():
		if !c.isAway(output, guid.KindEvent) {
			c.event("create EDT", output, ErrStale)
		}
	case s.Output && s.Finish:
		output = c.NewLatch(1)
	case s.Output:
		output = c.NewEvent(Once)
	}
	scope, own := uint32(0), output
	if s.Finish {
		if scope = c.rootScope(output); scope != 0 {
			own = guid.Null // it is the scope's
		} else {
			m.Words[createTemplate] |= createFinish
		}
	}
	if s.Output {
		m.Words[createTemplate] |= createOwnOut
	}
	if scope == 0 && c.scope != 0 {
		scope = c.scope
		c.takeToken()
	}
	if scope != 0 {
		m.Words[createScope] = c.events.At(scope).Low(scope)
	}
	m.Words[createPlace] = uint64(place) | uint64(uint8(prio))<<createPrioAt | uint64(len(s.Params))<<createParamAt
	hi, lo := own.Words()
	tail := appendWords(appendWords(c.tail[:0], hi, lo), s.Params...)
	listed, late := uint64(0), []guid.GUID(nil)
	for n, d := range s.Deps {
		if !c.isEvent(d.id) && !d.id.IsUninitialized() {
			hi, lo := d.id.Words()
			tail = appendWords(tail, uint64(n)|uint64(d.mode)<<createModeAt, hi, lo)
			listed++
			if c.pinFor(d.id, to, false) {
				late = append(late, d.id)
			}
		}
	}
	m.Words[createCounts] = uint64(depc) | listed<<32
	if parts := c.partsAround(scope); len(parts) > 0 {
		m.Words[createTemplate] |= createMemory
		tail = appendParts(tail, parts)
	}
	m.Tail, c.tail = tail, tail
	if c.message == nil {
		c.n.EDTCreated++
	}
	c.sign(m)
	r := c.g.ranks
	serial := c.sendNumbered(to, m)
	for _, id := range late {
		c.pinned(id, to)
	}
	high := c.g.space.Of(to).High(uint8(guid.KindEDT)) | bornBit
	edt = guid.FromWords(high, ids.Born(r.me, serial))
	for n, d := range s.Deps {
		if c.isEvent(d.id) {
			c.dependElsewhere(d.id, edt, n, d.mode)
		}
	}
	return edt, output
}

// isEvent reports whether a source is an event of any rank, or a label.
func (c *Ctx) isEvent(g guid.GUID) bool {
	hi, _ := g.Words()
	return hi == c.highEvent || g.IsLabel() || c.isAway(g, guid.KindEvent)
}

// checkSpec ends the run if a template cannot be used so, and returns how many slots the EDT has.
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
		c.misuse("create EDT", ErrCount, guid.Null, "template %s: %d dependences listed, DepCount says %d", t.name, len(s.Deps), s.DepCount)
	}
	if depc > MaxDeps {
		c.misuse("create EDT", ErrCount, guid.Null, "%d dependence slots, at most %d", depc, MaxDeps)
	}
	if s.Output && !s.OutputEvent.IsNull() {
		c.misuse("create EDT", ErrCount, s.OutputEvent, "template %s: Output and OutputEvent both given", t.name)
	}
	return depc
}

// checkSources ends the run if an EDT cannot have these sources, as start does.
func (c *Ctx) checkSources(t *Template, deps []Source) {
	for n := range deps {
		d := &deps[n]
		hi, lo := d.id.Words()
		switch {
		case !d.mode.Valid():
			c.misuse("create EDT", ErrMode, guid.Null, "%v on slot %d", d.mode, n)
		case d.id == noSource:
			c.misuse("create EDT", ErrNoSource, guid.Null, "slot %d%s got the zero Source, Event or Block", n, inBrackets(t.SlotName(n)))
		case hi == c.highEvent && c.g.events.Lookup(lo) == nil:
			c.misuse("create EDT", ErrStale, d.id, "as source of slot %d", n)
		case c.isEvent(d.id), d.id.IsUninitialized(), d.id.IsNull(), c.isAway(d.id, guid.KindBlock):
		default:
			c.payload("create EDT", d.id)
		}
	}
}

// handleCreate makes an EDT for another rank.
func (c *Ctx) handleCreate(from int, m *rank.Message) bool {
	flags, counts := m.Words[createTemplate], m.Words[createCounts]
	t := c.g.templateAt(uint32(flags))
	params, depc, listed := int(m.Words[createPlace]>>createParamAt), uint32(counts), int(counts>>32)
	words := appendFrom(c.words[:0], m.Tail, 2+params+sourceWords*listed)
	c.words = words
	out, sources := guid.FromWords(words[0], words[1]), words[2+params:]
	var deps []Source
	if listed > 0 {
		deps = c.sources[:0]
		for range depc {
			deps = append(deps, Source{id: guid.Uninitialized, mode: datablock.RW})
		}
		c.sources = deps
	}
	for ; len(sources) > 0; sources = sources[sourceWords:] {
		block := guid.FromWords(sources[1], sources[2])
		c.takePin(block)
		deps[uint32(sources[0])] = Source{block, datablock.Mode(sources[0] >> createModeAt)}
	}
	var parts []scopePart
	if flags&createMemory != 0 {
		parts = takeParts(m.Tail[8*len(words):])
	}
	scope := c.enterProxy(from, m.Words[createScope], parts)
	i, k := c.allocEDT(t, words[2:2+params], int(depc))
	c.n.EDTCreated-- // its creator has counted it
	name := ids.Born(from, m.Words[0])
	c.g.ranks.born.add(from, name, i)
	k.code |= flagBorn
	k.scope = scope
	if c.obs != nil {
		c.observeBorn(i, k, t)
	}
	k.place, k.prio = Affinity(m.Words[createPlace]), int8(m.Words[createPlace]>>createPrioAt)
	own := flags&createOwnOut != 0
	if flags&createFinish != 0 {
		c.openScope(i, k, guid.FromWords(c.highEvent, c.outputHere(out, own)), false)
		if c.obs != nil {
			c.observeScope(i, k)
		}
	} else {
		k.out = c.outputHere(out, own)
	}
	if own {
		k.code |= flagOwnOut
	}
	c.start(i, k, c.g.edtGUID(i, k), deps)
	for n := range deps {
		c.givePin(deps[n].id)
	}
	return true
}
