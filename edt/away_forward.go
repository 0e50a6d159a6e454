package edt

import "ocr/guid"

// The output event of an EDT may live on another rank: that of its creator. Then a relay takes its place on the EDT's: a once event
// for which the real one waits.

// outputHere returns the low GUID word of an event of this rank that stands for an output event, 0 for none. own
// says that the runtime has made the output event: it goes with an EDT that is destroyed.
func (c *Ctx) outputHere(out guid.GUID, own bool) uint64 {
	hi, lo := out.Words()
	if out.IsNull() || hi == c.highEvent {
		return lo
	}
	i, e := c.allocEvent(Once)
	c.n.EventCreated--
	e.flags |= eventRelay
	k, n := c.newNode(0, Decr)
	n.high, n.dst = out.Words()
	n.slot |= nodeRelay
	if own {
		n.slot |= nodeOwn
	}
	e.head = refNode | uint64(k)
	return e.Low(i)
}

// relayed returns the event for which a relay stands, g itself if it is none.
func (c *Ctx) relayed(g guid.GUID) guid.GUID {
	_, lo := g.Words()
	e := c.g.events.Lookup(lo)
	if e == nil || e.flags&eventRelay == 0 || e.head&refNode == 0 {
		return g
	}
	n := c.nodes.At(uint32(e.head))
	return guid.FromWords(n.high, n.dst)
}
