package remote

import (
	"slices"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/rank"
)

// These are the words of CREATE. The tail has the parameters; for each source the slot, the mode and the GUID (two
// words); the output event (two words); and the memory of the scopes around the EDT.
const (
	createWhat   = 0 // template, place, priority, flags
	createCounts = 1 // numbers of parameters and of slots
	createName   = 2 // low GUID word of its name
	createListed = 3 // number of sources in the tail
	createScope  = 4 // low GUID word of the scope, 0 for none

	createPlaceAt = 32
	createPrioAt  = 48
	createSlotsAt = 32
)

const (
	createFinish = 1 << (56 + iota)
	createOwn
)

// Create implements [edt.Remote]. It sends one message, and takes a name that this rank has in stock, see names.go. The
// creator also sends the dependences on events to the homes of the events, so its later calls arrive there after them.
func (p *Part) Create(c *edt.Ctx, to int, e *edt.RemoteEDT) guid.GUID {
	name := p.takeName(c, to, named{})
	own := p.own(c)
	m, tail := &own.m, own.tail[:0]
	what := uint64(e.Template) | uint64(e.Hint.Affinity)<<createPlaceAt | uint64(uint8(e.Hint.Priority))<<createPrioAt
	tail = appendWords(tail, e.Params...)
	var gone []guid.GUID
	listed := uint64(0)
	for n, s := range e.Deps {
		id := s.GUID()
		if id.IsUninitialized() || id.Kind() == guid.KindEvent { // connected by DEPEND
			continue
		}
		listed++
		hi, lo := id.Words()
		tail = appendWords(tail, uint64(n), uint64(s.Mode()), hi, lo)
		if p.tell(c, id, to, noRight) {
			gone = append(gone, id)
		}
	}
	hi, lo := e.OutputEvent.Words()
	tail = appendWords(tail, hi, lo)
	tail = appendLanes(tail, e.Memory)
	if e.Finish {
		what |= createFinish
	}
	if e.Output {
		what |= createOwn
	}
	*m = rank.Message{Kind: msgCreate, Tail: tail, Words: [7]uint64{
		what, uint64(len(e.Params)) | uint64(e.Slots)<<createSlotsAt, name, listed, e.Scope,
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
	if w[createName] == 0 { // this rank has ended the run, and has given no name
		return
	}
	what := w[createWhat]
	e := &p.creation
	*e = edt.RemoteEDT{Template: uint32(what), Slots: int(w[createCounts] >> createSlotsAt), Spec: edt.Spec{
		Params: e.Params[:0], Deps: e.Deps[:0], Finish: what&createFinish != 0, Output: what&createOwn != 0,
		Hint: edt.Hint{Priority: int8(what >> createPrioAt), Affinity: edt.Affinity(what >> createPlaceAt)},
	}}
	for range uint32(w[createCounts]) {
		e.Params = append(e.Params, tail.word())
	}
	if w[createListed] > 0 {
		e.Deps = append(e.Deps, slices.Repeat([]edt.Source{edt.Open}, e.Slots)...)
	}
	for range w[createListed] {
		slot, mode := tail.word(), datablock.Mode(tail.word())
		e.Deps[slot] = edt.From(tail.guid(), mode)
	}
	e.OutputEvent = tail.guid()
	scope := p.enterScope(scopeOf{p.caller.From, w[createScope]}, tail.lanes())
	p.courier.Create(w[createName], e, scope)
}
