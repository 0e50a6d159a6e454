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

// A loop whose body uses variables of the function around it.
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

var scale = par.DefineFor1("example.scale", func(_ *edt.Ctx, by int, x task.RW[int], lo, hi int) {
	for i := lo; i < hi; i++ {
		x.Slice()[i] *= by
	}
})

// A loop over a block, which an EDT prints when the loop has ended.
func ExampleFor1() {
	start(func(c *edt.Ctx) {
		b, done := task.Of(c, 3, 1, 4, 1, 5), par.Future[task.Nothing](c)
		b.Release(c)
		task.Go1(c, done.From(), func(c *edt.Ctx, _ task.After) {
			task.Go1(c, b.From(), func(c *edt.Ctx, x task.RO[int]) {
				fmt.Println(x.Slice())
				x.Destroy(c)
			})
		})
		scale.For(c, 2, 0, 5, 2, done, b.From())
	})
	// Output: [6 2 8 2 10]
}

// A sum of floats that has the same bits on any number of workers.
func ExampleFixedGrain() {
	numbers := []float64{1e16, 1, -1e16, 1}
	start(func(c *edt.Ctx) {
		sum := par.Future[floats](c)
		task.Go1(c, sum.From(), func(c *edt.Ctx, v par.Value[floats]) { fmt.Println(v.Take(c).Sum) })
		par.For(c, 0, len(numbers), par.FixedGrain(len(numbers)), floatSum.Group(c, floats{}, sum).Output,
			func(c *edt.Ctx, lo, hi int) {
				for _, x := range numbers[lo:hi] {
					floatSum.Value(c).Sum += x
				}
			})
	})
	// Output: 0
}
