package shared

import (
	"context"
	"sync/atomic"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/runtime"
	"ocr/task"
)

// One EDT at a time runs each of these bodies, or that is not known: they are right.

// An EDT that creates its successor.
var steps, turns int

var step = task.Declare0[int]("step")

var _ = step.Body(func(c *edt.Ctx, n int) {
	steps++
	if n > 1 {
		step.New(c, n-2)
	} else if n > 0 {
		step.New(c, n-1)
	}
})

// Two that create each other.
var ping, pong = task.Declare0[int]("ping"), task.Declare0[int]("pong")

var (
	_ = ping.Body(func(c *edt.Ctx, n int) { turns++; pong.New(c, n-1) })
	_ = pong.Body(func(c *edt.Ctx, n int) { turns++; ping.New(c, n-1) })
)

func chain(c *edt.Ctx, _ edt.Args) guid.GUID {
	step.New(c, 10)
	ping.New(c, 10)
	count := 0
	var next *edt.Template
	next = c.NewTemplate("next", 0, 0, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		if count++; count < 10 {
			c.NewEDT(next, nil)
		}
		return guid.Null
	})
	c.NewEDT(next, nil)
	return guid.Null
}

// A chain that is made beforehand: each waits for the one before.
var links int

var link = task.Define1("link", func(c *edt.Ctx, next task.Event[task.Nothing], _ task.After) {
	links++
	next.Signal(c)
})

func linked(c *edt.Ctx) {
	first := task.Once[task.Nothing](c)
	before := first
	for range 10 {
		next := task.Once[task.Nothing](c)
		link.New(c, next, before.After())
		before = next
	}
	last := task.Once[task.Nothing](c)
	link.New(c, last, before.After())
	first.Signal(c)
}

// The last EDT sets the result.
var result int

var last = task.Define1("last", func(c *edt.Ctx, _ task.Nothing, x task.RO[int]) { result = x.At(0) })

func run() (int, error) {
	captured := 0
	for range 2 { // runs follow each other
		err := runtime.Run(context.Background(), task.Main(func(c *edt.Ctx) {
			last.New(c, task.Nothing{}, task.Reserve[int](c, 1).From())
			launch(c, func(_ *edt.Ctx, in edt.Args) { captured = datablock.Slice[int](in.Dep(0))[0] },
				edt.From(c.NewBlockNoAcquire(8), datablock.RO))
		}))
		if err != nil {
			return 0, err
		}
	}
	return result + captured, nil
}

// Each sink has an EDT.
func (s *sink) take(_ *edt.Ctx, in edt.Args) guid.GUID {
	s.n = datablock.Slice[int](in.Dep(0))[0]
	return guid.Null
}

// A sink takes one item after the other.
type stream struct {
	sum  int
	next *edt.Template
	from guid.GUID
}

func (s *stream) take(c *edt.Ctx, in edt.Args) guid.GUID {
	if in.Dep(0).IsNull() {
		return guid.Null
	}
	s.sum += datablock.Slice[int](in.Dep(0))[0]
	c.NewEDT(s.next, nil, edt.From(s.from, datablock.RO))
	return guid.Null
}

func (s *stream) all(c *edt.Ctx, _ task.Nothing, x task.RO[int]) { s.sum = x.At(0) }

func streams(c *edt.Ctx) {
	s := &stream{from: c.NewChannel(4)}
	s.next = c.NewTemplate("take", 0, 1, s.take)
	c.NewEDT(s.next, nil, edt.From(s.from, datablock.RO))
	all := task.Define1("all", s.all)
	all.New(c, task.Nothing{}, task.Reserve[int](c, 1).From())
}

func sinks(c *edt.Ctx, all []*sink) {
	for _, s := range all {
		take := c.NewTemplate("take", 0, 1, s.take)
		c.NewEDT(take, nil, edt.From(c.NewBlockNoAcquire(8), datablock.RO))
		own := 0
		launch(c, func(*edt.Ctx, edt.Args) { own++ })
	}
}

// Each call of a function has its own variable.
func rounds(c *edt.Ctx, n int) {
	own := 0
	launch(c, func(*edt.Ctx, edt.Args) { own++ })
	if n > 0 {
		rounds(c, n-1)
	}
}

// Other bodies come through the same functions, and have several EDTs.
var once1, once2 int

var definedOnce = define("once", func(c *edt.Ctx, in edt.Args) guid.GUID {
	once1++
	return guid.Null
})

func others(c *edt.Ctx) {
	rounds(c, 3)
	rounds(c, 4)
	c.NewEDT(definedOnce, nil)
	one := c.NewTemplate("one", 0, 0, nothing(func(*edt.Ctx, edt.Args) { once2++ }))
	c.NewEDT(one, nil)
}

// An EDT that waits, of one of several that does not.
var afterAll int

var waited = task.Define0("waited", func(c *edt.Ctx, all task.Event[task.Nothing]) {
	launch(c, func(*edt.Ctx, edt.Args) { afterAll++ }, edt.From(all.GUID, datablock.Null))
})

func waitedFor(c *edt.Ctx, all task.Event[task.Nothing]) {
	for range 10 {
		waited.New(c, all)
	}
}

// What a body's own function writes is the body's, also if it gets the Ctx.
var counted = task.Define0("counted", func(c *edt.Ctx, n int) {
	sum := 0
	add := func(c *edt.Ctx, n int) { sum += n }
	add(c, n)
	add(c, 2*n)
	each(c, func(_ *edt.Ctx, k int) { sum += k })
})

func each(c *edt.Ctx, f func(c *edt.Ctx, k int)) {
	for k := range 3 {
		f(c, k)
	}
}

func manyCounted(c *edt.Ctx) {
	for n := range 10 {
		counted.New(c, n)
	}
}

// A task for others: how many EDTs they create is not known.
var Exported = task.Define0("exported", func(c *edt.Ctx, n int) { steps = n })

// The one of several for which two values are equal.
var ended atomic.Int64

var lastOfAll = task.Define0("last of all", func(c *edt.Ctx, n int) {
	if ended.Add(1) == 10 {
		result = n
	}
	if n != 0 {
		return
	}
	first(n)
})

func first(n int) { result = n }

func lasts(c *edt.Ctx) {
	for n := range 10 {
		lastOfAll.New(c, n)
	}
}

// One of two.
var either = task.Define0("either", func(c *edt.Ctx, n int) { turns = n })

func oneOf(c *edt.Ctx, n int) {
	if n > 0 {
		either.New(c, 1)
	} else {
		either.New(c, 2)
	}
}
