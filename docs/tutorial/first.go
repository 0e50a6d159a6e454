//go:build ignore

// Command first is the README's first program: an EDT counts letters in a data block, for main.
package main

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
)

// count is a task with the event for its result as parameter, and a slot on which it reads bytes.
var count = task.Define1("count", func(c *edt.Ctx, out task.Event[int], text task.RO[byte]) {
	out.Put(c, bytes.Count(text.Slice(), []byte("o")))
	text.Destroy(c)
})

func start(c *edt.Ctx, out task.Event[int]) {
	text := task.Once[byte](c)             // An event that triggers once and brings a block,
	count.New(c, out, text.From())         // and an EDT that waits for it.
	text.Put(c, []byte("hello, world")...) // A block of bytes, sent: the EDT can run.
}

func main() {
	n, err := task.Run(context.Background(), runtime.With(runtime.Workers(2)), start)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("o is there", n, "times")
}
