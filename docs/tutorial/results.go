//go:build ignore

// Command results counts the letters of a text: each EDT counts in a part of it, and main gets the sum.
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

const text = "the quick brown fox jumps over the lazy dog"

type counts [32]int

var total = par.DefineReduce("results.total", func(into, from *counts) {
	for k, n := range from {
		into[k] += n
	}
})

var count = par.DefineFor0("results.count", func(c *edt.Ctx, _ task.Nothing, lo, hi int) {
	letters := total.Value(c)
	for k := lo; k < hi; k++ {
		letters[text[k]%32]++
	}
})

func main() {
	sum, err := task.Run(context.Background(), runtime.With(), func(c *edt.Ctx, out task.Event[counts]) {
		count.For(c, task.Nothing{}, 0, len(text), 16, total.Group(c, counts{}, out).Output)
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("e:", sum['e'%32])
}
