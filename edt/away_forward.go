package edt

import "ocr/guid"

// The output event of an EDT may live on another rank: that of its creator. Then a forwarding event takes its place on
// the EDT's: a once event for which the real one waits.

// outputHere returns the low GUID word of an event of this rank that is, or stands for, an output event, 0 for none.
func (c *Ctx) outputHere(out guid.GUID, own bool) uint64 {
	if hi, lo := out.Words(); out.IsNull() || hi == c.highEvent {
		return lo
	}
	return c.makeForward(out, own)
}

// makeForward makes an event that stands for an output event of another rank, and returns its low GUID word. own says
// that the runtime has made the output event: it goes with an EDT that is destroyed.
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

// forwardedTo returns the event to which an event forwards, g itself if it is none.
func (c *Ctx) forwardedTo(g guid.GUID) guid.GUID {
	_, lo := g.Words()
	e := c.g.events.Lookup(lo)
	if e == nil || e.flags&eventForward == 0 || e.head&refNode == 0 {
		return g
	}
	n := c.nodes.At(uint32(e.head))
	return guid.FromWords(n.high, n.dst)
}
