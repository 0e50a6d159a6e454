package par_test

import (
	"context"
	"fmt"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
	"ocr/task/par"
)

// start runs a program on two workers.
func start(body func(c *edt.Ctx)) {
	if err := runtime.Run(context.Background(), task.Main(body), runtime.Workers(2)); err != nil {
		fmt.Println(err)
	}
}

// show prints a block of any length.
var show = task.Define1("example.show", func(c *edt.Ctx, _ task.Nothing, b task.RO[int]) {
	fmt.Println(b.Slice())
	b.Destroy(c)
})

// printed is an event whose block is printed.
func printed(c *edt.Ctx) task.Event[int] {
	e := par.Future[int](c)
	show.New(c, task.Nothing{}, e.From())
	return e
}

// A loop whose body uses what its function has captured.
func ExampleFor() {
	start(func(c *edt.Ctx) {
		names, lengths := []string{"EDT", "event", "data block"}, make([]int, 3)
		done := par.Future[task.Nothing](c)
		task.Go1(c, done.From(), func(*edt.Ctx, task.After) { fmt.Println(lengths) })
		par.For(c, 0, len(names), par.Grain(c, len(names)), done, func(_ *edt.Ctx, lo, hi int) {
			for i := lo; i < hi; i++ {
				lengths[i] = len(names[i])
			}
		})
	})
	// Output: [3 5 10]
}

var (
	length = par.DefineFunc("example.length", func(_ *edt.Ctx, p [2]int) int { return p[0]*p[0] + p[1]*p[1] })
	add    = task.Define2("example.add", func(c *edt.Ctx, to task.Event[int], a, b par.Value[int]) {
		par.Set(c, to, a.Take(c)+b.Take(c))
	})
)

// Two calls, and an EDT that adds up what they return.
func ExampleFunc() {
	start(func(c *edt.Ctx) {
		add.New(c, printed(c), length.Call(c, [2]int{3, 4}).From(), length.Call(c, [2]int{1, 1}).From())
	})
	// Output: [27]
}

var first = task.Define1("example.first", func(c *edt.Ctx, late task.Event[int], n par.Value[int]) {
	fmt.Println(n.Take(c))
	par.Set(c, late, 0) // comes second, and is destroyed
})

// The first value that comes.
func ExampleAny() {
	start(func(c *edt.Ctx) {
		then, late := par.Future[int](c), par.Future[int](c)
		first.New(c, late, then.From())
		par.Any(c, then, late, length.Call(c, [2]int{3, 4}))
	})
	// Output: 25
}

var double = par.DefineMap("example.double", func(by, n int) int { return by * n })

// A function of every element of a block.
func ExampleMap() {
	start(func(c *edt.Ctx) {
		b, v := task.Make[int](c, 5)
		copy(v, []int{3, 1, 4, 1, 5})
		b.Release(c)
		double.Map(c, 2, b.From(), 2, printed(c))
	})
	// Output: [6 2 8 2 10]
}

type counting struct {
	Pipe par.Pipe[int]
	Next int
}

var (
	send = task.Declare1[counting, par.Room[int]]("example.send")
	_    = send.Body(func(c *edt.Ctx, p counting, room par.Room[int]) {
		if p.Next > 3 {
			room.Close(c, p.Pipe)
			return
		}
		b, v := task.Make[int](c, 1)
		v[0] = p.Next
		room.Send(c, p.Pipe, b)
		send.Again(c, counting{p.Pipe, p.Next + 1}, p.Pipe.Room())
	})
	receive = task.Declare1[par.Pipe[int], par.Item[int]]("example.receive")
	_       = receive.Body(func(c *edt.Ctx, p par.Pipe[int], item par.Item[int]) {
		if item.Ended() {
			fmt.Println("end")
			p.Destroy(c)
			return
		}
		fmt.Println(item.Slice()[0])
		if item.Slice()[0] == 2 {
			item.Keep(c, p) // the block stays this EDT's
			item.Destroy(c)
		} else {
			item.Done(c, p)
		}
		receive.Again(c, p, p.From())
	})
)

// One EDT sends numbers, another prints them; no more than two are in between.
func ExamplePipe() {
	start(func(c *edt.Ctx) {
		p := par.NewPipe[int](c, 2)
		send.New(c, counting{p, 1}, p.Room())
		receive.New(c, p, p.From())
	})
	// Output:
	// 1
	// 2
	// 3
	// end
}

// A pipe of three stages: numbers, their squares, and a sum that is printed at the end. What a stage captures is its
// own.
func ExampleFrom() {
	start(func(c *edt.Ctx) {
		next, sum := 0, 0
		numbers := par.From(c, 2, func(c *edt.Ctx) (task.Block[int], bool) {
			next++
			return task.Of(c, next), next < 4
		})
		squares := par.Through(c, numbers, 2, func(c *edt.Ctx, in []int) task.Block[int] {
			return task.Of(c, in[0]*in[0])
		})
		par.To(c, squares, func(_ *edt.Ctx, in []int) { sum += in[0] }, func(*edt.Ctx) { fmt.Println(sum) })
	})
	// Output: 14
}

// A sum of floats that has the same bits on any number of workers.
func ExampleFixedGrain() {
	numbers := []float64{1e16, 1, -1e16, 1}
	start(func(c *edt.Ctx) {
		sum := par.Future[float64](c)
		task.Go1(c, sum.From(), func(c *edt.Ctx, v par.Value[float64]) { fmt.Println(v.Take(c)) })
		par.For(c, 0, len(numbers), par.FixedGrain(len(numbers)), exampleSum.Group(c, 0, sum).Output,
			func(c *edt.Ctx, lo, hi int) {
				for _, x := range numbers[lo:hi] {
					*exampleSum.Value(c) += x
				}
			})
	})
	// Output: 0
}

var exampleSum = par.DefineReduce("example.float-sum", func(into, from *float64) { *into += *from })
