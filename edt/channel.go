package edt

import (
	"ocr/guid"
	"ocr/internal/graph/record"
)

// send satisfies a channel event with a block.
func (c *Ctx) send(op string, g guid.GUID, e *event, block uint64) {
	if c.obs != nil {
		_, lo := g.Words()
		c.observeSatisfied(uint32(lo), e, block, Decr)
	}
	ring := e.ring()
	switch ref, m := c.g.channels.Send(&c.known, ring, block); m {
	case record.Full:
		c.misuse(op, ErrFull, g, "%d satisfactions wait for a dependence", ring.Bound)
	case record.Met:
		c.deliver(ref, block)
	}
	c.source = 0
}

// receive makes the waiter ref a dependence on a channel event.
func (c *Ctx) receive(g guid.GUID, e *event, ref record.Ref) {
	_, lo := g.Words()
	ring := e.ring()
	block, m := c.g.channels.Receive(&c.known, ring, ref)
	switch m {
	case record.Waits:
		return
	case record.Full:
		c.misuse("add dependence", ErrFull, g, "%d dependences wait for a satisfaction", ring.Bound)
	case record.Reserved:
		if c.obs != nil {
			c.observeSatisfied(uint32(lo), e, 0, Decr)
		}
	}
	c.deliverFrom(lo)
	c.deliver(ref, block)
	c.source = 0
}
