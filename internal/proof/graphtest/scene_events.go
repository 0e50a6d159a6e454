package graphtest

import (
	"sync/atomic"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// pipe is a channel with a bound: a chain of EDTs satisfies it with blocks, and another chain takes the blocks out. A
// second channel gives the senders credit, so that they never exceed the bound.
func pipe(s *stage) {
	items, bound := 1+s.rng.IntN(30), s.rng.IntN(5)
	s.makes(2*items, 2, 2*items, items)
	var blocks, credit guid.GUID
	var at []edt.Affinity
	var send, take func(c *edt.Ctx, k int)
	send = func(c *edt.Ctx, k int) {
		may := guid.Null
		if bound != edt.Unbounded && k >= bound {
			may = credit
		}
		part(c, at[2*k], func(c *edt.Ctx, _ edt.Args) {
			g, bytes := c.NewBlock(8)
			bytes[0] = byte(k)
			c.Release(g)
			c.Satisfy(blocks, g)
			if k+1 < items {
				send(c, k+1)
			}
		}, edt.From(may, datablock.Null))
	}
	take = func(c *edt.Ctx, k int) {
		part(c, at[2*k+1], func(c *edt.Ctx, in edt.Args) {
			if got := in.Dep(0).Bytes()[0]; got != byte(k) {
				s.x.problem("dependence %d of a channel got the block of satisfaction %d", k, got)
			}
			c.DestroyBlock(in.Dep(0).GUID())
			c.Satisfy(credit, guid.Null)
			if k+1 < items {
				take(c, k+1)
			}
		}, edt.From(blocks, datablock.RO))
	}
	s.open = func(c *edt.Ctx) {
		blocks, credit = c.NewChannel(bound), c.NewChannel(edt.Unbounded)
		at = s.places(c, 2*items)
		first, second := send, take
		if s.rng.IntN(2) == 0 {
			first, second = take, send
		}
		first(c, 0)
		second(c, 0)
	}
	s.close = func(c *edt.Ctx) { // some credit is left
		c.DestroyEvent(blocks)
		c.DestroyEvent(credit)
	}
}

// fan makes EDTs on all workers add a dependence each, while others satisfy the event: an idempotent event several
// times.
func fan(s *stage) {
	typ := [...]edt.EventType{edt.Sticky, edt.Idempotent, edt.Counted}[s.rng.IntN(3)]
	deps, sats := 1+s.rng.IntN(12), 1
	if typ == edt.Idempotent {
		sats += s.rng.IntN(3)
	}
	s.makes(2*deps+sats, 1, sats, 0)
	var event guid.GUID
	var ran atomic.Int32
	s.open = func(c *edt.Ctx) {
		event = newEvent(c, typ, deps, 0)
		at, then := s.places(c, deps+sats), s.places(c, deps)
		for k := range at {
			part(c, at[k], func(c *edt.Ctx, _ edt.Args) {
				if k < sats {
					c.Satisfy(event, guid.Null)
				} else {
					part(c, then[k-sats], func(*edt.Ctx, edt.Args) { ran.Add(1) }, edt.From(event, datablock.Null))
				}
			})
		}
	}
	s.close = func(c *edt.Ctx) {
		if int(ran.Load()) != deps {
			s.x.problem("%d of %d EDTs ran that waited for a %v event", ran.Load(), deps, typ)
		}
		if typ != edt.Counted {
			c.DestroyEvent(event)
		}
	}
}

// latchRace makes EDTs on all workers count a latch up and down. It must trigger once, after the last count.
func latchRace(s *stage) {
	edts, waves := 1+s.rng.IntN(8), s.rng.IntN(20)
	s.makes(edts+1, 1, edts*(2*waves+1), 0)
	var left atomic.Int32
	s.open = func(c *edt.Ctx) {
		latch := c.NewLatch(int64(edts))
		left.Store(int32(edts))
		at := s.places(c, edts+1)
		part(c, at[0], func(*edt.Ctx, edt.Args) {
			if n := left.Swap(-1); n != 0 {
				s.x.problem("a latch triggered while %d EDTs had yet to count it down", n)
			}
		}, edt.From(latch, datablock.Null))
		for _, at := range at[1:] {
			part(c, at, func(c *edt.Ctx, _ edt.Args) {
				for range waves {
					c.SatisfySlot(latch, guid.Null, edt.Incr)
					c.SatisfySlot(latch, guid.Null, edt.Decr)
				}
				left.Add(-1)
				c.Satisfy(latch, guid.Null)
			})
		}
	}
	s.close = func(*edt.Ctx) {
		if left.Load() != -1 {
			s.x.problem("the EDT behind a latch did not run")
		}
	}
}
