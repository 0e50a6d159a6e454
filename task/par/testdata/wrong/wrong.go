// Package wrong does not compile: each line with an ERROR comment is a mistake, and the
// comment is what the compiler must say of it.
package wrong

import (
	"ocr/edt"
	"ocr/task"
	"ocr/task/par"
)

type where struct{ Row, Col int }

var (
	rows  = par.DefineFor2("rows", func(c *edt.Ctx, p where, a task.RW[float64], b task.RO[byte], lo, hi int) {})
	total = par.DefineReduce("total", func(into, from *int) { *into += *from })
	twice = par.DefineMap("twice", func(by int, x float32) float64 { return float64(by) * float64(x) })
	size  = par.DefineFunc("size", func(c *edt.Ctx, p where) int { return p.Row * p.Col })

	_ = par.DefineFor0("short", func(c *edt.Ctx, lo, hi int) {})                               // ERROR "in call to par.DefineFor0, type func(c *edt.Ctx, lo int, hi int) of func(c *edt.Ctx, lo, hi int) {} does not match func(c *edt.Ctx, p P, lo int, hi int) (cannot infer P)"
	_ = par.DefineFor1("no slot", func(c *edt.Ctx, p where, a []float64, lo, hi int) {})       // ERROR "in call to par.DefineFor1, A (type []float64) does not satisfy task.Slot[T0] (missing method elem)"
	_ = par.DefineFor1("float", func(c *edt.Ctx, p where, a task.RO[byte], lo, hi float64) {}) // ERROR "in call to par.DefineFor1, type func(c *edt.Ctx, p where, a task.RO[byte], lo float64, hi float64) of func(c *edt.Ctx, p where, a task.RO[byte], lo, hi float64) {} does not match inferred type func(c *edt.Ctx, p where, a task.RO[byte], lo int, hi int) for func(c *edt.Ctx, p P, a A, lo int, hi int)"
	_ = par.DefineReduce("values", func(into, from int) {})                                    // ERROR "in call to par.DefineReduce, type func(into int, from int) of func(into, from int) {} does not match func(into *R, from *R) (cannot infer R)"
	_ = par.DefineReduce("mixed", func(into *int, from *float64) {})                           // ERROR "in call to par.DefineReduce, type func(into *int, from *float64) of func(into *int, from *float64) {} does not match inferred type func(into *int, from *int) for func(into *R, from *R)"
	_ = par.DefineMap("no result", func(by int, x float32) {})                                 // ERROR "in call to par.DefineMap, type func(by int, x float32) of func(by int, x float32) {} does not match inferred type func(p int, x float32) R for func(p P, x T) R"
)

func body(c *edt.Ctx, done task.Event[task.Nothing], f task.Event[float64], b task.Event[byte]) {
	rows.For(c, where{}, 0, 5, 1, done, f.From())                                  // ERROR "not enough arguments in call to rows.For"
	rows.For(c, where{}, 0, 5, 1, done, b.From(), b.From())                        // ERROR "cannot use b.From() (value of struct type task.Source[byte]) as task.Source[float64] value in argument to rows.For"
	rows.For(c, where{}, 0, 5, 1, f, f.From(), b.From())                           // ERROR "cannot use f (variable of struct type task.Event[float64]) as task.Event[task.Nothing] value in argument to rows.For"
	rows.For(c, 7, 0, 5, 1, done, f.From(), b.From())                              // ERROR "cannot use 7 (untyped int constant) as where value in argument to rows.For"
	rows.For(c, where{}, 0, 5.5, 1, done, f.From(), b.From())                      // ERROR "cannot use 5.5 (untyped float constant) as int value in argument to rows.For (truncated)"
	rows.For(c, where{}, 0, 5, 1, total.Group(c, 0, f).Output, f.From(), b.From()) // ERROR "cannot use f (variable of struct type task.Event[float64]) as task.Event[int] value in argument to total.Group"
	*total.Value(c) += 1.5                                                         // ERROR "1.5 (untyped float constant) truncated to int"
	total.Group(c, "none", size.Call(c, where{}))                                  // ERROR "cannot use "none" (untyped string constant) as int value in argument to total.Group"
	size.Call(c, 3)                                                                // ERROR "cannot use 3 (untyped int constant) as where value in argument to size.Call"
	par.Set(c, f, "text")                                                          // ERROR "cannot use "text" (untyped string constant) as float64 value in argument to par.Set"
	par.All(c, f, b)                                                               // ERROR "in call to par.All, type task.Event[byte] of b does not match inferred type task.Event[float64] for task.Event[T]"
	par.Any(c, size.Call(c, where{}), f)                                           // ERROR "in call to par.Any, type task.Event[float64] of f does not match inferred type task.Event[int] for task.Event[T]"
	twice.Map(c, 2, b.From(), 1, f)                                                // ERROR "cannot use b.From() (value of struct type task.Source[byte]) as task.Source[float32] value in argument to twice.Map"
	twice.Map(c, 2, par.Future[float32](c).From(), 1, b)                           // ERROR "cannot use b (variable of struct type task.Event[byte]) as task.Event[float64] value in argument to twice.Map"
	p, other := par.NewPipe[byte](c, 1), par.NewPipe[int](c, 1)
	use.New(c, p, other.From(), p.Room()) // ERROR "cannot use other.From() (value of struct type task.Source[int]) as task.Source[byte] value in argument to use.New"
	use.New(c, p, p.From(), other.Room()) // ERROR "cannot use other.Room() (value of struct type task.Source[par.Place[int]]) as task.Source[par.Place[byte]] value in argument to use.New"
	use.New(c, p, p.Room(), p.Room())     // ERROR "cannot use p.Room() (value of struct type task.Source[par.Place[byte]]) as task.Source[byte] value in argument to use.New"
}

var use = task.Define2("use", func(c *edt.Ctx, p par.Pipe[byte], item par.Item[byte], room par.Room[byte]) {
	other := par.NewPipe[int](c, 1)
	item.Done(c, other)               // ERROR "cannot use other (variable of struct type par.Pipe[int]) as par.Pipe[byte] value in argument to item.Done"
	room.Send(c, other, item.Block()) // ERROR "cannot use other (variable of struct type par.Pipe[int]) as par.Pipe[byte] value in argument to room.Send"
	room.Slice()                      // ERROR "room.Slice undefined (type par.Room[byte] has no field or method Slice)"
	var sum par.Value[int] = item     // ERROR "cannot use item (variable of struct type par.Item[byte]) as par.Value[int] value in variable declaration"
	sum.Take(c)
})
