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

var squares = par.DefineFor1("example.squares", func(_ *edt.Ctx, add int, b task.RW[int], lo, hi int) {
	for i := lo; i < hi; i++ {
		b.Slice()[i] = i*i + add
	}
})

var showAfter = task.Define2("example.show-after", func(c *edt.Ctx, _ task.Nothing, _ task.After, b task.RO[int]) {
	fmt.Println(b.Slice())
	b.Destroy(c)
})

// A loop over the elements of a block, in EDTs of 3 elements each.
func ExampleFor1() {
	start(func(c *edt.Ctx) {
		b := task.Reserve[int](c, 10)
		done := task.Once[task.Nothing](c)
		showAfter.New(c, task.Nothing{}, done.From(), b.From())
		squares.For(c, 1, 0, 10, 3, done, b.From())
	})
	// Output: [1 2 5 10 17 26 37 50 65 82]
}

// A loop whose body uses what its function has captured.
func ExampleFor() {
	start(func(c *edt.Ctx) {
		names, lengths := []string{"EDT", "event", "data block"}, make([]int, 3)
		done := par.Future[task.Nothing](c)
		task.Go1(c, done.From(), func(*edt.Ctx, task.After) { fmt.Println(lengths) })
		par.For(c, 0, len(names), 1, done, func(_ *edt.Ctx, lo, hi int) {
			for i := lo; i < hi; i++ {
				lengths[i] = len(names[i])
			}
		})
	})
	// Output: [3 5 10]
}

var greet = par.DefineFor0("example.greet", func(_ *edt.Ctx, greeting [2]byte, lo, hi int) {
	for i := lo; i < hi; i++ {
		fmt.Printf("%s %d\n", greeting[:], i)
	}
})

// A loop without slots.
func ExampleFor0() {
	start(func(c *edt.Ctx) {
		greet.For(c, [2]byte{'h', 'i'}, 1, 5, 2, task.Event[task.Nothing]{})
	})
	// Unordered output:
	// hi 1
	// hi 2
	// hi 3
	// hi 4
}

// The grain of a long loop, and of a short one.
func ExampleGrain() {
	start(func(c *edt.Ctx) {
		fmt.Println(par.Grain(c, 16000*c.Places()), par.Grain(c, 3))
	})
	// Output: 2000 1
}

var axpy = par.DefineFor2("example.axpy", func(_ *edt.Ctx, a int, x task.RO[int], y task.RW[int], lo, hi int) {
	for i, v := range x.Slice()[lo:hi] {
		y.Slice()[lo+i] += a * v
	}
})

// A loop over two blocks, which waits for one of them.
func ExampleFor2() {
	start(func(c *edt.Ctx) {
		x, y, done := par.Future[int](c), task.Reserve[int](c, 4), task.Once[task.Nothing](c)
		showAfter.New(c, task.Nothing{}, done.From(), y.From())
		axpy.For(c, 10, 0, 4, 2, done, x.From(), y.From())
		b, v := task.Make[int](c, 4)
		copy(v, []int{1, 2, 3, 4})
		x.Send(c, b)
	})
	// Output: [10 20 30 40]
}

var multiply = par.DefineFor3("example.multiply",
	func(_ *edt.Ctx, _ task.Nothing, a, b task.RO[int], out task.RW[int], lo, hi int) {
		for i := lo; i < hi; i++ {
			out.Slice()[i] = a.At(i) * b.At(i)
		}
	})

// A loop over three blocks, of which two may be the same.
func ExampleFor3() {
	start(func(c *edt.Ctx) {
		a, v := task.Make[int](c, 4)
		copy(v, []int{1, 2, 3, 4})
		a.Release(c)
		out, done := task.Reserve[int](c, 4), task.Once[task.Nothing](c)
		showAfter.New(c, task.Nothing{}, done.From(), out.From())
		multiply.For(c, task.Nothing{}, 0, 4, 1, done, a.From(), a.From(), out.From())
	})
	// Output: [1 4 9 16]
}

var (
	sums      = par.DefineReduce("example.sums", func(into, from *int) { *into += *from })
	multiples = par.DefineFor0("example.multiples", func(c *edt.Ctx, of, lo, hi int) {
		for i := lo; i < hi; i++ {
			if i%of == 0 {
				*sums.Value(c) += i
			}
		}
	})
)

// A sum over a loop.
func ExampleReduce() {
	start(func(c *edt.Ctx) {
		multiples.For(c, 3, 0, 1000, 100, sums.Group(c, 0, printed(c)).Output)
	})
	// Output: [166833]
}

// A board is the upper rows of a chess board with a queen in each: which columns and diagonals they take.
type board struct{ N, Row, Columns, Left, Right uint32 }

func (b board) free() uint32 { return (1<<b.N - 1) &^ (b.Columns | b.Left | b.Right) }

func (b board) place(q uint32) board {
	return board{b.N, b.Row + 1, b.Columns | q, (b.Left | q) << 1, (b.Right | q) >> 1}
}

var queens = task.Declare0[board]("example.queens")

var _ = queens.Body(func(c *edt.Ctx, b board) {
	if b.Row == b.N {
		*sums.Value(c)++
	}
	for free := b.free(); free != 0; free &= free - 1 {
		queens.New(c, b.place(free&-free))
	}
})

// A sum over a tree: in how many ways do 8 queens stand on a chess board?
func ExampleReduce_Group() {
	start(func(c *edt.Ctx) {
		queens.NewWith(c, sums.Group(c, 0, printed(c)), board{N: 8})
	})
	// Output: [92]
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

// A value that is there later.
func ExampleFuture() {
	start(func(c *edt.Ctx) {
		a, b := par.Future[int](c), par.Future[int](c)
		add.New(c, printed(c), a.From(), b.From())
		par.Set(c, a, 40)
		par.Set(c, b, 2)
	})
	// Output: [42]
}

// All values, in order.
func ExampleAll() {
	start(func(c *edt.Ctx) {
		par.All(c, printed(c), length.Call(c, [2]int{3, 4}), length.Call(c, [2]int{0, 1}), length.Call(c, [2]int{1, 1}))
	})
	// Output: [25 1 2]
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
		item.Done(c, p)
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

type keeping struct {
	Pipe par.Pipe[int]
	To   task.Event[int]
}

var (
	keep = task.Declare1[keeping, par.Item[int]]("example.keep")
	_    = keep.Body(func(c *edt.Ctx, p keeping, item par.Item[int]) {
		if item.Ended() {
			p.Pipe.Destroy(c)
			return
		}
		item.Keep(c, p.Pipe)
		item.SendTo(c, p.To)
		keep.Again(c, p, p.Pipe.From())
	})
)

// A block that has come through a pipe is sent on.
func ExampleItem_Keep() {
	start(func(c *edt.Ctx) {
		p := par.NewPipe[int](c, 1)
		keep.New(c, keeping{p, printed(c)}, p.From())
		send.New(c, counting{p, 3}, p.Room())
	})
	// Output: [3]
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
