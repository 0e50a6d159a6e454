//go:build ignore

// Command recorded evens out numbers on a ring: a graph of two steps is recorded once, and run five times.
package main

import (
	"context"
	"fmt"
	"log"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
)

const strips, size = 3, 4

// relax computes a strip's next points from the present ones of the strip and its neighbours.
var relax = task.Define4("recorded.relax", func(_ *edt.Ctx, _ task.Nothing, to task.RW[float64],
	from, left, right task.RO[float64]) {
	before, x, y := left.At(size-1), append(from.Slice()[:size:size], right.At(0)), to.Slice()
	for i := range y {
		y[i] = (before + x[i] + x[i+1]) / 3
		before = x[i]
	}
})

type strip = task.Block[float64]

func start(c *edt.Ctx) {
	var even, odd [strips]strip // the points after an even number of steps, and after an odd one
	for k := range strips {
		block, x := task.Make[float64](c, size)
		x[0] = float64(12 * k)
		block.Release(c) // a run holds all blocks of its graph: an EDT that holds one would race with the nodes
		even[k], odd[k] = block, task.Reserve[float64](c, size)
	}
	graph := task.NewGraph(c)
	var first [strips]task.Node4[float64, float64, float64, float64]
	for k := range strips {
		before, after := (k+strips-1)%strips, (k+1)%strips
		first[k] = relax.Add(graph, task.Nothing{}, odd[k].From(), even[k].From(), even[before].From(), even[after].From())
	}
	for k := range strips {
		before, after := (k+strips-1)%strips, (k+1)%strips
		relax.Add(graph, task.Nothing{}, first[k].Pass1(), first[k].Pass0(), first[before].Pass0(), first[after].Pass0())
	}
	done, sources := task.Once[task.Nothing](c), []task.Source[float64]{even[0].From(), even[1].From(), even[2].From()}
	task.GoN(c, done.After(), sources, func(c *edt.Ctx, _ task.After, points task.List[task.RO[float64]]) {
		for k := range strips {
			fmt.Printf("%.2f\n", points.At(k).Slice())
			points.At(k).Destroy(c)
			odd[k].Destroy(c)
		}
		graph.Destroy(c)
	})
	graph.Run(c, 5, done)
}

func main() {
	if err := runtime.Run(context.Background(), task.Main(start)); err != nil {
		log.Fatal(err)
	}
}
