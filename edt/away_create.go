package edt

import (
	"sync/atomic"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/rank"
)

// An EDT is created on the rank of its placement. On another rank that takes one message, and a name that this rank has
// in stock, see away_names.go. The creator also sends the dependences on events to the homes of the events, so its
// later calls arrive there after them.

// placeOf returns the rank of a place, and the place as that rank names it.
func (r *away) placeOf(at Affinity) (rank int, local Affinity) {
	w, n := uint32(at.Worker()), r.workers
	to := w / n // 32 bits: half the time
	return int(to), Affinity(w-to*n+1) | at&strictBit
}

// A creation says what it is in its first words. Then follow, as far as there are any, the numbers of parameters and
// slots if they are large; how many sources are listed; the
// output event, two words; the low word of the scope; the parameters; of each listed source slot | mode, and the two
// words of the GUID. What does not fit into the words of the message is in its tail, and behind it the memory of the
// scopes around the EDT. What most creations say fits, so they take one line of a ring.
const (
	createTemplate = iota // bits from below: template 20, the caller's template 20, place 16, flags 8
	createCounts          // bits from below: parameters 8, slots 8, the EDT's record 32; priority 8 at the top
	createCaller          // the low word of the caller's name
	createMore            // from here on, the words of the list below
)

const (
	createTemplateAt = 20 // the caller's
	createPlaceAt    = 40
	createSlotsAt    = 8
	createRecordAt   = 16
	createCountMask  = 1<<8 - 1 // as the number of parameters: both are in a word of their own, slots from bit 32
	createPrioAt     = 56
	createModeAt     = 32 // beside a slot
	sourceWords      = 3
)

const (
	createTail = 1 << (56 + iota) // as originTail
	createFinish
	createOwnOut
	createOutput
	createScope
	createSources
	createMemory
)

// sendCreation creates an EDT on another rank.
func (c *Ctx) sendCreation(to int, place Affinity, prio int8, t *Template, s *Spec) (edt, output guid.GUID) {
	depc := c.checkSpec(t, s)
	if !t.registered {
		if len(c.local.graphs) == 1 {
			c.misuse("create EDT", ErrTemplate, guid.Null, "template %s, on rank %d", t.name, to)
		}
		c.useTemplate(t)
	}
	listed := uint64(0)
	if len(s.Deps) > 0 {
		listed = c.checkSources(t, s.Deps)
	}
	edt, record := c.nameEDT(to)
	m := &c.creation
	m.Kind, m.Count, m.Tail = msgCreate, createMore, c.tail[:0]
	m.Words[createTemplate] = uint64(t.index) | uint64(place)<<createPlaceAt
	m.Words[createCounts] = record<<createRecordAt | uint64(uint8(prio))<<createPrioAt
	if params := uint64(len(s.Params)); max(params, uint64(depc)) < createCountMask {
		m.Words[createCounts] |= params | uint64(depc)<<createSlotsAt
	} else {
		m.Words[createCounts] |= createCountMask
		appendWord(m, params|uint64(depc)<<32)
	}
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
	if listed != 0 {
		m.Words[createTemplate] |= createSources
		appendWord(m, listed)
	}
	if !own.IsNull() {
		m.Words[createTemplate] |= createOutput
		appendGUID(m, own)
	}
	if scope != 0 {
		m.Words[createTemplate] |= createScope
		appendWord(m, c.events.At(scope).Low(scope))
	}
	for _, p := range s.Params {
		appendWord(m, p)
	}
	var gone []guid.GUID
	if listed != 0 {
		gone = c.appendSources(m, s.Deps, to)
	}
	if scope != 0 {
		if parts := c.partsAround(scope); len(parts) > 0 {
			m.Words[createTemplate] |= createMemory
			m.Tail = appendParts(m.Tail, parts)
		}
	}
	c.n.EDTCreated++
	caller, who := c.signature(m)
	m.Words[createCaller] = caller
	m.Words[createTemplate] |= who&templateMask<<createTemplateAt | who/originTail*createTail
	c.tail = m.Tail[:0]
	c.sendMessage(to, m)
	for _, id := range gone {
		c.tellGone(id, to)
	}
	for n, d := range s.Deps {
		if c.isEvent(d.id) {
			c.dependOther(d.id, edt, n, d.mode)
		}
	}
	return edt, output
}

