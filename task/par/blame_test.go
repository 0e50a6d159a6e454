package par_test

import (
	"errors"
	goruntime "runtime"
	"strings"
	"testing"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
	"ocr/task/par"
)

// blamed is the line of the call that is wrong.
var blamed int

// wrong makes that call, which stands in the line in which wrong is called.
func wrong(call func()) {
	_, _, blamed, _ = goruntime.Caller(1)
	call()
}

var (
	uses    = task.Define1("blame.uses", func(c *edt.Ctx, _ task.Nothing, b task.RO[int]) { b.Destroy(c) })
	doubled = par.DefineMap("blame.doubled", func(_ int, x int) int { return 2 * x })
	value   = par.DefineFunc("blame.value", func(*edt.Ctx, int) int { return 1 })
	summed  = par.DefineReduce("blame.sum", func(into, from *int) { *into += *from })
	grows   = task.Define0("blame.adds", func(c *edt.Ctx, _ task.Nothing) { *summed.Value(c)++ })
	again1  = task.Declare1[int, task.After]("blame.again1")
	again4  = task.Declare4[int, task.After, task.After, task.After, task.RW[int]]("blame.again4")
	againN  = task.DeclareN[int, task.After, task.After, task.After]("blame.againN")
)

// gone makes an event that goes when the body ends, and what is found wrong then.
func gone(c *edt.Ctx, goOn func(e task.Source[task.Nothing])) {
	e := task.Sticky[task.Nothing](c)
	goOn(e.From())
	e.Destroy(c)
}

var (
	_ = again1.Body(func(c *edt.Ctx, n int, _ task.After) {
		gone(c, func(e task.Source[task.Nothing]) {
			if n == 0 {
				wrong(func() { again1.Again(c, 1, e) })
			} else {
				wrong(func() { again1.Again0(c, e) })
			}
		})
	})
	_ = again4.Body(func(c *edt.Ctx, n int, _, _, _ task.After, b task.RW[int]) {
		gone(c, func(e task.Source[task.Nothing]) {
			var none task.Source[task.Nothing]
			switch n {
			case 0:
				wrong(func() { again4.Again(c, 1, e, none, e, task.Source[int]{}) })
			case 1:
				wrong(func() { again4.Again1(c, e) })
			}
		})
	})
	_ = againN.Body(func(c *edt.Ctx, n int, _ task.After, _, _ task.List[task.After]) {
		gone(c, func(e task.Source[task.Nothing]) {
			wrong(func() { againN.Again(c, 1, e, nil, nil) })
		})
	})
)

// TestBlame: what goes wrong in an EDT that the library makes, or at the end of a body, names the line of the app's
// call.
func TestBlame(t *testing.T) {
	filled := func(c *edt.Ctx) task.Source[int] {
		b, _ := task.Make[int](c, 1)
		b.Release(c)
		return b.From()
	}
	full := func(c *edt.Ctx) task.Event[int] { // takes no more
		e := task.Sticky[int](c)
		e.Signal(c)
		return e
	}
	after := task.None[task.Nothing]()
	for name, body := range map[string]func(c *edt.Ctx){
		"all, one event twice": func(c *edt.Ctx) {
			e, then := task.Sticky[int](c), par.Future[int](c)
			uses.New(c, task.Nothing{}, then.From())
			wrong(func() { par.All(c, then, e, e) })
			par.Set(c, e, 1)
		},
		"all, to one that is satisfied": func(c *edt.Ctx) {
			e := par.Future[int](c)
			wrong(func() { par.All(c, full(c), e) })
			par.Set(c, e, 1)
		},
		"any, to one that is satisfied": func(c *edt.Ctx) {
			e := par.Future[int](c)
			wrong(func() { par.Any(c, full(c), e) })
			par.Set(c, e, 1)
		},
		"any, one event twice": func(c *edt.Ctx) {
			e, then := task.Sticky[int](c), par.Future[int](c)
			uses.New(c, task.Nothing{}, then.From())
			wrong(func() { par.Any(c, then, e, e, e) })
			par.Set(c, e, 1)
		},
		"map, to one that is satisfied": func(c *edt.Ctx) {
			wrong(func() { doubled.Map(c, 1, filled(c), 1, full(c)) })
		},
		"map of nothing, to the same": func(c *edt.Ctx) {
			wrong(func() { doubled.Map(c, 1, task.None[int](), 1, full(c)) })
		},
		"body of a function, for an event that is gone": func(c *edt.Ctx) { value.Call(c, 1).Destroy(c) },
		"body of a group, to one that is satisfied": func(c *edt.Ctx) {
			grows.NewWith(c, summed.Group(c, 0, full(c)), task.Nothing{})
		},
		"goes on, 1":             func(c *edt.Ctx) { again1.New(c, 0, after) },
		"goes on by one slot, 1": func(c *edt.Ctx) { again1.New(c, 1, after) },
		"goes on, 4":             func(c *edt.Ctx) { again4.New(c, 0, after, after, after, filled(c)) },
		"goes on by one slot, 4": func(c *edt.Ctx) { again4.New(c, 1, after, after, after, filled(c)) },
		"goes on, lists":         func(c *edt.Ctx) { againN.New(c, 1, after, nil, nil) },
	} {
		for _, sites := range [][]runtime.Option{nil, {runtime.TrackSites()}} {
			blamed = 0
			err := runtime.Run(t.Context(), program(body), append(sites, runtime.Workers(1))...)
			var e *edt.Error
			named := errors.As(err, &e) && e.File == "blame_test.go"
			if ofBody := strings.HasPrefix(name, "goes on") || strings.HasPrefix(name, "body"); named && !ofBody {
				named = e.Line == blamed
			}
			if !named {
				t.Errorf("%s: %v\nwant line %d of this file", name, err, blamed)
			}
		}
	}
}
