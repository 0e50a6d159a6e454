package edt_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
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
		t.Run(tc.name, func(t *testing.T) {
			for seed := range uint64(4) {
				tr := &trial{t: t, where: fmt.Sprintf("seed %d", seed)}
				ran := new(tally)
				h := edttest.NewRanks(seed, 3, edt.Config{Workers: 1, Sites: seed%2 == 0})
				err := h.Run(body(func(c *edt.Ctx, _ edt.Args) {
					c.Satisfy(on(c, 2, func(c *edt.Ctx, _ edt.Args) {
						g := tc.made(c)
						c.Satisfy(on(c, 1, func(c *edt.Ctx, _ edt.Args) { tc.call(tr, c, g, ran) }), guid.Null)
					}), guid.Null)
				}))
				h.Graph.Close()
				if err != nil || ran.get() != tc.runs {
					tr.Errorf("run: %v, and %d ran, want %d", err, ran.get(), tc.runs)
				}
			}
		})
	}
}

func TestEndsAcrossRanks(t *testing.T) {
	for name, end := range map[string]struct {
		how  func(c *edt.Ctx)
		want string
	}{
		"shutdown": {doShutdown, ""},
		"abort":    {doAbort, "edt: aborted with code 9"},
		"panic":    {doPanic, "edt: panic in EDT "},
		"misuse":   {doMisuse, "edt: release"},
	} {
		t.Run(name, func(t *testing.T) {
			h := edttest.NewRanks(1, 3, edt.Config{Workers: 1})
			defer h.Graph.Close()
			err := h.Run(body(func(c *edt.Ctx, _ edt.Args) {
				c.NewEDT(c.NewTemplate("waits", 0, 1, body(nothing)), nil) // for ever: only end.how ends the run
				c.Satisfy(on(c, 2, func(c *edt.Ctx, _ edt.Args) { end.how(c) }), guid.Null)
			}))
			switch {
			case (err == nil) != (end.want == ""), err != nil &&
				(!strings.Contains(err.Error(), end.want) || !strings.Contains(err.Error(), "template on 2")):
				t.Errorf("run: %v, want %q by an EDT of template on 2", err, end.want)
			case name == "panic" && !strings.Contains(err.Error(), errPanic.Error()):
				t.Errorf("run: %v, want %v", err, errPanic)
			}
		})
	}
}

// TestReportsAcrossRanks: EDTs that wait, and leaks, are reported as with one rank.
func TestReportsAcrossRanks(t *testing.T) {
	h := edttest.NewRanks(1, 3, edt.Config{Workers: 1, Sites: true})
	defer h.Graph.Close()
	err := h.Run(body(func(c *edt.Ctx, _ edt.Args) {
		c.Satisfy(on(c, 2, func(c *edt.Ctx, _ edt.Args) {
			sticky, channel := c.NewEvent(edt.Sticky), c.NewChannel(1)
			c.Satisfy(on(c, 1, func(c *edt.Ctx, _ edt.Args) {
				c.NewEDTAt(c.Bind(1), c.NewTemplate("waits", 0, 3, body(nothing)), nil, rw(sticky), rw(channel),
					edt.Open)
				c.NewEDTAt(c.Bind(0), c.NewTemplate("waits too", 0, 1, body(nothing)), nil, rw(sticky))
				someBlock(c)
			}), guid.Null)
		}), guid.Null)
	}))
	var stuck *edt.StuckError
	if !errors.As(err, &stuck) || stuck.Count != 2 {
		t.Fatalf("run: %v, want 2 EDTs that wait", err)
	}
	text := err.Error()
	testrun.Contains(t, text,
		"of template waits too", ", created at across_test.go:", "slot 0: sticky event ",
		", never satisfied, created at across_test.go:", " by on 2\n",
		"slot 1: channel event ", ", no satisfaction for this dependence, created at", "slot 2: not connected")
	leaks := make(map[string]int)
	for _, l := range h.Graph.Leaks() {
		if l.Kind != guid.KindTemplate {
			leaks[fmt.Sprint(l.Kind, " ", l.Template)] += l.Count
		}
	}
	want := map[string]int{"EDT waits": 1, "EDT waits too": 1, "event sticky": 3, "event channel": 1, "data block ": 1}
	testrun.Same(t, want, leaks, "leaks")
}
