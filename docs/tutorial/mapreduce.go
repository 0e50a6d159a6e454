//go:build ignore

// Command mapreduce counts the letters of a text: each EDT counts in a part of it.
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

type counts [26]int

var total = par.DefineReduce("mapreduce.total", func(into, from *counts) {
	for k, n := range from {
		into[k] += n
	}
})

var count = par.DefineFor1("mapreduce.count", func(c *edt.Ctx, _ task.Nothing, text task.Const[byte], lo, hi int) {
	letters := total.Value(c)
	for _, b := range text.Slice()[lo:hi] {
		if 'a' <= b && b <= 'z' {
			letters[b-'a']++
		}
	}
})

var show = task.Define2("mapreduce.show", func(c *edt.Ctx, _ task.Nothing, sum par.Value[counts], text task.Ref[byte]) {
	for k, n := range sum.Take(c) {
		if n > 3 {
			fmt.Printf("%c %d\n", 'a'+k, n)
		}
	}
	text.Destroy(c)
})

func start(c *edt.Ctx) {
	const text = "the quick brown fox jumps over the lazy dog, and over the sleeping cat"
	block, bytes := task.Make[byte](c, len(text))
	copy(bytes, text)
	block.Release(c)

	sum := par.Future[counts](c)
	show.New(c, task.Nothing{}, sum.From(), block.From())
	count.For(c, task.Nothing{}, 0, len(text), 16, total.Group(c, counts{}, sum).Output, block.From())
}

func main() {
	if err := runtime.Run(context.Background(), task.Main(start)); err != nil {
		log.Fatal(err)
	}
}
