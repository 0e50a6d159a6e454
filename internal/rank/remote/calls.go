package remote

import (
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/rank"
)

// An act that returns nothing is a message of its own kind. Words 0 and 1 are the object, words 2 and 3 the other GUID,
// and the next word is the slot.

// Send implements [edt.Remote]. If the act passes a block on, Send tries to send a right to the block ahead of it: to
// an event the right to write, to a slot the right that its mode needs.
func (p *Part) Send(c *edt.Ctx, to int, a edt.Act) {
	m, along := about(uint8(a.Kind), a.On, a.With, uint64(a.Slot)), noRight
	switch a.Kind {
	case edt.ActReturn:
		p.scopes.forget(scopeOf{to, low(a.On)}, uint32(low(a.With)))
		m.Tail = appendLanes(nil, a.Lanes)
	case edt.ActSatisfy:
		along = toWrite
	case edt.ActFill:
		along = needFor(a.Slot.Mode())
	case edt.ActDestroy:
		if a.On.Kind() == guid.KindBlock {
			p.noteDestroyed(a.On)
		}
	}
	gone := p.tell(c, a.With, to, along)
	p.send(c, to, m)
	if gone {
		p.tellGone(a.With, to)
	}
}

// handleAct carries out an act. If the act is on an EDT that has yet to be created, it reports false.
func (p *Part) handleAct(m *rank.Message) bool {
	a := edt.Act{
		Kind: edt.ActKind(m.Kind), On: getGUID(m, 0), With: getGUID(m, 2), Slot: edt.RemoteSlot(m.Words[wordThird]),
	}
	if p.courier.Reserved(a.On) {
		return false
	}
	p.courier.Do(a)
	return true
}

// about makes a message with one or two GUIDs and a word.
func about(kind uint8, a, b guid.GUID, w uint64) *rank.Message {
	m := &rank.Message{Kind: kind}
	putGUID(m, 0, a)
	putGUID(m, 2, b)
	m.Words[wordThird] = w
	return m
}
