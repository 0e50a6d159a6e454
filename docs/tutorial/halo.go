//go:build ignore

// Command halo evens out numbers on a ring: strips of points go on with the ends of their neighbours.
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

const strips, size = 3, 4

// A strip has steps to go, channels to and from its neighbours, and an event for its result.
type strip struct {
	Steps                                int
	ToLeft, ToRight, FromLeft, FromRight task.Event[float64]
	Result                               task.Event[float64]
}

var relax = task.Declare3[strip, task.RW[float64], par.Value[float64], par.Value[float64]]("halo.relax")

var _ = relax.Body(func(c *edt.Ctx, p strip, points task.RW[float64], left, right par.Value[float64]) {
	x, before, last := points.Slice(), left.Take(c), right.Take(c)
	for i, v := range x {
		after := last
		if i+1 < size {
			after = x[i+1]
		}
		x[i], before = (before+v+after)/3, v
	}
	if p.Steps--; p.Steps == 0 {
		p.FromLeft.Destroy(c)
		p.FromRight.Destroy(c)
		points.SendTo(c, p.Result)
		return
	}
	par.Set(c, p.ToLeft, x[0])
	par.Set(c, p.ToRight, x[size-1])
	relax.Again(c, p, task.Source[float64]{}, p.FromLeft.From(), p.FromRight.From()) // slot 0 keeps its block
})

var show = task.Define1("halo.show", func(c *edt.Ctx, _ task.Nothing, points task.RO[float64]) {
	fmt.Printf("%.2f\n", points.Slice())
	points.Destroy(c)
})

func start(c *edt.Ctx) {
	var left, right, result [strips]task.Event[float64]
	for k := range strips {
		// A neighbour is one step ahead at most, so two messages may wait.
		left[k], right[k], result[k] = task.Channel[float64](c, 2), task.Channel[float64](c, 2), par.Future[float64](c)
	}
	for k := range strips {
		block, x := task.Make[float64](c, size)
		x[0] = float64(12 * k)
		par.Set(c, left[k], x[0]) // what the strip sends to its left
		par.Set(c, right[k], x[size-1])
		block.Release(c)

		before, after := (k+strips-1)%strips, (k+1)%strips
		p := strip{10, left[k], right[k], right[before], left[after], result[k]}
		relax.New(c, p, block.From(), p.FromLeft.From(), p.FromRight.From())
	}
	all := par.Future[float64](c)
	show.New(c, task.Nothing{}, all.From())
	par.All(c, all, result[:]...)
}

func main() {
	if err := runtime.Run(context.Background(), task.Main(start)); err != nil {
		log.Fatal(err)
	}
}

// Output:
// [1.77 1.64 1.87 2.37 3.00 3.63 4.12 4.36 4.23 3.73 3.00 2.27]
