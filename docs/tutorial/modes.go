//go:build ignore

// Command modes runs two EDTs that add to one block, in two modes, in check mode.
package main

import (
	"context"
	"fmt"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
)

var addEW = task.Define1("modes.addEW", func(_ *edt.Ctx, n int, x task.EW[int]) { x.Slice()[0] += n })

var addRW = task.Define1("modes.addRW", func(_ *edt.Ctx, n int, x task.RW[int]) { x.Slice()[0] += n })

var show = task.Define2("modes.show", func(c *edt.Ctx, _ task.Nothing, _ task.After, x task.RO[int]) {
	fmt.Println("sum", x.At(0))
	x.Destroy(c)
})

func exclusive(c *edt.Ctx) {
	x, both := task.Reserve[int](c, 1), task.NewLatch(c, 2) // the end of each addEW decrements it
	c.AllowUnordered(x.GUID, edt.ExclusiveWriters)          // a sum is right in either order
	show.New(c, task.Nothing{}, both.From(), x.From())
	addEW.New(c, 1, x.From(), task.Opt{Output: both.Event})
	addEW.New(c, 2, x.From(), task.Opt{Output: both.Event})
}

func shared(c *edt.Ctx) {
	x, both := task.Reserve[int](c, 1), task.NewLatch(c, 2)
	show.New(c, task.Nothing{}, both.From(), x.From())
	addRW.New(c, 1, x.From(), task.Opt{Output: both.Event})
	addRW.New(c, 2, x.From(), task.Opt{Output: both.Event})
}

func main() {
	for _, start := range []func(*edt.Ctx){exclusive, shared} {
		fmt.Println("error:", runtime.Run(context.Background(), task.Main(start), runtime.Workers(1), runtime.Check()))
	}
}
