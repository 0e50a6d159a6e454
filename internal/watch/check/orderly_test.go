package check_test

import (
	"sync/atomic"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

func setWord(in edt.Args, slot int, v uint64) { datablock.Slice[uint64](in.Dep(slot))[0] = v }

// written makes a block of 0xFF, and releases it.
func written(c *edt.Ctx, size int) guid.GUID {
	b, bytes := c.NewBlock(size)
	for k := range bytes {
		bytes[k] = 0xFF
	}
	c.Release(b)
	return b
}

// orderly are right programs whose EDTs are ordered by something else than their own satisfactions.
var orderly = []sample{
	{"a tree of EDTs, each of which counts for those that it creates before it counts for itself", func(c *edt.Ctx) {
		l := after(c, 1, func(*edt.Ctx, edt.Args) {})
		var grow func(c *edt.Ctx, depth int)
		grow = func(c *edt.Ctx, depth int) {
			for range min(depth, 2) {
				c.SatisfySlot(l, guid.Null, edt.Incr)
				launch(c, "tree", func(c *edt.Ctx, _ edt.Args) { grow(c, depth-1) })
			}
			c.Satisfy(l, guid.Null)
		}
		launch(c, "tree", func(c *edt.Ctx, _ edt.Args) { grow(c, 7) })
	}},
	{"a latch is destroyed before it triggers", func(c *edt.Ctx) {
		l := c.NewLatch(3)
		c.Satisfy(l, guid.Null)
		c.SatisfySlot(l, guid.Null, edt.Incr)
		_ = c.Self()
		c.DestroyEvent(l)
	}},
	{"latches that have not triggered are destroyed", func(c *edt.Ctx) {
		counted, added, source, closed := c.NewLatch(5), c.NewLatch(2), c.NewEvent(edt.Sticky), c.NewEvent(edt.Once)
		all := job(c, "all", 1, func(c *edt.Ctx, _ edt.Args) {
			launch(c, "up", func(c *edt.Ctx, _ edt.Args) { c.SatisfySlot(counted, guid.Null, edt.Incr) })
			launch(c, "adds", func(c *edt.Ctx, _ edt.Args) { c.AddDependence(added, source, 0, null) })
			launch(c, "down", func(c *edt.Ctx, _ edt.Args) { c.Satisfy(added, guid.Null) })
			for range 2 {
				countsDown(c, counted)
			}
		})
		launch(c, "destroyer", func(c *edt.Ctx, _ edt.Args) {
			for _, e := range []guid.GUID{added, counted, source} {
				c.DestroyEvent(e)
			}
		}, edt.From(closed, null))
		c.Spawn(all, &edt.Spec{Finish: true, OutputEvent: closed, Deps: []edt.Source{edt.From(guid.Null, null)}})
		c.DestroyTemplate(all)
	}},
	{"an EDT from outside a finish scope destroys an EDT in it", func(c *edt.Ctx) {
		b, made, start, closed := written(c, 8), c.NewEvent(edt.Once), c.NewEvent(edt.Once), c.NewEvent(edt.Once)
		var idle guid.GUID
		launch(c, "reader", func(c *edt.Ctx, in edt.Args) {
			expect(wordsOf(in, 0)[0], 7)
			c.DestroyBlock(b)
		}, edt.From(b, ro), edt.From(closed, null))
		launch(c, "outside", func(c *edt.Ctx, in edt.Args) {
			c.Satisfy(start, guid.Null)
			setWord(in, 0, 7)
			c.Release(b)
			c.DestroyEDT(idle)
		}, edt.From(b, rw), edt.From(made, null))
		all := job(c, "all", 0, func(c *edt.Ctx, _ edt.Args) {
			never := job(c, "never", 1, func(*edt.Ctx, edt.Args) {})
			idle = c.NewEDT(never, nil, edt.Open)
			c.DestroyTemplate(never)
			// A single worker runs this EDT after the one from outside.
			launch(c, "last", func(*edt.Ctx, edt.Args) {}, edt.From(start, null))
			c.Satisfy(made, guid.Null)
		})
		c.Spawn(all, &edt.Spec{Finish: true, OutputEvent: closed})
		c.DestroyTemplate(all)
	}},
	{"the EDT that connects another comes before it", func(c *edt.Ctx) {
		b, e := written(c, 8), c.NewEvent(edt.Sticky)
		after := job(c, "after", 2, func(c *edt.Ctx, in edt.Args) {
			setWord(in, 1, 9)
			c.DestroyBlock(b)
			c.DestroyEvent(e)
		})
		g := c.NewEDT(after, nil, edt.Open, edt.From(b, rw))
		c.DestroyTemplate(after)
		launch(c, "trigger", func(c *edt.Ctx, _ edt.Args) { c.Satisfy(e, guid.Null) })
		launch(c, "connector", func(c *edt.Ctx, in edt.Args) {
			setWord(in, 0, 7)
			c.Release(b)
			c.AddDependence(e, g, 0, null)
		}, edt.From(b, rw))
	}},
	{"the EDT that chains events comes before those that they trigger", func(c *edt.Ctx) {
		b, e, second := written(c, 8), c.NewEvent(edt.Sticky), c.NewEvent(edt.Once)
		launch(c, "after", func(c *edt.Ctx, in edt.Args) {
			setWord(in, 1, 9)
			c.DestroyBlock(b)
			c.DestroyEvent(e)
		}, edt.From(second, null), edt.From(b, rw))
		launch(c, "trigger", func(c *edt.Ctx, _ edt.Args) { c.Satisfy(e, guid.Null) })
		launch(c, "connector", func(c *edt.Ctx, in edt.Args) {
			setWord(in, 0, 7)
			c.Release(b)
			c.AddDependence(e, second, 0, null)
		}, edt.From(b, rw))
	}},
	{"a channel event that is sent a block is chained to a latch", chainedChannel(false)},
	{"a channel event that was sent a block is chained to a latch", chainedChannel(true)},
	{"a channel event that was sent two blocks is connected to a latch and to a reader", func(c *edt.Ctx) {
		x, y, ch, l := written(c, 8), written(c, 8), c.NewChannel(4), c.NewLatch(2)
		launch(c, "last", func(c *edt.Ctx, in edt.Args) {
			c.DestroyBlock(x)
			c.DestroyBlock(y)
			c.DestroyEvent(ch)
		}, edt.From(l, null))
		launch(c, "adder", func(c *edt.Ctx, _ edt.Args) { // a single worker runs this EDT last
			c.AddDependence(ch, l, edt.Decr, null)
			launch(c, "reader", func(c *edt.Ctx, in edt.Args) {
				expect(wordsOf(in, 0)[0], 9)
				done(c, in, l)
			}, edt.From(ch, ro))
		})
		send := func(c *edt.Ctx, in edt.Args) {
			setWord(in, 0, 9)
			c.Release(in.Dep(0).GUID())
			c.Satisfy(ch, in.Dep(0).GUID())
		}
		launch(c, "first", func(c *edt.Ctx, in edt.Args) {
			send(c, in)
			launch(c, "second", send, edt.From(y, rw))
		}, edt.From(x, rw))
	}},
	{"a block is destroyed after all counts of a latch that made its reader runnable", func(c *edt.Ctx) {
		b, l := written(c, 8), c.NewLatch(5)
		launch(c, "reader", func(*edt.Ctx, edt.Args) {}, edt.From(b, ro), edt.From(l, null))
		for range 5 {
			c.Satisfy(l, guid.Null)
		}
		c.DestroyBlock(b)
	}},
	{"a block is destroyed after a scope that has all counts of a latch that made its reader runnable", func(c *edt.Ctx) {
		b, l := written(c, 8), c.NewLatch(8)
		launch(c, "reader", func(*edt.Ctx, edt.Args) {}, edt.From(b, ro), edt.From(l, null))
		counts := job(c, "counts", 1, func(c *edt.Ctx, _ edt.Args) {
			for range 8 {
				countsDown(c, l)
			}
		})
		g, out := c.Spawn(counts, &edt.Spec{Finish: true, Output: true})
		c.DestroyTemplate(counts)
		launch(c, "destroyer", func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(b) }, edt.From(out, null))
		c.AddDependence(guid.Null, g, 0, null)
	}},
	{"more events wait for a latch than destroyed events are kept", func(c *edt.Ctx) {
		const events = 5000
		b, l := written(c, 8), c.NewLatch(2)
		last := after(c, 2, func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(b) })
		for n := range events {
			e := c.NewEvent(edt.Once)
			if n == 0 || n == events-1 {
				launch(c, "reader", func(c *edt.Ctx, in edt.Args) { done(c, in, last) }, edt.From(b, ro), edt.From(e, null))
			}
			c.AddDependence(l, e, 0, null)
		}
		// With one worker the writer counts first.
		launch(c, "other", func(c *edt.Ctx, _ edt.Args) { c.Satisfy(l, guid.Null) })
		launch(c, "writer", func(c *edt.Ctx, in edt.Args) {
			setWord(in, 0, 7)
			done(c, in, l)
		}, edt.From(b, rw))
	}},
	{"an EDT shuts the run down while others wait", func(c *edt.Ctx) {
		launch(c, "waits", func(*edt.Ctx, edt.Args) {}, edt.Open, edt.From(written(c, 8), ro))
		c.Shutdown()
	}},
	{"an EDT is satisfied with a block that is not released, in mode Null", func(c *edt.Ctx) {
		e, read := c.NewEvent(edt.Once), c.NewEvent(edt.Once)
		launch(c, "destroyer", func(c *edt.Ctx, in edt.Args) {
			c.DestroyBlock(in.Dep(0).GUID())
		}, edt.From(read, null))
		launch(c, "reader", func(c *edt.Ctx, in edt.Args) { c.Satisfy(read, in.Dep(0).GUID()) }, edt.From(e, null))
		launch(c, "producer", func(c *edt.Ctx, _ edt.Args) {
			b, bytes := c.NewBlock(8)
			c.Satisfy(e, b)
			bytes[0] = 1
		})
	}},
	{"a synchronised block is destroyed while EDTs that have it have yet to begin", func(c *edt.Ctx) {
		b, _ := c.NewBlock(8)
		c.Synchronised(b)
		c.Release(b)
		for range 2 {
			launch(c, "writer", func(_ *edt.Ctx, in edt.Args) {
				atomic.AddUint64(&wordsOf(in, 0)[0], 1)
			}, edt.From(b, rw))
		}
		c.DestroyBlock(b)
	}},
}

// chainedChannel makes an EDT wait for a latch, which a channel event counts down. The two are connected before or
// after the event is satisfied with a block.
func chainedChannel(after bool) program {
	return func(c *edt.Ctx) {
		b, ch, l := written(c, 8), c.NewChannel(4), c.NewLatch(1)
		launch(c, "after", func(c *edt.Ctx, in edt.Args) {
			setWord(in, 1, 9)
			c.DestroyBlock(b)
			c.DestroyEvent(ch)
		}, edt.From(l, null), edt.From(b, rw))
		chain := func() {
			launch(c, "connector", func(c *edt.Ctx, _ edt.Args) { c.AddDependence(ch, l, edt.Decr, null) })
		}
		if after { // a single worker runs its newest EDT first
			chain()
		}
		launch(c, "sender", func(c *edt.Ctx, in edt.Args) {
			setWord(in, 0, 7)
			c.Release(b)
			c.Satisfy(ch, b)
		}, edt.From(b, rw))
		if !after {
			chain()
		}
	}
}
