package par_test

import (
	"testing"

	"ocr/edt"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
	"ocr/task"
	"ocr/task/par"
)

// An EDT of chain calls a function that returns a future, and creates the next EDT of chain, which waits for it.
var chain = task.Declare1[int, par.Value[int]]("test.chain")

var _ = chain.Body(func(c *edt.Ctx, left int, v par.Value[int]) {
	next := squareOf(c, v.Take(c))
	if left == 0 {
		drop.New(c, task.Nothing{}, next.From())
		return
	}
	chain.New(c, left-1, next.From())
})

var drop = task.Define1("test.drop", func(c *edt.Ctx, _ task.Nothing, v par.Value[int]) { v.Take(c) })

// TestAllocations: the repeated calls allocate nothing.
func TestAllocations(t *testing.T) {
	for name, graph := range map[string]func(n int) func(c *edt.Ctx){
		"for": func(n int) func(c *edt.Ctx) {
			return func(c *edt.Ctx) {
				b := task.Reserve[int](c, 16*n)
				minimum.For(c, 1, 0, n, 1, least.Group(c, 0, taker(c)).Output)
				number1.For(c, 16, 0, 16*n, 16, task.Event[task.Nothing]{}, b.From())
			}
		},
		"calls": func(n int) func(c *edt.Ctx) {
			return func(c *edt.Ctx) { chain.New(c, n, squareOf(c, 1).From()) }
		},
	} {
		count := func(n int) float64 {
			return testing.AllocsPerRun(5, func() {
				if err := runtime.Run(t.Context(), program(graph(n)), runtime.Workers(1)); err != nil {
					t.Error(err)
				}
			})
		}
		more := testrun.Sized(2000, 20_000, 20_000)
		few, many := count(300), count(more)
		if many > few+100 { // Try again: a loaded machine's timers allocate too. What each call allocates shows twice.
			many = count(more)
		}
		if many > few+100 {
			t.Errorf("%s: %v allocations for 300, %v for %d", name, few, many, more)
		}
	}
}
