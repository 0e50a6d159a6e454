package shared

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// Several EDTs of these bodies may run at the same time.

var hits, misses, total, depth int

// fork creates two of its own.
var fork = task.Declare0[int]("fork")

var _ = fork.Body(func(c *edt.Ctx, n int) {
	depth++ // want shared "the package's variable depth"
	if n > 0 {
		fork.New(c, n-1)
		fork.New(c, n-2)
	}
})

var row = task.Define1("row", func(c *edt.Ctx, n int, _ task.After) {
	hits++ // want shared "the package's variable hits"
	cell.New(c, n)
})

// cell has an EDT for each of row's.
var cell = task.Define0("cell", func(c *edt.Ctx, n int) {
	misses++ // want shared "the package's variable misses"
})

func rows(c *edt.Ctx) {
	fork.New(c, 5)
	start := task.Sticky[task.Nothing](c)
	for n := range 10 {
		row.New(c, n, start.After()) // one event for all orders none
	}
	start.Signal(c)
}

// A body may come through a function that makes the template, and the EDT, or wraps the body.

func launch(c *edt.Ctx, body func(c *edt.Ctx, in edt.Args), deps ...edt.Source) {
	t := c.NewTemplate("launch", 0, len(deps), func(c *edt.Ctx, in edt.Args) guid.GUID {
		body(c, in)
		return guid.Null
	})
	c.NewEDT(t, nil, deps...)
	c.DestroyTemplate(t)
}

func again(c *edt.Ctx, n int, body edt.Func) {
	t := c.NewTemplate("again", 0, 0, body)
	for range n {
		c.NewEDT(t, nil)
	}
}

func define(name string, body edt.Func) *edt.Template { return edt.NewTemplate(name, 0, 0, body) }

var defined = define("defined", func(c *edt.Ctx, in edt.Args) guid.GUID {
	total = 1 // want shared "the package's variable total"
	return guid.Null
})

func nothing(f func(c *edt.Ctx, in edt.Args)) edt.Func {
	return func(c *edt.Ctx, in edt.Args) guid.GUID {
		f(c, in)
		return guid.Null
	}
}

func launches(c *edt.Ctx, _ edt.Args) guid.GUID {
	sum, most, first, void := 0, 0, 0, 0
	wrapped := c.NewTemplate("wrapped", 0, 0, nothing(func(*edt.Ctx, edt.Args) {
		void++ // want shared "the captured variable void"
	}))
	launch(c, func(*edt.Ctx, edt.Args) { first = 1 })
	for n := range 10 {
		launch(c, func(*edt.Ctx, edt.Args) {
			sum += n // want shared "the captured variable sum"
		})
		c.NewEDT(defined, nil)
		c.NewEDT(wrapped, nil)
	}
	again(c, 3, func(*edt.Ctx, edt.Args) guid.GUID {
		most++ // want shared "the captured variable most"
		return guid.Null
	})
	_ = first
	return guid.Null
}

// A sink's method gets what EDTs have found.
type sink struct{ sum, n int }

func (s *sink) add(_ *edt.Ctx, in edt.Args) guid.GUID {
	s.sum += datablock.Slice[int](in.Dep(0))[0] // want shared "what s points to"
	return guid.Null
}

func oneSink(c *edt.Ctx) {
	s := &sink{}
	add := c.NewTemplate("add", 0, 1, s.add)
	for range 10 {
		c.NewEDT(add, nil, edt.From(c.NewBlockNoAcquire(8), datablock.RO))
	}
}
