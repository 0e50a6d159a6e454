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
		p.To.Send(c, task.Of(c, p.N))
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
	stepper.AgainLast(c, next.From()) // slot 0 keeps its block
	next.Signal(c)
})

// The running EDT goes on as a new one, with another source for its last slot.
func ExampleTask2_AgainLast() {
	start(func(c *edt.Ctx) {
		stepper.New(c, task.Nothing{}, number(c, 3).From(), task.None[task.Nothing]())
	})
	// Output:
	// 2
	// 1
	// lift off
}

var reader = task.Declare1[task.Event[int], task.RO[int]]("example.reader")

var _ = reader.Body(func(c *edt.Ctx, messages task.Event[int], message task.RO[int]) {
	if message.IsNull() {
		messages.Destroy(c)
		return
	}
	for _, v := range message.All() {
		fmt.Println(v)
	}
	message.Destroy(c)
	reader.Again(c, messages, messages.From())
})

// An EDT goes on with the next message of a channel event, until one comes that has no block.
func ExampleChannel() {
	start(func(c *edt.Ctx) {
		messages := task.Channel[int](c, 3)
		messages.Put(c, 3, 1)
		messages.Put(c, 4)
		messages.Signal(c)
		reader.New(c, messages, messages.From())
	})
	// Output:
	// 3
	// 1
	// 4
}

type columns struct{ First, Count int }

var fill = task.Define1("example.fill", func(c *edt.Ctx, n int, grid task.EW[task.Headed[columns, float64]]) {
	task.Head(grid).Count++
	task.Rest(grid)[n] = float64(n)
})

var total = task.DefineN("example.total", func(c *edt.Ctx, _ task.Nothing, _ task.After,
	grids task.List[task.RO[task.Headed[columns, float64]]]) {
	for i := range grids.Len() {
		fmt.Println(*task.Head(grids.At(i)), task.Rest(grids.At(i)))
		grids.At(i).Destroy(c)
	}
})

// Blocks that begin with a header, a task with a list of slots, and a latch that triggers when all EDTs have ended.
func ExampleTaskN() {
	start(func(c *edt.Ctx) {
		a, b := task.ReserveHeaded[columns, float64](c, 2), task.ReserveHeaded[columns, float64](c, 1)
		done := task.NewLatch(c, 3)
		total.New(c, task.Nothing{}, done.From(), []task.Source[task.Headed[columns, float64]]{a.From(), b.From()})
		for n, g := range []task.Block[task.Headed[columns, float64]]{a, a, b} {
			ended := task.Once[task.Nothing](c)
			c.AddDependence(ended.GUID, done.GUID, edt.Decr, 0) // package edt links two events
			fill.New(c, n%2, g.From(), task.Opt{Output: ended, Priority: 1})
		}
	})
	// Output:
	// {0 2} [0 1]
	// {0 1} [0]
}

var disk = edt.NewBlocking(2)

// If the function returns an error the run ends with it.
func ExampleBlockingDo() {
	err := runtime.Run(context.Background(), task.Main(func(c *edt.Ctx) {
		removed := task.BlockingDo(c, disk, func(context.Context) error { return os.Remove("/no/such/file") })
		task.Go1(c, removed.From(), func(*edt.Ctx, task.After) { fmt.Println("never printed") })
	}))
	fmt.Println(errors.Is(err, fs.ErrNotExist))
	// Output: true
}

// A block that begins with a struct, with numbers behind it.
func ExampleMakeHeaded() {
	start(func(c *edt.Ctx) {
		b, head, rest := task.MakeHeaded[columns, float64](c, 2)
		head.First, rest[1] = 7, 1.5
		b.Release(c)
		total.New(c, task.Nothing{}, task.None[task.Nothing](), []task.Source[task.Headed[columns, float64]]{b.From()})
	})
	// Output: {7 0} [0 1.5]
}

var countdown = task.Declare0[int]("example.countdown")

var _ = countdown.Body(func(c *edt.Ctx, n int) {
	fmt.Println(n)
	if n > 1 {
		countdown.Again(c, n-1)
	}
})

