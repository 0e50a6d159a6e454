//go:build ignore

// Command search runs a faulty program in different orders, and a right one in all.
package main

import (
	"fmt"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/task"
)

var work = task.Define0("search.work", func(*edt.Ctx, task.Nothing) {})

var after = task.Define1("search.after", func(*edt.Ctx, task.Nothing, task.After) {})

// program waits for the end of an EDT, by the output event that the function creates.
func program(output func(c *edt.Ctx) task.Event[task.Nothing]) edttest.Program {
	return func(*edttest.Trial) edt.Func {
		return task.Main(func(c *edt.Ctx) {
			ended := output(c)
			work.New(c, task.Nothing{}, task.Opt{Output: ended})
			after.New(c, task.Nothing{}, ended.From())
		})
	}
}

func main() {
	once := func(c *edt.Ctx) task.Event[task.Nothing] { return task.Once[task.Nothing](c) }
	fmt.Println(edttest.Search(program(once)))

	counted := func(c *edt.Ctx) task.Event[task.Nothing] { return task.Counted[task.Nothing](c, 1) }
	fmt.Println(edttest.Search(program(counted), edttest.NoLeaks(), edttest.Pruned()))
}
