//go:build ignore

// Command pipe sends numbers from one EDT to another, with no more than two on the way, and then the end.
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

func start(c *edt.Ctx) {
	next := 0
	squares := par.From(c, 2, func(c *edt.Ctx) (b task.Block[int], more bool) { // called when there is room
		if next++; next > 4 {
			return b, false
		}
		return task.Of(c, next*next), true
	})
	par.To(c, squares, func(_ *edt.Ctx, x []int) { fmt.Println(x[0]) }, func(*edt.Ctx) { fmt.Println("end") })
}

func main() {
	if err := runtime.Run(context.Background(), task.Main(start)); err != nil {
		log.Fatal(err)
	}
}