// isPlain reports whether the creation of an EDT by the one that runs, with open slots or none, says nothing but its
// template, place and parameters.
func (c *Ctx) isPlain(t *Template, params []uint64) bool {
	return t != nil && t.registered && len(params) == t.small &&
		c.current != 0 && c.scope == 0 && !c.watched && c.behalf == nil
}

// makePlain is sendCreation for what is plain, as most of it is: it is one line of a ring, which is written once.
func (c *Ctx) makePlain(to int, place Affinity, t *Template, params []uint64) guid.GUID {
	edt, record := c.nameEDT(to)
	m, maker := &c.creation, c.running()
	m.Kind, m.Count, m.Tail = msgCreate, uint8(createMore+len(params)), c.tail[:0]
	m.Words[createTemplate] = uint64(t.index) | uint64(maker.code&templateMask)<<createTemplateAt |
		uint64(place)<<createPlaceAt
	m.Words[createCounts] = uint64(len(params)) | uint64(t.depc)<<createSlotsAt | record<<createRecordAt |
		uint64(uint8(t.hint.Priority))<<createPrioAt
	m.Words[createCaller] = maker.Low(c.current)
	for n, p := range params {
		m.Words[createMore+n] = p
	}
	c.n.EDTCreated++
	c.sendMessage(to, m)
	return edt
}

// appendSources lists sources. It returns the blocks that are gone, see tell.
func (c *Ctx) appendSources(m *rank.Message, deps []Source, to int) (gone []guid.GUID) {
	for n, d := range deps {
		if c.isListed(d.id) {
			appendWord(m, uint64(n)|uint64(d.mode)<<createModeAt)
			appendGUID(m, d.id)
			if c.tell(d.id, to, noRight) {
				gone = append(gone, d.id)
			}
		}
	}
	return gone
}

// isListed reports whether a source goes with the creation of its EDT.
func (c *Ctx) isListed(g guid.GUID) bool { return !c.isEvent(g) && !g.IsUninitialized() }

// checkSources ends the run if an EDT cannot have these sources, as start does, and returns how many go with its
// creation.
func (c *Ctx) checkSources(t *Template, deps []Source) (listed uint64) {
	for n := range deps {
		d := &deps[n]
		hi, lo := d.id.Words()
		switch {
		case !d.mode.Valid():
			c.misuse("create EDT", ErrMode, guid.Null, "%v on slot %d", d.mode, n)
		case d.id == noSource:
			name := inBrackets(t.SlotName(n))
			c.misuse("create EDT", ErrNoSource, guid.Null, "slot %d%s got the zero Source, Event or Block", n, name)
		case hi == c.highEvent && c.g.events.Lookup(lo) == nil:
			c.staleSource("create EDT", d.id, n)
		case c.isEvent(d.id), d.id.IsUninitialized(), d.id.IsNull(), c.isAway(d.id, guid.KindBlock):
		default:
			c.payload("create EDT", d.id)
		}
		if c.isListed(d.id) {
			listed++
		}
	}
	return listed
}

