//go:build ignore

// Command events waits for the ends of EDTs, and leaves nothing behind.
package main

import (
	"context"
	"fmt"
	"log"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
)

var say = task.Define1("events.say", func(_ *edt.Ctx, n int, _ task.After) { fmt.Println("step", n) })

// family creates two EDTs, which may end later than it does.
var family = task.Define1("events.family", func(c *edt.Ctx, n int, _ task.After) {
	say.New(c, n, task.None[task.Nothing]())
	say.New(c, n, task.None[task.Nothing]())
})

// last destroys the sticky event.
var last = task.Define1("events.last", func(c *edt.Ctx, done task.Event[task.Nothing], _ task.After) {
	fmt.Println("last")
	done.Destroy(c)
})

func start(c *edt.Ctx) {
	// Create what waits for a once event before it triggers.
	first := task.Once[task.Nothing](c)
	// The EDT may end before the next line: a counted event stays.
	ended := task.Counted[task.Nothing](c, 1)
	say.New(c, 1, first.From(), task.Opt{Output: ended})
	first.Signal(c)

	// The output of a finish EDT triggers after it and all EDTs below it.
	done := task.Sticky[task.Nothing](c)
	family.New(c, 2, ended.From(), task.Opt{Output: done, Finish: true})
	last.New(c, done, done.From())
}

func main() {
	var report runtime.Report
	err := runtime.Run(context.Background(), task.Main(start), runtime.LeakReport(), runtime.Into(&report))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("left:", report.Leaks)
}
