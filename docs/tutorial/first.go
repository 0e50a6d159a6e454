//go:build ignore

// Command first is the README's first program: an EDT that greets the person in its parameters.
package main

import (
	"context"
	"fmt"
	"log"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
)

// greet is a task with a number as its parameter, and a slot on which it reads bytes.
var greet = task.Define1("greet", func(c *edt.Ctx, n int, who task.RO[byte]) {
	fmt.Printf("hello, %s (parameter %d)\n", who.Slice(), n)
	who.Destroy(c)
})

func start(c *edt.Ctx) {
	ready := task.Once[byte](c)   // An event that triggers once and brings a block of bytes,
	greet.New(c, 7, ready.From()) // and an EDT that waits for it.

	block, bytes := task.Make[byte](c, len("world")) // A data block,
	copy(bytes, "world")
	ready.Send(c, block) // released, and sent: the EDT can run.
}

func main() {
	if err := runtime.Run(context.Background(), task.Main(start), runtime.Workers(2)); err != nil {
		log.Fatal(err)
	}
}
