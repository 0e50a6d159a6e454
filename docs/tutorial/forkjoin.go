//go:build ignore

// Command forkjoin adds up Fibonacci numbers: an EDT creates two, and a third that joins their values.
package main

import (
	"context"
	"fmt"
	"log"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
	"ocr/task/par"
)

// A call has a number, and the slot that its value goes to.
type call struct {
	N  int
	To task.Port[int]
}

var fib = task.Declare0[call]("forkjoin.fib") // apart from its body, which names it

var _ = fib.Body(func(c *edt.Ctx, p call) {
	if p.N < 2 {
		b, v := task.Make[int](c, 1)
		v[0] = p.N
		p.To.Send(c, b)
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

var show = task.Define1("forkjoin.show", func(c *edt.Ctx, n int, value par.Value[int]) {
	fmt.Printf("fib(%d) = %d\n", n, value.Take(c))
})

func start(c *edt.Ctx) {
	fib.New(c, call{20, show.NewOpen(c, 20).Slot0()})
}

func main() {
	if err := runtime.Run(context.Background(), task.Main(start)); err != nil {
		log.Fatal(err)
	}
}
