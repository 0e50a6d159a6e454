package task_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
)

// start runs a program on one worker.
func start(body func(c *edt.Ctx)) {
	if err := runtime.Run(context.Background(), task.Main(body), runtime.Workers(1)); err != nil {
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

var total = task.DefineN("example.total", func(c *edt.Ctx, _ task.Nothing, _ task.After,
	grids task.List[task.RO[task.Headed[columns, float64]]], _ task.List[task.After]) {
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
		numbers := task.Blocking(c, disk, func(context.Context) ([]int32, error) { return []int32{7, 9}, nil })
		reader.New(c, task.Nothing{}, numbers.From())
	})
	// Output:
	// 0 7
	// 1 9
}

// An error of the function ends the run, and is its error.
func ExampleBlockingDo() {
	err := runtime.Run(context.Background(), task.Main(func(c *edt.Ctx) {
		removed := task.BlockingDo(c, disk, func(context.Context) error { return os.Remove("/no/such/file") })
		task.Go1(c, removed.From(), func(*edt.Ctx, task.After) { fmt.Println("never printed") })
	}))
	fmt.Println(errors.Is(err, fs.ErrNotExist))
	// Output: true
}

type pixel struct{ Red, Green, Blue byte }

var showPixels = task.Define1("example.pixels", func(c *edt.Ctx, _ task.Nothing, b task.RO[pixel]) {
	fmt.Println(b.Len(), b.At(1))
	b.Destroy(c)
})

// A block of structs. Its creator holds it until it releases it.
func ExampleMake() {
	start(func(c *edt.Ctx) {
		b, pixels := task.Make[pixel](c, 2)
		pixels[1] = pixel{Green: 255}
		b.Release(c)
		showPixels.New(c, task.Nothing{}, b.From())
	})
	// Output: 2 {0 255 0}
}

var addOne = task.Define2("example.add-one", func(c *edt.Ctx, then task.Event[int], b task.RW[int], _ task.After) {
	b.Slice()[0]++
	b.SendTo(c, then)
})

// A block that its creator does not touch goes to an EDT at once.
func ExampleReserve() {
	start(func(c *edt.Ctx) {
		result := task.Counted[int](c, 1)
		show.New(c, task.Nothing{}, result.From())
		addOne.New(c, result, task.Reserve[int](c, 1).From(), task.None[task.Nothing]())
	})
	// Output: 1
}

type title struct{ Page int32 }

var showPage = task.Define1("example.page", func(c *edt.Ctx, _ task.Nothing, b task.Const[task.Headed[title, byte]]) {
	fmt.Printf("%d: %s\n", task.Head(b).Page, task.Rest(b))
	b.Destroy(c)
})

// A block that begins with a struct, with bytes behind it.
func ExampleMakeHeaded() {
	start(func(c *edt.Ctx) {
		b, head, rest := task.MakeHeaded[title, byte](c, 4)
		head.Page = 7
		copy(rest, "text")
		b.Release(c)
		showPage.New(c, task.Nothing{}, b.From())
	})
	// Output: 7: text
}

var say = task.Define1("example.say", func(_ *edt.Ctx, n int, _ task.After) { fmt.Println(n) })

// A latch triggers when as many have counted down as up. It begins at 1 here, for the loop itself.
func ExampleLatch() {
	start(func(c *edt.Ctx) {
		done := task.NewLatch(c, 1)
		say.New(c, 3, done.After())
		for n := range 2 {
			done.Up(c)
			fmt.Println(n)
			done.Down(c)
		}
		done.Down(c)
	})
	// Output:
	// 0
	// 1
	// 3
}

// What an EDT waits for may be told later, by the ports of slots that were left open.
func ExampleOpen() {
	start(func(c *edt.Ctx) {
		result := task.Counted[int](c, 1)
		show.New(c, task.Nothing{}, result.From())
		e := addOne.New(c, result, task.Open[int](), task.Open[task.Nothing]())
		e.Slot0().Connect(c, task.Reserve[int](c, 1).From())
		e.Slot1().Signal(c)
	})
	// Output: 1
}

var ask = task.Define2("example.ask", func(c *edt.Ctx, said task.Event[int], answer task.RO[int], _ task.After) {
	fmt.Println("no answer:", answer.IsNull())
	said.Destroy(c)
})

// A sticky event serves every slot, also those that come late, until it is destroyed.
func ExampleSticky() {
	start(func(c *edt.Ctx) {
		said, first := task.Sticky[int](c), task.Counted[task.Nothing](c, 1)
		say.NewWith(c, task.Opt{Output: first}, 1, said.After())
		said.Signal(c)
		ask.New(c, said, said.From(), first.From())
	})
	// Output:
	// 1
	// no answer: true
}

// An event that is made where the EDT runs that waits for it.
func ExampleSticky_near() {
	start(func(c *edt.Ctx) {
		at := c.Place(c.Places() - 1)
		said, first := task.Sticky[int](c, at), task.Counted[task.Nothing](c, 1)
		say.NewWith(c, task.Opt{Output: first}, 1, said.After())
		said.Signal(c)
		ask.NewAt(c, at, said, said.From(), first.From())
	})
	// Output:
	// 1
	// no answer: true
}

var countdown = task.Declare0[int]("example.countdown")

var _ = countdown.Body(func(c *edt.Ctx, n int) {
	fmt.Println(n)
	if n > 1 {
		countdown.Again(c, n-1)
	}
})

// An EDT goes on as one with other parameters.
func ExampleTask0_Again() {
	start(func(c *edt.Ctx) { countdown.New(c, 3) })
	// Output:
	// 3
	// 2
	// 1
}

// Package edt names tasks by their templates.
func ExampleTask0_Template() {
	fmt.Println(countdown.Template().Name())
	// Output: example.countdown
}

var parts1 = task.Define0("example.parts", func(c *edt.Ctx, n int) {
	for k := range n {
		say.New(c, k, task.None[task.Nothing]())
	}
})

// A finish EDT: its output event comes when all that was created below it has ended.
func ExampleOpt() {
	start(func(c *edt.Ctx) {
		ended := task.Once[task.Nothing](c)
		say.New(c, 100, ended.From())
		parts1.NewWith(c, task.Opt{Finish: true, Output: ended}, 1)
	})
	// Output:
	// 0
	// 100
}

// An EDT on a worker of one's choice.
func ExampleTask1_NewAt() {
	start(func(c *edt.Ctx) {
		say.NewAt(c, c.Place(0), 5, task.None[task.Nothing]())
	})
	// Output: 5
}

var producer = task.Define0("example.producer", func(c *edt.Ctx, to task.Event[int]) {
	for n := range 2 {
		b, v := task.Make[int](c, 1)
		v[0] = n
		to.Send(c, b)
	}
})

// A channel event brings each block to one slot, in order.
func ExampleChannel() {
	start(func(c *edt.Ctx) {
		channel := task.Channel[int](c, 2)
		producer.New(c, channel)
		first, second := task.Counted[int](c, 1), task.Counted[int](c, 1)
		addOne.New(c, first, channel.From(), task.None[task.Nothing]())
		addOne.New(c, second, channel.From(), first.After())
		show.New(c, task.Nothing{}, second.From())
	})
	// Output: 2
}

var forward = task.Define2("example.forward",
	func(c *edt.Ctx, _ task.Nothing, b task.Ref[int], to task.RO[task.Event[int]]) {
		to.At(0).Pass(c, b.Block())
		to.Destroy(c)
	})

// An EDT that has no access to a block passes it on, to an event whose name lies in another block.
func ExampleRef() {
	start(func(c *edt.Ctx) {
		result, where := task.Counted[int](c, 1), task.Counted[task.Event[int]](c, 1)
		show.New(c, task.Nothing{}, result.From())
		b, v := task.Make[int](c, 1)
		v[0] = 12
		b.Release(c)
		forward.New(c, task.Nothing{}, b.From(), where.From())
		name, events := task.Make[task.Event[int]](c, 1)
		events[0] = result
		where.Send(c, name)
	})
	// Output: 12
}

var visit = task.Define0("example.visit", func(c *edt.Ctx, p [2]int) { c.Abort(7) })

var _ = visit.Label(func(p [2]int) string { return fmt.Sprintf("%d/%d", p[0], p[1]) })

// Errors, reports, traces and drawings name an EDT by its label.
func ExampleTask0_Label() {
	err := runtime.Run(context.Background(), task.Main(func(c *edt.Ctx) { visit.New(c, [2]int{3, 7}) }))
	_, which, _ := strings.Cut(err.Error(), "of template ")
	fmt.Println(which[:len("example.visit (3/7)")])
	// Output: example.visit (3/7)
}
