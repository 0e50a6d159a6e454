package edt_test

import (
	"fmt"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// hear creates an EDT that says that an event has come.
func hear(c *edt.Ctx, name string, event guid.GUID) {
	launch(c, func(*edt.Ctx, edt.Args) { fmt.Println(name) }, edt.From(event, datablock.Null))
}

// A once event is gone with its satisfaction: what waits for it is connected before.
func ExampleCtx_NewEvent() {
	start(func(c *edt.Ctx) {
		event := c.NewEvent(edt.Once)
		hear(c, "come", event)
		c.Satisfy(event, guid.Null)
		fmt.Println("exists:", c.Exists(event))
	})
	// Output:
	// exists: false
	// come
}

// An event for an EDT of another worker. Over ranks it is made on the rank of that worker, so only its satisfaction
// goes there.
func ExampleCtx_NewEvent_near() {
	start(func(c *edt.Ctx) {
		last := c.Place(c.Places() - 1)
		event := c.NewEvent(edt.Sticky, last)
		come := c.NewTemplate("come", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
			fmt.Println("come")
			c.DestroyEvent(event)
			return guid.Null
		})
		c.NewEDTAt(last, come, nil, edt.From(event, datablock.Null))
		c.Satisfy(event, guid.Null)
	})
	// Output: come
}

// A scoped event is destroyed when all EDTs of its finish scope have ended.
func ExampleCtx_NewScoped() {
	start(func(c *edt.Ctx) {
		var event guid.GUID
		family := c.NewTemplate("family", 0, 0, func(c *edt.Ctx, _ edt.Args) guid.GUID {
			event = c.NewScoped()
			hear(c, "come", event)
			c.Satisfy(event, guid.Null)
			hear(c, "come again", event)
			return guid.Null
		})
		ended := c.NewTemplate("ended", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
			fmt.Println("exists:", c.Exists(event))
			return guid.Null
		})
		done := c.NewEvent(edt.Once)
		c.NewEDT(ended, nil, edt.From(done, datablock.Null))
		c.Spawn(family, &edt.Spec{Finish: true, OutputEvent: done})
	})
	// Unordered output:
	// come
	// come again
	// exists: false
}

// A sticky event stays satisfied, until it is destroyed.
func ExampleCtx_DestroyEvent() {
	start(func(c *edt.Ctx) {
		event := c.NewEvent(edt.Sticky)
		c.Satisfy(event, guid.Null)
		hear(c, "come before", event)
		c.DestroyEvent(event)
	})
	// Output: come before
}

// A counted event is a sticky event that destroys itself after a given number of dependences.
func ExampleCtx_NewCounted() {
	start(func(c *edt.Ctx) {
		event := c.NewCounted(2)
		c.Satisfy(event, guid.Null)
		hear(c, "first", event)
		fmt.Println(c.Exists(event))
		hear(c, "second", event)
		fmt.Println(c.Exists(event))
	})
	// Unordered output:
	// true
	// false
	// first
	// second
}

// A latch triggers when its count comes to 0.
func ExampleCtx_NewLatch() {
	start(func(c *edt.Ctx) {
		latch := c.NewLatch(2)
		hear(c, "both are done", latch)
		for range 2 {
			launch(c, func(c *edt.Ctx, _ edt.Args) {
				fmt.Println("one is done")
				c.Satisfy(latch, guid.Null)
			})
		}
	})
	// Output:
	// one is done
	// one is done
	// both are done
}

// A latch that more is added to before it triggers.
func ExampleCtx_SatisfySlot() {
	start(func(c *edt.Ctx) {
		latch := c.NewLatch(1)
		hear(c, "now", latch)
		c.SatisfySlot(latch, guid.Null, edt.Incr)
		c.SatisfySlot(latch, guid.Null, edt.Decr)
		fmt.Println("not yet")
		c.SatisfySlot(latch, guid.Null, edt.Decr)
	})
	// Output:
	// not yet
	// now
}

// A channel event pairs what comes with what waits, in order.
func ExampleCtx_NewChannel() {
	start(func(c *edt.Ctx) {
		channel := c.NewChannel(2)
		c.Satisfy(channel, wordBlock(c, 1))
		c.Satisfy(channel, wordBlock(c, 2))
		for _, name := range []string{"first", "second"} {
			launch(c, func(_ *edt.Ctx, in edt.Args) { fmt.Println(name, wordOf(in.Dep(0))) }, rw(channel))
		}
		c.DestroyEvent(channel)
	})
	// Unordered output:
	// first 1
	// second 2
}

// Satisfy brings a block to all that wait for an event.
func ExampleCtx_Satisfy() {
	start(func(c *edt.Ctx) {
		event := c.NewEvent(edt.Sticky)
		for range 2 {
			launch(c, func(_ *edt.Ctx, in edt.Args) { fmt.Println(wordOf(in.Dep(0))) }, edt.From(event, datablock.Const))
		}
		c.Satisfy(event, wordBlock(c, 42))
	})
	// Output:
	// 42
	// 42
}

// Pass is Release and Satisfy in one: a block goes from EDT to EDT.
func ExampleCtx_Pass() {
	start(func(c *edt.Ctx) {
		next := c.NewEvent(edt.Once)
		launch(c, func(_ *edt.Ctx, in edt.Args) { fmt.Println(wordOf(in.Dep(0))) }, rw(next))
		launch(c, func(c *edt.Ctx, in edt.Args) {
			datablock.Slice[uint64](in.Dep(0))[0]++
			c.Pass(next, 0)
		}, rw(wordBlock(c, 1)))
	})
	// Output: 2
}

// An EDT is created first, and its slots are connected then: with a block, with an event, with nothing.
func ExampleCtx_AddDependence() {
	start(func(c *edt.Ctx) {
		event := c.NewEvent(edt.Sticky)
		sum := open(c, 3, func(_ *edt.Ctx, in edt.Args) {
			fmt.Println(wordOf(in.Dep(0))+wordOf(in.Dep(1)), in.Dep(2).IsNull())
		})
		c.AddDependence(wordBlock(c, 3), sum, 0, datablock.RO)
		c.AddDependence(event, sum, 1, datablock.RO)
		c.AddDependence(guid.Null, sum, 2, datablock.Null)
		c.Satisfy(event, wordBlock(c, 4))
	})
	// Output: 7 true
}
