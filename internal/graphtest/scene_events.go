package graphtest

import (
	"sync/atomic"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// pipeStage: one EDT after the other sends a block into a channel, another line of
// them takes the blocks out. A second channel gives the senders credit, so that the
// bound of the first is never passed.
type pipeStage struct {
	cast
	items, bound   int
	blocks, credit guid.GUID
	at             []edt.Affinity
}

func newPipe(a cast) stage {
	return &pipeStage{cast: a, items: 1 + a.rng.IntN(30), bound: a.rng.IntN(5)}
}

func (s *pipeStage) open(c *edt.Ctx) {
	s.blocks, s.credit = c.NewChannel(s.bound), c.NewChannel(edt.Unbounded)
	s.at = s.places(c, 2*s.items)
	if s.rng.IntN(2) == 0 {
		s.take(c, 0)
		s.send(c, 0)
		return
	}
	s.send(c, 0)
	s.take(c, 0)
}

func (s *pipeStage) send(c *edt.Ctx, k int) {
	may := guid.Null
	if s.bound != edt.Unbounded && k >= s.bound {
		may = s.credit
	}
	part(c, s.at[2*k], func(c *edt.Ctx, _ edt.Args) {
		g, bytes := c.NewBlock(8)
		bytes[0] = byte(k)
		c.Release(g)
		c.Satisfy(s.blocks, g)
		if k+1 < s.items {
			s.send(c, k+1)
		}
	}, edt.From(may, datablock.Null))
}

func (s *pipeStage) take(c *edt.Ctx, k int) {
	part(c, s.at[2*k+1], func(c *edt.Ctx, in edt.Args) {
		if got := in.Dep(0).Bytes()[0]; got != byte(k) {
			s.x.problem("dependence %d of a channel got the block of satisfaction %d", k, got)
		}
		c.DestroyBlock(in.Dep(0).GUID())
		c.Satisfy(s.credit, guid.Null)
		if k+1 < s.items {
			s.take(c, k+1)
		}
	}, edt.From(s.blocks, datablock.RO))
}

// close destroys the channels: some credit is left in one.
func (s *pipeStage) close(c *edt.Ctx) {
	c.DestroyEvent(s.blocks)
	c.DestroyEvent(s.credit)
}

func (s *pipeStage) count(n *edt.Counters) {
	countParts(n, 2*s.items)
	n.EventCreated += 2
	n.EventSatisfied += 2 * uint64(s.items)
	n.BlockCreated += uint64(s.items)
}

// buryStage: an EDT that waits for several events, and for one slot that nobody ever
// connects, is destroyed while the events are triggered and destroyed elsewhere.
type buryStage struct {
	cast
	triggers []bool // of each event: it triggers before it is destroyed
}

func newBury(a cast) stage {
	s := &buryStage{cast: a}
	for range 1 + a.rng.IntN(6) {
		s.triggers = append(s.triggers, a.rng.IntN(2) == 0)
	}
	return s
}

func (s *buryStage) open(c *edt.Ctx) {
	deps := []edt.Source{edt.Open}
	var events []guid.GUID
	for k := range s.triggers {
		events = append(events, c.NewEvent(edt.EventType(2+k%2))) // idempotent, sticky
		deps = append(deps, edt.From(events[k], datablock.RO))
	}
	t := c.NewTemplate("victim", 0, len(deps), func(*edt.Ctx, edt.Args) guid.GUID {
		s.x.problem("an EDT ran that had an open slot")
		return guid.Null
	})
	victim := c.NewEDT(t, nil, deps...)
	c.DestroyTemplate(t)
	at := s.places(c, len(events)+1)
	part(c, at[0], func(c *edt.Ctx, _ edt.Args) { c.DestroyEDT(victim) })
	for k, e := range events {
		part(c, at[k+1], func(c *edt.Ctx, _ edt.Args) {
			if s.triggers[k] {
				c.Satisfy(e, guid.Null)
			}
			c.DestroyEvent(e)
		})
	}
}

func (s *buryStage) close(*edt.Ctx) {}

func (s *buryStage) count(n *edt.Counters) {
	countParts(n, len(s.triggers)+2)
	n.EDTDestroyed++
	n.EventCreated += uint64(len(s.triggers))
	for _, yes := range s.triggers {
		if yes {
			n.EventSatisfied++
		}
	}
}

// fanStage: EDTs on all workers add a dependence each, while the event is satisfied;
// an idempotent one several times.
type fanStage struct {
	cast
	typ        edt.EventType
	deps, sats int
	event      guid.GUID
	ran        atomic.Int32
}

func newFan(a cast) stage {
	types := []edt.EventType{edt.Sticky, edt.Idempotent, edt.Counted}
	s := &fanStage{cast: a, typ: types[a.rng.IntN(3)], deps: 1 + a.rng.IntN(12), sats: 1}
	if s.typ == edt.Idempotent {
		s.sats += a.rng.IntN(3)
	}
	return s
}

func (s *fanStage) open(c *edt.Ctx) {
	if s.typ == edt.Counted {
		s.event = c.NewCounted(s.deps)
	} else {
		s.event = c.NewEvent(s.typ)
	}
	at, then := s.places(c, s.deps+s.sats), s.places(c, s.deps)
	for k := range at {
		if k < s.sats {
			part(c, at[k], func(c *edt.Ctx, _ edt.Args) { c.Satisfy(s.event, guid.Null) })
			continue
		}
		part(c, at[k], func(c *edt.Ctx, _ edt.Args) {
			part(c, then[k-s.sats], func(*edt.Ctx, edt.Args) { s.ran.Add(1) }, edt.From(s.event, datablock.Null))
		})
	}
}

func (s *fanStage) close(c *edt.Ctx) {
	if int(s.ran.Load()) != s.deps {
		s.x.problem("%d of %d EDTs ran that waited for a %v event", s.ran.Load(), s.deps, s.typ)
	}
	if s.typ != edt.Counted {
		c.DestroyEvent(s.event)
	}
}

func (s *fanStage) count(n *edt.Counters) {
	countParts(n, 2*s.deps+s.sats)
	n.EventCreated++
	n.EventSatisfied += uint64(s.sats)
}

// tideStage: EDTs on all workers count a latch up and down; it triggers once, after
// the last of them.
type tideStage struct {
	cast
	edts, waves int
	left        atomic.Int32
}

func newTide(a cast) stage {
	return &tideStage{cast: a, edts: 1 + a.rng.IntN(8), waves: a.rng.IntN(20)}
}

func (s *tideStage) open(c *edt.Ctx) {
	latch := c.NewLatch(int64(s.edts))
	s.left.Store(int32(s.edts))
	part(c, s.somewhere(c), func(*edt.Ctx, edt.Args) {
		if n := s.left.Swap(-1); n != 0 {
			s.x.problem("a latch triggered while %d EDTs had yet to count it down", n)
		}
	}, edt.From(latch, datablock.Null))
	for _, at := range s.places(c, s.edts) {
		part(c, at, func(c *edt.Ctx, _ edt.Args) {
			for range s.waves {
				c.SatisfySlot(latch, guid.Null, edt.Incr)
				c.SatisfySlot(latch, guid.Null, edt.Decr)
			}
			s.left.Add(-1)
			c.Satisfy(latch, guid.Null)
		})
	}
}

func (s *tideStage) close(*edt.Ctx) {
	if n := s.left.Load(); n != -1 {
		s.x.problem("the EDT behind a latch did not run")
	}
}

func (s *tideStage) count(n *edt.Counters) {
	countParts(n, s.edts+1)
	n.EventCreated++
	n.EventSatisfied += uint64(s.edts * (2*s.waves + 1))
}