// Package edt names tasks by their templates.
func ExampleTask0_Template() {
	fmt.Println(countdown.Template().Name())
	// Output: example.countdown
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

type (
	rw = task.RW[int]
	ro = task.RO[int]
)

// Tasks with 0 to 4 slots, and with a list: plus1 to plus4 add to their first block.
var (
	hello = task.Define0("example.graph0", func(_ *edt.Ctx, text string2) { fmt.Print(text.String(), " ") })
	plus1 = task.Define1("example.graph1", func(_ *edt.Ctx, n int, to rw) { to.Slice()[0] += n })
	plus2 = task.Define2("example.graph2", func(_ *edt.Ctx, _ task.Nothing, to rw, a ro) { to.Slice()[0] += a.At(0) })
	plus3 = task.Define3("example.graph3", func(_ *edt.Ctx, _ task.Nothing, to rw, a, b ro) {
		to.Slice()[0] += a.At(0) + b.At(0)
	})
	plus4 = task.Define4("example.graph4", func(_ *edt.Ctx, _ task.Nothing, to rw, a, b, c ro) {
		to.Slice()[0] += a.At(0) + b.At(0) + c.At(0)
	})
	list = task.DefineN("example.graphN", func(_ *edt.Ctx, _ task.Nothing, _ task.After, all task.List[ro]) {
		fmt.Println(all.At(0).At(0), all.At(1).At(0), all.At(2).At(0))
	})
)

// A string2 is a text of two bytes: parameters are flat.
type string2 [2]byte

func (s string2) String() string { return string(s[:]) }

// A graph of tasks with one slot to four, and with a list.
func ExampleNewGraph() {
	start(func(c *edt.Ctx) {
		var x, y, z, one = number(c, 1), number(c, 0), number(c, 0), number(c, 1)
		g := task.NewGraph(c)
		begin := hello.Add(g, string2{'g', 'o'})
		a := plus1.Add(g, 10, x.From())
		b := plus2.Add(g, task.Nothing{}, y.From(), a.Pass0())
		d := plus3.Add(g, task.Nothing{}, z.From(), a.Pass0(), b.Pass0())
		e := plus4.Add(g, task.Nothing{}, d.Pass0(), a.Pass0(), b.Pass0(), one.From())
		end := list.Add(g, task.Nothing{}, task.None[task.Nothing](),
			[]task.Source[int]{a.Pass0(), b.Pass0(), e.Pass0()})
		end.After(begin)
		g.Seal(c) // Run does so too

		done := task.Once[task.Nothing](c)
		finish.New(c, task.Nothing{}, done.From())
		g.Run(c, 2, done)
	})
	// Output:
	// go 11 11 45
	// go 21 32 152
	// done
}

var finish = task.Define1("example.graph-done", func(*edt.Ctx, task.Nothing, task.After) { fmt.Println("done") })

// number makes a block of one number.
func number(c *edt.Ctx, n int) task.Block[int] {
	b := task.Of(c, n)
	b.Release(c)
	return b
}

// The caller receives the value of a recursion: the event out stands in for the Port that a child expects.
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

// RunAll returns all elements of a block. Of creates a block of copies, and Put sends one.
func ExampleRunAll() {
	all, err := task.RunAll(context.Background(), runtime.With(runtime.Check()), func(c *edt.Ctx, out task.Event[int]) {
		pair := task.Of(c, 3, 4)
		pair.Release(c)
		doubled.New(c, out, pair.From())
	})
	fmt.Println(all, err)
	// Output: [6 8] <nil>
}

// Bodies that use variables of the function around them: a task made for one run, and EDTs of one closure each.
func ExampleFunc1() {
	scale := 10
	n, err := task.Run(context.Background(), runtime.With(runtime.Check()), func(c *edt.Ctx, out task.Event[int]) {
		times := task.Func1(c, "times", func(c *edt.Ctx, to task.Event[int], x task.RW[int]) {
			x.Slice()[0] *= scale
			x.SendTo(c, to)
		})
		a, b, end := task.Counted[int](c, 2), task.Counted[int](c, 1), task.Once[task.Nothing](c)
		two := []task.Source[int]{a.From(), b.From()}
		task.GoN(c, end.From(), two, func(c *edt.Ctx, _ task.After, two task.List[task.RO[int]]) {
			out.Put(c, two.At(0).At(0)+two.At(1).At(0))
			two.At(0).Destroy(c)
			two.At(1).Destroy(c)
		})
		task.Go1(c, a.After(), func(c *edt.Ctx, _ task.After) { end.Signal(c) })
		x := task.Once[int](c)
		times.New(c, a, x.From())
		task.Go0(c, func(c *edt.Ctx) { x.Put(c, 1) })
		task.Go1(c, task.None[task.Nothing](), func(c *edt.Ctx, _ task.After) { b.Put(c, 2) })
	})
	fmt.Println(n, err)
	// Output: 12 <nil>
}

var told = task.Define1("example.told", func(_ *edt.Ctx, _ task.Nothing, b task.Ref[task.Nothing]) {
	fmt.Println("no block:", b.IsNull())
})

// A latch triggers when it has counted down as often as up. The source of a slot that was left open is named later, by
// the slot's port.
func ExampleLatch() {
	start(func(c *edt.Ctx) {
		l := task.NewLatch(c, 1)
		told.NewOpen(c, task.Nothing{}).Slot0().Connect(c, l.After())
		l.Up(c)
		l.Down(c)
		l.Down(c)
	})
	// Output: no block: true
}
