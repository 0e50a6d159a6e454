//go:build ignore

// Command forkjoin adds up Fibonacci numbers: an EDT creates two, and a third that joins their values.
package main

import (
	"context"
	"fmt"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
)

// A call has a number, and the slot that its value goes to.
type call struct {
	N  int
	To task.Port[int]
}

var fib = task.Declare0[call]("forkjoin.fib") // apart from its body, which names it

var _ = fib.Body(func(c *edt.Ctx, p call) {
	if p.N < 2 {
		p.To.Send(c, task.Of(c, p.N))
		return
	}
	join := sum.NewOpen(c, p.To) // both slots are open
	fib.New(c, call{p.N - 1, join.Slot0()})
	fib.New(c, call{p.N - 2, join.Slot1()})
})

var sum = task.Define2("forkjoin.sum", func(c *edt.Ctx, to task.Port[int], a, b task.RW[int]) {
	a.Slice()[0] += b.Slice()[0]
	b.Destroy(c)
	to.Send(c, a.Block())
})

func main() {
	fmt.Println(task.Run(context.Background(), runtime.With(), func(c *edt.Ctx, out task.Event[int]) {
		fib.New(c, call{20, out.Port()})
	}))
}
