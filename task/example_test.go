package task_test

import (
	"context"
	"fmt"

	"ocr/edt"
	"ocr/guid"
	"ocr/runtime"
	"ocr/task"
)

// start runs a program on one worker.
func start(body func(c *edt.Ctx)) {
	err := runtime.Run(context.Background(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		body(c)
		return guid.Null
	}, runtime.Workers(1))
	if err != nil {
		fmt.Println(err)
	}
}

var greet = task.Define2("example.greet", func(c *edt.Ctx, n int, name task.RO[byte], _ task.After) {
	fmt.Printf("%d: hello, %s\n", n, name.Slice())
	name.Destroy(c)
})

// A block and an event, each the source of a slot.
func Example() {
	start(func(c *edt.Ctx) {
		name, bytes := task.Make[byte](c, 5)
		copy(bytes, "world")
		name.Release(c)

		turn := task.Once[task.Nothing](c)
		greet.New(c, 7, name.From(), turn.From())
		turn.Signal(c)
	})
	// Output: 7: hello, world
}

type call struct {
	To task.Port[int] // where the value goes
	N  int
}

var fib = task.Declare0[call]("example.fib")

var _ = fib.Body(func(c *edt.Ctx, p call) {
	if p.N < 2 {
		value, v := task.Make[int](c, 1)
		v[0] = p.N
		p.To.Send(c, value)
		return
	}
	join := sum.NewOpen(c, p.To)
	fib.New(c, call{join.Slot0(), p.N - 1})
	fib.New(c, call{join.Slot1(), p.N - 2})
})

var sum = task.Define2("example.sum", func(c *edt.Ctx, to task.Port[int], a, b task.RW[int]) {
	a.Slice()[0] += b.Slice()[0]
	b.Destroy(c)
	to.Send(c, a.Block())
})

var show = task.Define1("example.show", func(c *edt.Ctx, _ task.Nothing, value task.RO[int]) {
	fmt.Println(value.At(0))
	value.Destroy(c)
})

// Fork and join: a join's slots are left open, and children get their ports.
func ExamplePort() {
	start(func(c *edt.Ctx) {
		fib.New(c, call{show.NewOpen(c, task.Nothing{}).Slot0(), 15})
	})
	// Output: 610
}

var stepper = task.Declare2[task.Nothing, task.RW[int], task.After]("example.step")

var _ = stepper.Body(func(c *edt.Ctx, _ task.Nothing, state task.RW[int], _ task.After) {
	v := state.Slice()
	if v[0]--; v[0] == 0 {
		fmt.Println("lift off")
		state.Destroy(c)
		return
	}
	fmt.Println(v[0])
	next := task.Once[task.Nothing](c)
	stepper.Again1(c, next.From()) // slot 0 keeps its block
	next.Signal(c)
})

// An EDT goes on as the next of its kind, with another source for one slot.
func ExampleTask2_Again1() {
	start(func(c *edt.Ctx) {
		state, v := task.Make[int](c, 1)
		v[0] = 3
		state.Release(c)
		stepper.New(c, task.Nothing{}, state.From(), task.None[task.Nothing]())
	})
	// Output:
	// 2
	// 1
	// lift off
}

type columns struct{ First, Count int }

var fill = task.Define1("example.fill", func(c *edt.Ctx, n int, grid task.EW[task.Headed[columns, float64]]) {
	task.Head(grid).Count++
	task.Rest(grid)[n] = float64(n)
})

var total = task.DefineN("example.total", func(c *edt.Ctx, _ task.Nothing, _ task.After, grids task.List[task.RO[task.Headed[columns, float64]]], _ task.List[task.After]) {
	for i := range grids.Len() {
		fmt.Println(*task.Head(grids.At(i)), task.Rest(grids.At(i)))
		grids.At(i).Destroy(c)
	}
})

// Blocks that begin with a header, a task with a list of slots, and a latch that says when all is done.
func ExampleTaskN() {
	start(func(c *edt.Ctx) {
		a, b := task.ReserveHeaded[columns, float64](c, 2), task.ReserveHeaded[columns, float64](c, 1)
		done := task.NewLatch(c, 3)
		total.New(c, task.Nothing{}, done.From(), []task.Source[task.Headed[columns, float64]]{a.From(), b.From()}, nil)
		for n, g := range []task.Block[task.Headed[columns, float64]]{a, a, b} {
			ended := task.Once[task.Nothing](c)
			c.AddDependence(ended.GUID, done.GUID, edt.Decr, 0) // event to event: by package edt
			fill.NewWith(c, task.Opt{Output: ended, Priority: 1}, n%2, g.From())
		}
	})
	// Output:
	// {0 2} [0 1]
	// {0 1} [0]
}

var reader = task.Define1("example.reader", func(c *edt.Ctx, _ task.Nothing, b task.Const[int32]) {
	for i, v := range b.All() {
		fmt.Println(i, v)
	}
	b.Destroy(c)
})

var doubler = task.Define1("example.doubler", func(c *edt.Ctx, to task.Event[int32], b task.RW[int32]) {
	for i := range b.Slice() {
		b.Slice()[i] *= 2
	}
	b.SendTo(c, to)
})

// A pipeline of two: a slot's block goes on by an event that lies in the parameters.
func ExampleEvent() {
	start(func(c *edt.Ctx) {
		in, out := task.Counted[int32](c, 1), task.Counted[int32](c, 1)
		doubler.New(c, out, in.From())
		reader.New(c, task.Nothing{}, out.From())
		b, v := task.Make[int32](c, 2)
		v[0], v[1] = 4, 5
		in.Send(c, b)
	})
	// Output:
	// 0 8
	// 1 10
}

var disk = edt.NewBlocking(2)

// What waits for the outside world is called outside the workers; its result comes as an event.
func ExampleBlocking() {
	start(func(c *edt.Ctx) {
		numbers := task.Blocking(c, disk, func(context.Context) []int32 { return []int32{7, 9} })
		reader.New(c, task.Nothing{}, numbers.From())
	})
	// Output:
	// 0 7
	// 1 9
}