// handleCreate makes an EDT for another rank, in the record of its name. An EDT here that knows the name finds the
// record once it is confirmed, and may connect its slots then.
func (c *Ctx) handleCreate(from int, m *rank.Message) {
	flags, counts := m.Words[createTemplate], m.Words[createCounts]
	t := c.g.templateAt(uint32(flags & templateMask))
	params, depc, at, listed := int(counts&createCountMask), int(counts>>createSlotsAt&createCountMask), createMore, 0
	i := uint32(counts >> createRecordAt)
	if i == 0 { // this rank has ended the run: it has given no name
		return
	}
	k := c.edts.At(i)
	name := guid.FromWords(c.highEDT, 1<<63|k.Low(i))
	c.edts.Put(i) // where makeEDT and allocEDT get it
	if flags < createTail && len(m.Tail) == 0 && t.registered && depc == t.depc {
		c.makeEDT(Affinity(flags>>createPlaceAt), t, m.Words[at:m.Count], 0)
		k.prio = int8(counts >> createPrioAt)
		c.observeCreation(name, k, t)
		k.Confirm()
		if depc == 0 {
			c.ready(i, k)
		}
		return
	}
	if params == createCountMask {
		params, depc = int(uint32(m.Words[at])), int(m.Words[at]>>32)
		at++
	}
	if flags&createSources != 0 {
		listed = int(m.Words[at])
		at++
	}
	words, rest := m.Words[at:m.Count], 0
	if len(m.Tail) > 0 {
		rest = params + sourceWords*listed + int(flags/createOutput&1)*2 + int(flags/createScope&1) - len(words)
		words = appendFrom(append(c.words[:0], words...), m.Tail, rest)
		c.words = words
	}
	out, outer := guid.Null, uint64(0)
	if flags&createOutput != 0 {
		out, words = guid.FromWords(words[0], words[1]), words[2:]
	}
	if flags&createScope != 0 {
		outer, words = words[0], words[1:]
	}
	var deps []Source
	if listed > 0 {
		deps = c.takeSources(words[params:], depc)
	}
	var parts []scopePart
	if flags&createMemory != 0 {
		parts = takeParts(m.Tail[8*rest:])
	}
	scope := c.enterProxy(from, outer, parts)
	c.allocEDT(t, words[:params], depc)
	c.observeCreation(name, k, t)
	k.need++ // until it is complete
	k.scope = scope
	k.place, k.prio = Affinity(flags>>createPlaceAt), int8(counts>>createPrioAt)
	own := flags&createOwnOut != 0
	if flags&createFinish != 0 {
		c.openScope(name, k, guid.FromWords(c.highEvent, c.outputHere(out, own)), false)
		if c.obs != nil {
			c.observeScope(name, k)
		}
	} else {
		k.out = c.outputHere(out, own)
	}
	if own {
		k.code |= flagOwnOut
	}
	if len(deps) > 0 {
		c.start(i, k, name, deps)
	}
	k.Confirm()
	if atomic.AddUint32(&k.need, ^uint32(0)) == 0 {
		c.runnable(i, k)
	}
}

// observeCreation reports an EDT that is made for another rank, which has counted it.
func (c *Ctx) observeCreation(name guid.GUID, k *edtRecord, t *Template) {
	c.n.EDTCreated--
	if c.obs != nil {
		c.obs.EDTCreated(name, t, int(k.depc))
	}
}

// takeSources returns a source for each of depc slots: the listed ones, and open slots.
func (c *Ctx) takeSources(listed []uint64, depc int) []Source {
	deps := c.sources[:0]
	for range depc {
		deps = append(deps, Source{id: guid.Uninitialized, mode: datablock.RW})
	}
	c.sources = deps
	for ; len(listed) > 0; listed = listed[sourceWords:] {
		block := guid.FromWords(listed[1], listed[2])
		deps[uint32(listed[0])] = Source{block, datablock.Mode(listed[0] >> createModeAt)}
	}
	return deps
}

// spawnOnRank is spawnAt over ranks.
func (c *Ctx) spawnOnRank(at Affinity, prio int8, t *Template, s *Spec) (edt, output guid.GUID) {
	r := c.g.away
	to, local := r.me, Affinity(0)
	if at.Worker() >= 0 {
		to, local = r.placeOf(at)
	} else if r.config.Spread != nil {
		to = r.config.Spread()
	}
	if to == r.me {
		return c.spawnHere(local, prio, t, s)
	}
	return c.sendCreation(to, local, prio, t, s)
}

// outputHere returns the low GUID word of an event of this rank that is, or stands for, an output event, 0 for none.
func (c *Ctx) outputHere(out guid.GUID, own bool) uint64 {
	if hi, lo := out.Words(); out.IsNull() || hi == c.highEvent {
		return lo
	}
	return c.makeForward(out, own)
}

// makeForward makes an event that stands for an output event of another rank, that of the EDT's creator: a once event
// for which the real one waits. It returns its low GUID word. own says that the runtime has made the output event: it
// goes with an EDT that is destroyed.
func (c *Ctx) makeForward(out guid.GUID, own bool) uint64 {
	i, e := c.allocEvent(Once)
	c.n.EventCreated--
	e.flags |= eventForward
	k, n := c.newNode(0, Decr)
	n.high, n.dst = out.Words()
	n.slot |= nodeForward
	if own {
		n.slot |= nodeOwn
	}
	e.head = refNode | uint64(k)
	return e.Low(i)
}
