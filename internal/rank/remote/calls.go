package remote

import (
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/rank"
)

// Dependences, satisfactions and destructions.

// Depend implements [edt.Remote].
func (p *Part) Depend(c *edt.Ctx, to int, source, dst guid.GUID, s edt.RemoteSlot) {
	p.sendWith(c, source, noRight, to, about(msgDepend, source, dst, uint64(s)))
}

// Satisfy implements [edt.Remote].
func (p *Part) Satisfy(c *edt.Ctx, event, block guid.GUID, s edt.RemoteSlot) {
	p.sendWith(c, block, toWrite, event.Home(), about(msgSatisfy, event, block, uint64(s)))
}

// Fill implements [edt.Remote].
func (p *Part) Fill(c *edt.Ctx, dst, block guid.GUID, s edt.RemoteSlot) {
	p.sendWith(c, block, needFor(s.Mode()), dst.Home(), about(msgFill, dst, block, uint64(s)))
}

// Destroy implements [edt.Remote].
func (p *Part) Destroy(c *edt.Ctx, g guid.GUID) {
	if g.Kind() == guid.KindBlock {
		p.noteDestroyed(g)
	}
	p.send(c, g.Home(), about(msgDestroy, g, guid.Null, 0))
}

func (p *Part) handleDepend(m *rank.Message) bool {
	source, dst, s := getGUID(m, 0), getGUID(m, 2), slotOf(m)
	if p.courier.Reserved(dst) {
		return false
	}
	p.courier.Counters().DependenceAdded--
	p.courier.AddDependence(source, dst, s.Number(), s.Mode())
	return true
}

func (p *Part) handleFill(m *rank.Message) bool {
	if p.courier.Reserved(getGUID(m, 0)) {
		return false
	}
	p.courier.Fill(getGUID(m, 0), getGUID(m, 2), slotOf(m))
	return true
}

func (p *Part) handleSatisfy(m *rank.Message) {
	p.courier.Trigger(getGUID(m, 0), getGUID(m, 2), slotOf(m))
}

func (p *Part) handleDestroy(m *rank.Message) bool {
	g := getGUID(m, 0)
	switch {
	case p.courier.Reserved(g):
		return false
	case g.Kind() == guid.KindEvent:
		p.courier.DestroyEvent(g)
	case g.Kind() == guid.KindEDT:
		p.courier.DestroyEDT(g)
	default:
		p.courier.DestroyBlock(g)
	}
	return true
}
