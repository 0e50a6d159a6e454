package check_test

import (
	"sync/atomic"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

func setWord(in edt.Args, slot int, v uint64) { datablock.Slice[uint64](in.Dep(slot))[0] = v }

// written makes a block that is written and released.
func written(c *edt.Ctx, size int) guid.GUID {
	b, bytes := c.NewBlock(size)
	for k := range bytes {
		bytes[k] = 0xFF
	}
	c.Release(b)
	return b
}

// orderly are clear programs in which what matters is ordered by another thing than a satisfaction of the EDT itself.
var orderly = []struct {
	name string
	main program
}{
	{"a latch has a count for the EDT that adds the dependences", func(c *edt.Ctx) {
		l := c.NewLatch(3)
		for range 2 {
			launch(c, "worker", func(c *edt.Ctx, _ edt.Args) { c.Satisfy(l, guid.Null) })
		}
		launch(c, "after", func(*edt.Ctx, edt.Args) {}, edt.From(l, datablock.Null))
		c.Satisfy(l, guid.Null)
	}},
	{"a barrier of latches, where one of the counters makes the next round", func(c *edt.Ctx) {
		const width = 12
		var round func(c *edt.Ctx, n int, l guid.GUID)
		round = func(c *edt.Ctx, n int, l guid.GUID) {
			if n == 0 {
				return
			}
			next := c.NewLatch(width)
			for k := range width {
				launch(c, "counter", func(c *edt.Ctx, _ edt.Args) {
					if k == 0 {
						round(c, n-1, next)
					}
					c.Satisfy(next, guid.Null)
				}, edt.From(l, datablock.Null))
			}
		}
		first := c.NewLatch(1)
		round(c, 8, first)
		c.Satisfy(first, guid.Null)
	}},
	{"a latch is counted up for each EDT before it is created", func(c *edt.Ctx) {
		l := after(c, 1, func(*edt.Ctx, edt.Args) {})
		for range 40 {
			c.SatisfySlot(l, guid.Null, edt.Incr)
			countsDown(c, l)
		}
		c.Satisfy(l, guid.Null)
	}},
	{"a latch from zero is counted up by one for itself first", func(c *edt.Ctx) {
		l := after(c, 0, func(*edt.Ctx, edt.Args) {})
		for n := range 40 {
			if c.SatisfySlot(l, guid.Null, edt.Incr); n > 0 {
				countsDown(c, l)
			}
		}
		c.Satisfy(l, guid.Null)
	}},
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
	{"a latch is counted up by an EDT that comes before the one that counts down for it", func(c *edt.Ctx) {
		l, counted := after(c, 2, func(*edt.Ctx, edt.Args) {}), c.NewEvent(edt.Once)
		launch(c, "child", func(c *edt.Ctx, _ edt.Args) {
			c.Satisfy(l, guid.Null)
			c.Satisfy(l, guid.Null)
		}, edt.From(counted, datablock.Null))
		countsDown(c, l)
		launch(c, "counter", func(c *edt.Ctx, _ edt.Args) {
			c.SatisfySlot(l, guid.Null, edt.Incr)
			c.Satisfy(counted, guid.Null)
		})
	}},
	{"a latch is destroyed before it triggers", func(c *edt.Ctx) {
		l := c.NewLatch(3)
		c.Satisfy(l, guid.Null)
		c.SatisfySlot(l, guid.Null, edt.Incr)
		_ = c.Self()
		c.DestroyEvent(l)
	}},
	{"two EDTs count a latch from zero, one up and one down", func(c *edt.Ctx) {
		l := after(c, 0, func(*edt.Ctx, edt.Args) {})
		countsDown(c, l)
		launch(c, "counter", func(c *edt.Ctx, _ edt.Args) { c.SatisfySlot(l, guid.Null, edt.Incr) })
	}},
	{"the EDT that connects another comes before it", func(c *edt.Ctx) {
		b, e := written(c, 8), c.NewEvent(edt.Sticky)
		after := job(c, "after", 2, func(c *edt.Ctx, in edt.Args) {
			setWord(in, 1, 9)
			c.DestroyBlock(b)
			c.DestroyEvent(e)
		})
		g := c.NewEDT(after, nil, edt.Open, edt.From(b, datablock.RW))
		c.DestroyTemplate(after)
		launch(c, "trigger", func(c *edt.Ctx, _ edt.Args) { c.Satisfy(e, guid.Null) })
		launch(c, "connector", func(c *edt.Ctx, in edt.Args) {
			setWord(in, 0, 7)
			c.Release(b)
			c.AddDependence(e, g, 0, datablock.Null)
		}, edt.From(b, datablock.RW))
	}},
	{"the EDT that chains events comes before those that they trigger", func(c *edt.Ctx) {
		b, e, second := written(c, 8), c.NewEvent(edt.Sticky), c.NewEvent(edt.Once)
		launch(c, "after", func(c *edt.Ctx, in edt.Args) {
			setWord(in, 1, 9)
			c.DestroyBlock(b)
			c.DestroyEvent(e)
		}, edt.From(second, datablock.Null), edt.From(b, datablock.RW))
		launch(c, "trigger", func(c *edt.Ctx, _ edt.Args) { c.Satisfy(e, guid.Null) })
		launch(c, "connector", func(c *edt.Ctx, in edt.Args) {
			setWord(in, 0, 7)
			c.Release(b)
			c.AddDependence(e, second, 0, datablock.Null)
		}, edt.From(b, datablock.RW))
	}},
	{"a channel event that is sent a block is chained to a latch", chainedChannel(false)},
	{"a channel event that was sent a block is chained to a latch", chainedChannel(true)},
	{"a channel event is satisfied often before any EDT waits", func(c *edt.Ctx) {
		const many = 200
		b, ch, done := written(c, 8*many), c.NewChannel(edt.Unbounded), c.NewLatch(many)
		c.AllowUnordered(b, edt.ExclusiveWriters)
		launch(c, "last", func(c *edt.Ctx, _ edt.Args) {
			c.DestroyBlock(b)
			c.DestroyEvent(ch)
		}, edt.From(done, datablock.Null))
		receive := job(c, "receiver", 2, func(c *edt.Ctx, in edt.Args) {
			words := datablock.Slice[uint64](in.Dep(0))
			words[atomic.AddUint64(&words[0], 1)%many]++
			c.Release(b)
			c.Satisfy(done, guid.Null)
		})
		var waiting [many]guid.GUID
		for n := range waiting {
			waiting[n] = c.NewEDT(receive, nil, edt.From(b, datablock.EW), edt.Open)
		}
		c.DestroyTemplate(receive)
		launch(c, "receivers", func(c *edt.Ctx, _ edt.Args) {
			for _, g := range waiting {
				c.AddDependence(ch, g, 1, datablock.Null)
			}
		})
		launch(c, "sender", func(c *edt.Ctx, in edt.Args) {
			words := datablock.Slice[uint64](in.Dep(0))
			for n := range words {
				words[n] = 1
			}
			c.Release(b)
			for range many {
				c.Satisfy(ch, guid.Null)
			}
		}, edt.From(b, datablock.RW))
	}},
	{"an EDT is satisfied with a block that is not released, in mode Null", func(c *edt.Ctx) {
		e, read := c.NewEvent(edt.Once), c.NewEvent(edt.Once)
		launch(c, "destroyer", func(c *edt.Ctx, in edt.Args) {
			c.DestroyBlock(in.Dep(0).GUID())
		}, edt.From(read, datablock.Null))
		launch(c, "reader", func(c *edt.Ctx, in edt.Args) { c.Satisfy(read, in.Dep(0).GUID()) }, edt.From(e, datablock.Null))
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
				atomic.AddUint64(&datablock.Slice[uint64](in.Dep(0))[0], 1)
			}, edt.From(b, datablock.RW))
		}
		c.DestroyBlock(b)
	}},
}

// chainedChannel has an EDT wait for a latch that a channel event counts down, chained
// before or after the event is satisfied with a block.
func chainedChannel(after bool) program {
	return func(c *edt.Ctx) {
		b, ch, l := written(c, 8), c.NewChannel(4), c.NewLatch(1)
		launch(c, "after", func(c *edt.Ctx, in edt.Args) {
			setWord(in, 1, 9)
			c.DestroyBlock(b)
			c.DestroyEvent(ch)
		}, edt.From(l, datablock.Null), edt.From(b, datablock.RW))
		chain := func() {
			launch(c, "connector", func(c *edt.Ctx, _ edt.Args) { c.AddDependence(ch, l, edt.Decr, datablock.Null) })
		}
		if after { // one worker runs what was created last first
			chain()
		}
		launch(c, "sender", func(c *edt.Ctx, in edt.Args) {
			setWord(in, 0, 7)
			c.Release(b)
			c.Satisfy(ch, b)
		}, edt.From(b, datablock.RW))
		if !after {
			chain()
		}
	}
}
