package remote

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/rank"
)

// The words of CREATE. The tail has the parameters; of each source its slot, its mode and the GUID, two words; the
// output event, two words, if there is one; and the memory of the scopes around the EDT.
const (
	createWhat   = 0 // template, place, priority, flags
	createCounts = 1 // parameters, slots
	createName   = 2 // low GUID word of its name
	createListed = 3 // sources
	createScope  = 4 // low GUID word of the scope, 0 for none

	createPlaceAt = 32
	createPrioAt  = 48
	createSlotsAt = 32
)

const (
	createFinish = 1 << (56 + iota)
	createOwn
	createOutput
	createMemory
)

// Create implements [edt.Remote]. It takes one message, and a name that this rank has in stock, see names.go. The
// creator also sends the dependences on events to the homes of the events, so its later calls arrive there after them.
func (p *Part) Create(c *edt.Ctx, to int, e *edt.RemoteEDT) guid.GUID {
	name := p.takeName(c, to, named{})
	own := p.own(c)
	m, tail := &own.m, own.tail[:0]
	what := uint64(e.Template) | uint64(e.Place)<<createPlaceAt | uint64(uint8(e.Priority))<<createPrioAt
	tail = appendWords(tail, e.Params...)
	var gone []guid.GUID
	for _, s := range e.Sources {
		hi, lo := s.Block.Words()
		tail = appendWords(tail, uint64(s.Slot), uint64(s.Mode), hi, lo)
		if p.tell(c, s.Block, to, noRight) {
			gone = append(gone, s.Block)
		}
	}
	if !e.Output.IsNull() {
		what |= createOutput
		hi, lo := e.Output.Words()
		tail = appendWords(tail, hi, lo)
	}
	if len(e.Memory) > 0 {
		what |= createMemory
		tail = appendParts(tail, e.Memory)
	}
	if e.Finish {
		what |= createFinish
	}
	if e.Own {
		what |= createOwn
	}
	*m = rank.Message{Kind: msgCreate, Tail: tail, Words: [7]uint64{
		what, uint64(len(e.Params)) | uint64(e.Slots)<<createSlotsAt, name, uint64(len(e.Sources)), e.Scope,
	}}
	p.send(c, to, m)
	own.tail = m.Tail
	for _, id := range gone {
		p.tellGone(id, to)
	}
	return p.name(to, guid.KindEDT, name)
}

// handleCreate makes an EDT for another rank, in the record of its name.
func (p *Part) handleCreate(m *rank.Message) {
	w, tail := &m.Words, reader(m.Tail)
	if w[createName] == 0 { // this rank has ended the run: it has given no name
		return
	}
	what := w[createWhat]
	e := edt.RemoteEDT{
		Template: uint32(what), Place: edt.Affinity(what >> createPlaceAt), Priority: int8(what >> createPrioAt),
		Slots: int(w[createCounts] >> createSlotsAt), Finish: what&createFinish != 0, Own: what&createOwn != 0,
	}
	p.params, p.sources = p.params[:0], p.sources[:0]
	for range uint32(w[createCounts]) {
		p.params = append(p.params, tail.word())
	}
	for range w[createListed] {
		slot, mode := int(tail.word()), datablock.Mode(tail.word())
		p.sources = append(p.sources, edt.RemoteSource{Slot: slot, Mode: mode, Block: tail.guid()})
	}
	e.Params, e.Sources = p.params, p.sources
	if what&createOutput != 0 {
		e.Output = tail.guid()
	}
	var memory []edt.RemoteLane
	if what&createMemory != 0 {
		memory = tail.parts()
	}
	p.courier.Create(w[createName], &e, p.enterScope(scopeOf{p.caller.From, w[createScope]}, memory))
}
