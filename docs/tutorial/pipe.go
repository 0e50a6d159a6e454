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

// A source has the pipe and the next number.
type source struct {
	Pipe par.Pipe[int]
	Next int
}

var produce = task.Declare1[source, par.Room[int]]("pipe.produce")

// The EDT runs when there is room in the pipe.
var _ = produce.Body(func(c *edt.Ctx, p source, room par.Room[int]) {
	if p.Next > 4 {
		room.Close(c, p.Pipe)
		return
	}
	b, v := task.Make[int](c, 1)
	v[0] = p.Next * p.Next
	room.Send(c, p.Pipe, b)
	produce.Again(c, source{p.Pipe, p.Next + 1}, p.Pipe.Room())
})

var consume = task.Declare1[par.Pipe[int], par.Item[int]]("pipe.consume")

// The EDT runs when a block has come, or the end.
var _ = consume.Body(func(c *edt.Ctx, p par.Pipe[int], item par.Item[int]) {
	if item.Ended() {
		fmt.Println("end")
		p.Destroy(c)
		return
	}
	fmt.Println(item.Slice()[0])
	item.Done(c, p) // room for one more
	consume.Again(c, p, p.From())
})

func start(c *edt.Ctx) {
	p := par.NewPipe[int](c, 2)
	produce.New(c, source{p, 1}, p.Room())
	consume.New(c, p, p.From())
}

func main() {
	if err := runtime.Run(context.Background(), task.Main(start)); err != nil {
		log.Fatal(err)
	}
}
