package edt

import (
	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/rank"
)

// Over ranks, all ranges and labels are kept at rank 0, and their GUIDs say so. An event under a label is made there:
// events that trigger may be gone with that, and the next call is for the next one. A block or an EDT is made by its
// creator, on the creator's rank, which then asks rank 0 to enter it. A call on a label goes to rank 0, which keeps it
// or passes it on to the object's home.

// entered enters an object of another rank under a label. The calls that were kept for it go there ahead of the answer.
func (c *Ctx) entered(g guid.GUID, tail []byte) bool {
	c.checkLabel(labelledOps[g.Kind()], g, g.Kind())
	words := appendFrom(nil, tail, 2)
	s := c.g.labels.named(g)
	object, kept := c.createUnder(s, g, func() guid.GUID { return guid.FromWords(words[0], words[1]) })
	if object == guid.Null {
		return false
	}
	if kept != nil {
		c.carryOut(s, g, kept, object)
	}
	return true
}

// createLabelled is create on a rank that does not keep the labels. An event is made there; a block and an EDT are made
// here first, and are gone again if there is one.
func (c *Ctx) createLabelled(g guid.GUID, kind guid.Kind, newObject func() guid.GUID) error {
	c.g.labels.use()
	counted := c.n
	object := newObject()
	var entered bool
	if kind == guid.KindEvent {
		entered = c.enterEvent(g, object)
		c.n = counted
	} else {
		c.tie(g, object)
		hi, lo := object.Words()
		if entered = !c.query(labelledOps[kind], labelRank, queryEnter, g, 0, hi, lo).IsNull(); !entered {
			c.untie(g, object)
			c.destroyObject(labelledOps[kind], kind, g, object)
			c.n = counted
		}
	}
	if !entered {
		return ErrExists
	}
	return nil
}

// enterEvent has rank 0 make an event like this one, which it frees.
func (c *Ctx) enterEvent(g, like guid.GUID) bool {
	_, lo := like.Words()
	e := c.events.At(uint32(lo))
	typ, count := uint64(e.typ), uint64(e.count)
	c.freeEvent(uint32(lo), e)
	return !c.query(labelledOps[guid.KindEvent], labelRank, queryNewEvent, g, typ, count).IsNull()
}

// newLabelled makes the event of a label for another rank.
func (c *Ctx) newLabelled(g guid.GUID, t EventType, tail []byte) bool {
	words := appendFrom(nil, tail, 1)
	return c.create(g, guid.KindEvent, func() guid.GUID {
		i, e := c.allocEvent(t)
		e.count, e.channel = int64(words[0]), 0
		return guid.FromWords(c.highEvent, e.Low(i))
	}) == nil
}

// untie is the inverse of tie, for an object that did not get its label.
func (c *Ctx) untie(g, object guid.GUID) {
	if object.Kind() == guid.KindEDT {
		_, lo := object.Words()
		c.edts.At(uint32(lo)).code &^= flagLabel
	}
	c.g.labels.untie(object)
}

// foundFor returns the object of a label that is the source for something of this rank, Null if there is none. By way
// of rank 0 the dependence would come back behind what the caller does here next.
func (c *Ctx) foundFor(source, dst guid.GUID) guid.GUID {
	if !source.IsLabel() || source.Kind() == guid.KindEvent || dst.IsLabel() || dst.Home() != c.g.away.me {
		return guid.Null
	}
	c.checkLabel("add dependence", source, source.Kind())
	return c.findLabel(source, true)
}

// findLabel asks for the object of a label, Null if there is none. If settled is set the answer is also Null while
// deferred calls are carried out: the caller's must not overtake them.
func (c *Ctx) findLabel(g guid.GUID, settled bool) guid.GUID {
	arg := low(yes(settled))
	return c.query("find", labelRank, queryFind, g, arg)
}

// A forward is a call on a label that rank 0 has passed on: it counts as handled when the object's home has handled
// it, as what its caller does next may rely on that.
type forward struct {
	waits bool
	marks []uint64 // by rank: how many messages rank 0 had sent
}

func (f *forward) begin() { f.waits, f.marks = true, nil }

// done reports whether everything that was sent until the call was passed on has been handled.
func (f *forward) done(r *away) bool {
	if f.marks == nil {
		if r.Held() {
			return false
		}
		for k := range r.size {
			f.marks = append(f.marks, r.engine.Sent(k))
		}
	}
	for k, sent := range f.marks {
		if r.engine.Handled(k) < sent {
			return false
		}
	}
	return true
}

// handleForget notes at rank 0 that the object of a label is gone.
func (c *Ctx) handleForget(m *rank.Message) { c.g.labels.leave(getGUID(m, 0), getGUID(m, 2)) }

// dependOnLabel is AddDependence on a label, on a rank that does not keep the labels.
func (c *Ctx) dependOnLabel(source, dst guid.GUID, slot int, mode datablock.Mode) {
	if object := c.foundFor(source, dst); object != guid.Null {
		c.forward(object, dst, slot, mode)
		return
	}
	if dst.IsLabel() && c.isEvent(source) && !source.IsLabel() {
		source = c.proxyEvent(source)
	}
	c.sendDepend(labelRank, source, dst, slot, mode&7)
}

// sendForget says at rank 0 that the object of a label is gone. The message is not signed: nothing can be wrong with
// it.
func (c *Ctx) sendForget(g, object guid.GUID) {
	m := about(msgForget, g, object, 0)
	m.Count = 4
	c.sendMessage(guid.Null, guid.Null, labelRank, m)
}
