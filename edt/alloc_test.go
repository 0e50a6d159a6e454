package edt_test

import (
	"context"
	"fmt"
	goruntime "runtime"
	"slices"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// allocations returns the heap allocations of n rounds of a chain of EDTs, after n rounds that fill the pools. step
// does one round, and makes an EDT of template next ready.
func allocations(t *testing.T, n int, step func(c *edt.Ctx, next *edt.Template), opts ...runtime.Option) uint64 {
	t.Helper()
	var before, after goruntime.MemStats
	round := 0
	main := body(func(c *edt.Ctx, _ edt.Args) {
		var next *edt.Template
		next = c.NewTemplate("next", edt.Unknown, edt.Unknown, body(func(c *edt.Ctx, _ edt.Args) {
			switch round {
			case n:
				goruntime.ReadMemStats(&before)
			case 2 * n:
				goruntime.ReadMemStats(&after)
				c.Shutdown()
				return
			}
			round++
			step(c, next)
		}))
		step(c, next)
	})
	testrun.OK(t, runtime.Run(context.Background(), main, append(opts, runtime.Workers(1))...))
	return after.Mallocs - before.Mallocs
}

var leaf = edt.NewTemplate("edt_test.leaf", 0, 1, body(nothing))

// TestMemoryOfGoneObjects: what is gone takes no memory: entries of blocks that a body has created and destroyed, the
// oldest first, and lists of slots of EDTs that have more slots than others.
func TestMemoryOfGoneObjects(t *testing.T) {
	const rounds, wide = 200, 200
	null := edt.From(guid.Null, datablock.Null)
	for name, step := range map[string]func(c *edt.Ctx, next *edt.Template, round int){
		"blocks": func(c *edt.Ctx, next *edt.Template, round int) {
			for range 100 * round {
				a, _ := c.NewBlock(8)
				b, _ := c.NewBlock(8)
				c.DestroyBlock(a)
				c.DestroyBlock(b)
			}
			c.NewEDT(next, nil, null)
		},
		"slots": func(c *edt.Ctx, next *edt.Template, round int) {
			deps := make([]edt.Source, wide)
			for k := range deps {
				if deps[k] = null; k > 100+37*round%100 {
					continue // so that the EDT with all slots gets another place
				}
				_, out := c.Spawn(fiveSlots, &edt.Spec{Output: true, Deps: []edt.Source{null, null, null, null, null}})
				deps[k] = edt.From(out, datablock.Null)
			}
			c.NewEDT(next, nil, deps...)
		},
	} {
		var before, after goruntime.MemStats
		round := 0
		main := body(func(c *edt.Ctx, _ edt.Args) {
			var next *edt.Template
			next = c.NewTemplate("next", edt.Unknown, edt.Unknown, body(func(c *edt.Ctx, _ edt.Args) {
				if round++; round == 2 || round == rounds {
					goruntime.GC()
					goruntime.ReadMemStats(&after)
				}
				if round == 2 {
					before = after
				}
				if round < rounds {
					step(c, next, round)
				}
			}))
			step(c, next, 0)
		})
		testrun.OK(t, runtime.Run(t.Context(), main, runtime.Workers(1)))
		if more := int64(after.HeapAlloc) - int64(before.HeapAlloc); more > 100_000 {
			t.Errorf("%s: %d bytes more after %d rounds", name, more, rounds)
		}
	}
}

var fiveSlots = edt.NewTemplate("edt_test.five", 0, 5, body(nothing))

// TestSteadyStateAllocatesNothing: in a steady state no operation allocates. An operation that does would show at least
// once a round, more than the few allocations of the Go runtime.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	const rounds = 2000
	null := edt.From(guid.Null, datablock.RW)
	hundred := slices.Repeat([]edt.Source{null}, 100)
	var ended, channel guid.GUID
	for _, tc := range []struct {
		name string
		step func(c *edt.Ctx, next *edt.Template)
	}{
		{"create and run an EDT", func(c *edt.Ctx, next *edt.Template) { c.NewEDT(next, nil, null) }},
		{"EDT with parameters", func(c *edt.Ctx, next *edt.Template) { c.NewEDT(next, edt.Params(1, 2, 3, 4), null) }},
		{"EDT that spills", func(c *edt.Ctx, next *edt.Template) {
			c.NewEDT(next, edt.Params(1, 2, 3, 4, 5, 6), null, null, null, null, null, null)
		}},
		{"EDT with 100 slots", func(c *edt.Ctx, next *edt.Template) {
			c.NewEDT(next, nil, hundred...)
		}},
		{"create and destroy an EDT", func(c *edt.Ctx, next *edt.Template) {
			c.DestroyEDT(c.NewEDT(leaf, nil))
			c.NewEDT(next, nil, null)
		}},
		{"events", func(c *edt.Ctx, next *edt.Template) {
			for _, typ := range []edt.EventType{edt.Sticky, edt.Idempotent} {
				e := c.NewEvent(typ)
				c.Satisfy(e, guid.Null)
				c.DestroyEvent(e)
			}
			c.Satisfy(c.NewEvent(edt.Once), guid.Null)
			c.Satisfy(c.NewLatch(1), guid.Null)
			c.NewEDT(next, nil, null)
		}},
		{"add dependence, satisfy", func(c *edt.Ctx, next *edt.Template) {
			e, counted := c.NewEvent(edt.Once), c.NewCounted(1)
			c.AddDependence(e, c.NewEDT(leaf, nil), 0, datablock.RW)
			c.AddDependence(counted, c.NewEDT(leaf, nil), 0, datablock.RW)
			c.Satisfy(e, guid.Null)
			c.Satisfy(counted, guid.Null)
			c.NewEDT(next, nil, null)
		}},
		{"event to event", func(c *edt.Ctx, next *edt.Template) {
			a, b := c.NewEvent(edt.Once), c.NewEvent(edt.Once)
			c.AddDependence(a, b, 0, datablock.RW)
			c.NewEDT(next, nil, rw(b))
			c.Satisfy(a, guid.Null)
		}},
		{"blocks", func(c *edt.Ctx, next *edt.Template) {
			g, _ := c.NewBlock(64)
			h := c.NewBlockNoAcquire(5000)
			c.Release(g)
			c.DestroyBlock(g)
			c.DestroyBlock(h)
			c.NewEDT(next, nil, null)
		}},
		{"a block passed on", func(c *edt.Ctx, next *edt.Template) {
			g, _ := c.NewBlock(64)
			c.NewEDT(next, nil, rw(g))
			c.DestroyBlock(g)
		}},
		{"a queue for a block", func(c *edt.Ctx, next *edt.Template) {
			g, _ := c.NewBlock(64)
			for range 3 {
				c.NewEDT(leaf, nil, edt.From(g, datablock.EW))
			}
			c.NewEDT(next, nil, edt.From(g, datablock.EW))
			c.DestroyBlock(g)
		}},
		{"finish scope", func(c *edt.Ctx, next *edt.Template) {
			s := edt.Spec{Finish: true, Output: true}
			task, out := c.Spawn(leaf, &s)
			c.AddDependence(out, c.NewEDT(leaf, nil), 0, datablock.RW)
			c.AddDependence(guid.Null, task, 0, datablock.RW)
			c.NewEDT(next, nil, null)
		}},
		{"output event", func(c *edt.Ctx, next *edt.Template) {
			s := edt.Spec{Output: true}
			task, out := c.Spawn(leaf, &s)
			c.NewEDT(next, nil, rw(out))
			c.AddDependence(guid.Null, task, 0, datablock.RW)
		}},
		{"channel", func(c *edt.Ctx, next *edt.Template) {
			if channel.IsNull() {
				channel = c.NewChannel(8)
			}
			for range 5 {
				c.Satisfy(channel, guid.Null)
			}
			for range 4 {
				c.NewEDT(leaf, nil, rw(channel))
			}
			c.NewEDT(next, nil, rw(channel))
		}},
		{"an EDT that goes on", func(c *edt.Ctx, next *edt.Template) {
			if len(c.Args().Deps()) == 1 { // main: the EDTs that go on have two slots
				ended = c.NewEvent(edt.Sticky)
				c.NewEDT(next, nil, rw(wordBlock(c, 1)), null)
				return
			}
			e := c.NewEvent(edt.Sticky)
			c.Again(edt.Change{Slot: 1, Source: e})
			c.Satisfy(e, guid.Null)
			c.DestroyEvent(ended)
			ended = e
		}},
	} {
		for _, observed := range []bool{false, true} { // an observer alone makes no call walk the stack
			t.Run(fmt.Sprintf("%s, observed %v", tc.name, observed), func(t *testing.T) {
				var opts []runtime.Option
				if observed {
					opts = append(opts, runtime.Observe(func(*edt.Worker) edt.Observer { return edt.NopObserver{} }))
				}
				channel = guid.Null
				if n := allocations(t, rounds, tc.step, opts...); n >= rounds/10 {
					t.Errorf("%d allocations in %d rounds", n, rounds)
				}
			})
		}
	}
}
