package task_test

import (
	"fmt"

	"ocr/edt"
	"ocr/task"
)

type (
	rw = task.RW[int]
	ro = task.RO[int]
)

// Tasks with 0 to 4 slots and with lists: each adds what it reads to its first block.
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
	list = task.DefineN("example.graphN", func(_ *edt.Ctx, _ task.Nothing, _ task.After, all task.List[ro],
		_ task.List[task.After]) {
		fmt.Println(all.At(0).At(0), all.At(1).At(0), all.At(2).At(0))
	})
)

// A string2 is a text of two letters: parameters are flat.
type string2 [2]byte

func (s string2) String() string { return string(s[:]) }

// A graph over three blocks and an input, which is another block in each call of Run.
func ExampleNewGraph() {
	start(func(c *edt.Ctx) {
		var x, y, z, one = number(c, 1), number(c, 0), number(c, 0), number(c, 1)
		g := task.NewGraph(c)
		in := task.Input[int](g)
		begin := hello.Add(g, string2{'g', 'o'})
		a := plus1.Add(g, 10, x.From())
		b := plus2.Add(g, task.Nothing{}, y.From(), a.Pass0())
		d := plus3.Add(g, task.Nothing{}, z.From(), a.Pass0(), b.Pass0())
		e := plus4.Add(g, task.Nothing{}, d.Pass0(), a.Pass0(), b.Pass0(), in)
		end := list.Add(g, task.Nothing{}, task.None[task.Nothing](),
			[]task.Source[int]{a.Pass0(), b.Pass0(), e.Pass0()}, nil)
		end.After(begin)
		g.Seal(c) // Run does so too

		done := task.Once[task.Nothing](c)
		finish.New(c, task.Nothing{}, done.From())
		g.Run(c, 2, done, one.GUID)
	})
	// Output:
	// go 11 11 45
	// go 21 32 152
	// done
}

var finish = task.Define1("example.graph-done", func(*edt.Ctx, task.Nothing, task.After) { fmt.Println("done") })

func number(c *edt.Ctx, n int) task.Block[int] {
	b, v := task.Make[int](c, 1)
	v[0] = n
	b.Release(c)
	return b
}
