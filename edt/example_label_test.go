package edt_test

import (
	"errors"
	"fmt"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// Two EDTs that know the range meet at an index: neither has the other's objects.
func ExampleCtx_NewRange() {
	start(func(c *edt.Ctx) {
		cells := c.NewRange(100, guid.KindEvent)
		launch(c, func(c *edt.Ctx, _ edt.Args) {
			c.Satisfy(c.Label(cells, 42), wordBlock(c, 7)) // deferred, if the event is not there yet
		})
		launch(c, func(c *edt.Ctx, _ edt.Args) {
			if err := c.NewLabelledEvent(c.Label(cells, 42), edt.Sticky); err != nil {
				fmt.Println(err)
			}
			launch(c, func(_ *edt.Ctx, in edt.Args) { fmt.Println(wordOf(in.Dep(0))) }, rw(c.Label(cells, 42)))
		})
	})
	// Output: 7
}

// The same range and index give the same name.
func ExampleCtx_Label() {
	start(func(c *edt.Ctx) {
		rng := c.NewRange(10, guid.KindBlock)
		third := c.Label(rng, 3)
		fmt.Println(c.Label(rng, 3) == third, c.Label(rng, 4) == third)
	})
	// Output: true false
}

// Objects under its labels stay.
func ExampleCtx_DestroyRange() {
	start(func(c *edt.Ctx) {
		rng := c.NewRange(1, guid.KindEvent)
		event := c.Label(rng, 0)
		fmt.Println(c.NewLabelledEvent(event, edt.Sticky))
		c.DestroyRange(rng)
		fmt.Println(c.Exists(event))
		c.DestroyEvent(event)
	})
	// Output:
	// <nil>
	// true
}

// Whoever comes first creates the object.
func ExampleCtx_NewLabelledEvent() {
	start(func(c *edt.Ctx) {
		event := c.Label(c.NewRange(1, guid.KindEvent), 0)
		fmt.Println(c.NewLabelledEvent(event, edt.Sticky))
		fmt.Println(errors.Is(c.NewLabelledEvent(event, edt.Sticky), edt.ErrExists))
	})
	// Output:
	// <nil>
	// true
}

// The creator gets the bytes, all others the error.
func ExampleCtx_NewLabelledBlock() {
	start(func(c *edt.Ctx) {
		block := c.Label(c.NewRange(1, guid.KindBlock), 0)
		bytes, err := c.NewLabelledBlock(block, 5)
		fmt.Println(copy(bytes, "hello"), err)
		c.Release(block)
		c.NewEDT(printText, nil, edt.From(block, datablock.RO))
	})
	// Output:
	// 5 <nil>
	// hello
}

// An EDT whose slots others find by its label.
func ExampleCtx_NewLabelledEDT() {
	start(func(c *edt.Ctx) {
		join := c.Label(c.NewRange(1, guid.KindEDT), 0)
		c.AddDependence(wordBlock(c, 2), join, 0, datablock.RO) // deferred
		t := c.NewTemplate("join", 1, 1, body(func(_ *edt.Ctx, in edt.Args) { fmt.Println(in.Param(0) + wordOf(in.Dep(0))) }))
		if err := c.NewLabelledEDT(join, t, edt.Params(40)); err != nil {
			fmt.Println(err)
		}
	})
	// Output: 42
}

// A latch that several EDTs count down.
func ExampleCtx_NewLabelledLatch() {
	start(func(c *edt.Ctx) {
		latch := c.Label(c.NewRange(1, guid.KindEvent), 0)
		fmt.Println(c.NewLabelledLatch(latch, 2))
		hear(c, "zero", latch)
		c.Satisfy(latch, guid.Null)
		c.Satisfy(latch, guid.Null)
	})
	// Output:
	// <nil>
	// zero
}

// A counted event, which is gone after its last dependence: its label too has no object then.
func ExampleCtx_NewLabelledCounted() {
	start(func(c *edt.Ctx) {
		event := c.Label(c.NewRange(1, guid.KindEvent), 0)
		fmt.Println(c.NewLabelledCounted(event, 1))
		hear(c, "come", event)
		c.Satisfy(event, guid.Null)
		fmt.Println(c.Exists(event))
	})
	// Output:
	// <nil>
	// false
	// come
}

// A channel event between EDTs that share only a number.
func ExampleCtx_NewLabelledChannel() {
	start(func(c *edt.Ctx) {
		channel := c.Label(c.NewRange(1, guid.KindEvent), 0)
		fmt.Println(c.NewLabelledChannel(channel, edt.Unbounded))
		c.Satisfy(channel, wordBlock(c, 1))
		launch(c, func(_ *edt.Ctx, in edt.Args) { fmt.Println(wordOf(in.Dep(0))) }, rw(channel))
	})
	// Output:
	// <nil>
	// 1
}
