//go:build ignore

// Command dag is a graph known before it runs: two EDTs read a block, a third joins their results.
package main

import (
	"context"
	"fmt"
	"log"
	"slices"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
	"ocr/task/par"
)

var smallest = task.Define1("dag.smallest", func(c *edt.Ctx, to task.Event[int], x task.Const[int]) {
	par.Set(c, to, slices.Min(x.Slice()))
})

var largest = task.Define1("dag.largest", func(c *edt.Ctx, to task.Event[int], x task.Const[int]) {
	par.Set(c, to, slices.Max(x.Slice()))
})

// show is the last EDT that needs the block, so it destroys it.
var show = task.Define3("dag.show", func(c *edt.Ctx, _ task.Nothing, lo, hi par.Value[int], x task.Ref[int]) {
	fmt.Println("from", lo.Take(c), "to", hi.Take(c))
	x.Destroy(c)
})

func start(c *edt.Ctx) {
	x, lo, hi := task.Counted[int](c, 3), par.Future[int](c), par.Future[int](c)
	smallest.New(c, lo, x.From())
	largest.New(c, hi, x.From())
	show.New(c, task.Nothing{}, lo.From(), hi.From(), x.From())

	block, numbers := task.Make[int](c, 5)
	copy(numbers, []int{3, 1, 4, 1, 5})
	x.Send(c, block)
}

func main() {
	if err := runtime.Run(context.Background(), task.Main(start)); err != nil {
		log.Fatal(err)
	}
}
