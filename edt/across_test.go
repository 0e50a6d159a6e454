package edt_test

import (
	"context"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// An across is a call on rank 1 on an object of rank 2, while main runs on a third rank.
type across struct {
	name string
	made maker // on rank 2
	call func(tr *trial, c *edt.Ctx, g guid.GUID, ran *tally)
	runs int // what the call must count in ran
}

// onThree makes the call under this number of seeds, every other time with sites.
func (x *across) onThree(t *testing.T, seeds uint64) {
	t.Helper()
	overThree(t, seeds, counting("calls and EDTs", x.runs, func(tr *trial, c *edt.Ctx, ran *tally) {
		c.Satisfy(on(c, 2, func(c *edt.Ctx, _ edt.Args) {
			g := x.made(c)
			c.Satisfy(on(c, 1, func(c *edt.Ctx, _ edt.Args) { x.call(tr, c, g, ran) }), guid.Null)
		}), guid.Null)
	}))
}

// waiting returns the maker of an EDT with this number of open slots on rank 2.
func waiting(slots int) maker {
	return func(c *edt.Ctx) guid.GUID {
		return c.NewEDTAt(c.Bind(2), c.NewTemplate("waits", 0, slots, body(nothing)), nil)
	}
}

// here creates an EDT on the caller's rank that waits for an event.
func here(c *edt.Ctx, f action, from edt.Source) {
	c.NewEDTAt(c.Bind(c.Worker()), c.NewTemplate("here", 0, 1, body(f)), nil, from)
}

// acrossRanks are calls that must have the same effect on an object of another rank as on one of the own rank.
var acrossRanks = []across{
	{name: "exists", made: eventOf(edt.Sticky), runs: 2, call: func(_ *trial, c *edt.Ctx, g guid.GUID, ran *tally) {
		if c.Exists(g) {
			ran.add()
		}
		c.DestroyEvent(g)
		if !c.Exists(g) {
			ran.add()
		}
	}},
	{name: "a block near to there", made: someBlock, call: func(tr *trial, c *edt.Ctx, _ guid.GUID, _ *tally) {
		g := c.NewBlockNear(24, c.Place(2))
		c.Synchronised(g)
		c.AllowUnordered(g, edt.ReadsAndWrites)
		testrun.Equal(tr, 2, g.Home(), "rank of the block")
		c.DestroyBlock(g)
	}},
	{name: "events near to there", made: someBlock, runs: 400, call: func(tr *trial, c *edt.Ctx, _ guid.GUID, ran *tally) {
		for k := range 200 {
			t := edt.Once + edt.EventType(k%3)
			g := c.NewEvent(t, c.Place(2))
			if g.Home() != 2 || !c.Exists(g) {
				tr.Errorf("event %d of rank %d exists: %t", k, g.Home(), c.Exists(g))
			}
			c.NewEDTAt(c.Bind(k%3), c.NewTemplate("waits", 0, 1, body(func(c *edt.Ctx, _ edt.Args) {
				ran.add()
				if t != edt.Once {
					c.DestroyEvent(g)
				}
			})), nil, edt.From(g, datablock.Null))
			if c.Satisfy(g, guid.Null); t == edt.Idempotent {
				ran.add()
			}
			if k%3 != 1 {
				ran.add()
			}
		}
	}},
	{name: "a block that its first user gives to another one, and destroys", made: someBlock, runs: 1,
		call: func(_ *trial, c *edt.Ctx, g guid.GUID, ran *tally) {
			brings, late := c.NewChannel(1), c.NewEvent(edt.Sticky, c.Place(2))
			here(c, func(c *edt.Ctx, _ edt.Args) {
				c.NewEDTAt(c.Bind(1), c.NewTemplate("other", 0, 2, body(func(_ *edt.Ctx, in edt.Args) {
					if wordOf(in.Dep(0)) == 7 {
						ran.add()
					}
				})), nil, rw(g), rw(late))
				c.Satisfy(late, guid.Null)
				c.DestroyBlock(g)
			}, rw(brings))
			c.NewEDTAt(c.Bind(2), c.NewTemplate("sends", 0, 0, body(func(c *edt.Ctx, _ edt.Args) { c.Satisfy(brings, g) })), nil)
		}},
	{name: "event of a third rank that feeds events, and a latch of its own rank", runs: 4,
		made: func(c *edt.Ctx) guid.GUID {
			feeds, latch := c.NewEvent(edt.Idempotent), c.NewLatch(1)
			here(c, func(c *edt.Ctx, _ edt.Args) { c.DestroyEvent(feeds) }, rw(latch))
			c.Satisfy(on(c, 0, func(c *edt.Ctx, _ edt.Args) {
				c.AddDependence(feeds, latch, edt.Decr, datablock.RW)
			}), guid.Null)
			return feeds
		},
		call: func(_ *trial, c *edt.Ctx, g guid.GUID, ran *tally) {
			at := c.Place(0)
			for _, fed := range []guid.GUID{
				c.NewEvent(edt.Once, at), c.NewEvent(edt.Sticky, at), c.NewEvent(edt.Idempotent, at), c.NewCounted(1, at),
			} {
				here(c, func(*edt.Ctx, edt.Args) { ran.add() }, rw(fed))
				c.AddDependence(g, fed, 0, datablock.RW)
			}
			c.Satisfy(g, guid.Null)
		}},
	{name: "from outside", made: eventOf(edt.Once), runs: 2, call: func(_ *trial, c *edt.Ctx, g guid.GUID, ran *tally) {
		here(c, func(*edt.Ctx, edt.Args) { ran.add() }, rw(g))
		event, x := c.NewExternal(1)
		c.NewEDTAt(c.Bind(2), c.NewTemplate("waits", 0, 1, body(func(c *edt.Ctx, _ edt.Args) {
			ran.add()
			c.Satisfy(g, guid.Null)
		})), nil, rw(event))
		go func() { _ = x.Signal() }()
	}},
	{name: "blocking call", made: eventOf(edt.Once), runs: 2, call: func(_ *trial, c *edt.Ctx, g guid.GUID, ran *tally) {
		here(c, func(*edt.Ctx, edt.Args) { ran.add() }, rw(g))
		result := edt.NewBlocking(1).Call(c, func(context.Context) ([]byte, error) { return []byte("x"), nil })
		c.NewEDTAt(c.Bind(2), c.NewTemplate("waits", 0, 1, body(func(c *edt.Ctx, _ edt.Args) {
			ran.add()
			c.Satisfy(g, guid.Null)
		})), nil, rw(result))
	}},
}

func TestAcrossRanks(t *testing.T) {
	for _, tc := range acrossRanks {
		t.Run(tc.name, func(t *testing.T) { tc.onThree(t, 4) })
	}
}
