package task_test

import (
	"context"
	"fmt"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
)

// The value of a recursion comes back to the caller: the event out fits where a child is given a Port.
func ExampleRun() {
	n, err := task.Run(context.Background(), runtime.With(), func(c *edt.Ctx, out task.Event[int]) {
		fib.New(c, call{To: out.Port(), N: 10})
	})
	fmt.Println(n, err)
	// Output: 55 <nil>
}

var doubled = task.Define1("example.doubled", func(c *edt.Ctx, to task.Event[int], a task.RO[int]) {
	to.Put(c, 2*a.At(0), 2*a.At(1))
	a.Destroy(c)
})

// All elements of a block come back. Of makes a block of a copy, and Put sends one.
func ExampleRunAll() {
	all, err := task.RunAll(context.Background(), runtime.With(runtime.Check()), func(c *edt.Ctx, out task.Event[int]) {
		pair := task.Of(c, 3, 4)
		pair.Release(c)
		doubled.New(c, out, pair.From())
	})
	fmt.Println(all, err)
	// Output: [6 8] <nil>
}

// Bodies that use what their function has captured: a task for the time of the run, and EDTs of a closure each.
func ExampleFunc1() {
	scale := 10
	n, err := task.Run(context.Background(), runtime.With(runtime.Check()), func(c *edt.Ctx, out task.Event[int]) {
		times := task.Func1(c, "times", func(c *edt.Ctx, to task.Event[int], x task.RW[int]) {
			x.Slice()[0] *= scale
			x.SendTo(c, to)
		})
		a, b, end := task.Scoped[int](c), task.Scoped[int](c), task.Once[task.Nothing](c)
		task.Go3(c, a.From(), b.From(), end.From(), func(c *edt.Ctx, a, b task.RO[int], _ task.After) {
			out.Put(c, a.At(0)+b.At(0))
			a.Destroy(c)
			b.Destroy(c)
		})
		task.Go2(c, a.After(), b.After(), func(c *edt.Ctx, _, _ task.After) { end.Signal(c) })
		x := task.Once[int](c)
		times.New(c, a, x.From())
		task.Go0(c, func(c *edt.Ctx) { x.Put(c, 1) })
		task.Go1(c, task.None[task.Nothing](), func(c *edt.Ctx, _ task.After) { b.Put(c, 2) })
	})
	fmt.Println(n, err)
	// Output: 12 <nil>
}

// Bodies with no slot, and with more than one.
func ExampleFunc0() {
	start(func(c *edt.Ctx) {
		two := task.Func2(c, "two", func(_ *edt.Ctx, n int, _, _ task.After) { fmt.Println(n, "has two slots") })
		three := task.Func3(c, "three", func(_ *edt.Ctx, n int, _, _, _ task.After) { fmt.Println(n, "has three") })
		none := task.None[task.Nothing]()
		task.Func0(c, "none", func(c *edt.Ctx, n int) {
			two.New(c, n+1, none, none)
			three.New(c, n+2, none, none, none)
		}).New(c, 1)
	})
	// Unordered output:
	// 2 has two slots
	// 3 has three
}
