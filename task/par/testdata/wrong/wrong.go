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
	rows  = par.DefineFor1("rows", func(c *edt.Ctx, p where, a task.RW[float64], lo, hi int) {})
	total = par.DefineReduce("total", func(into, from *int) { *into += *from })

	_ = par.DefineFor0("short", func(c *edt.Ctx, lo, hi int) {})                               // ERROR "in call to par.DefineFor0, type func(c *edt.Ctx, lo int, hi int) of func(c *edt.Ctx, lo, hi int) {} does not match func(c *edt.Ctx, p P, lo int, hi int) (cannot infer P)"
	_ = par.DefineFor1("no slot", func(c *edt.Ctx, p where, a []float64, lo, hi int) {})       // ERROR "in call to par.DefineFor1, A (type []float64) does not satisfy task.Slot[T0] (missing method elem)"
	_ = par.DefineFor1("float", func(c *edt.Ctx, p where, a task.RO[byte], lo, hi float64) {}) // ERROR "in call to par.DefineFor1, type func(c *edt.Ctx, p where, a task.RO[byte], lo float64, hi float64) of func(c *edt.Ctx, p where, a task.RO[byte], lo, hi float64) {} does not match inferred type func(c *edt.Ctx, p where, a task.RO[byte], lo int, hi int) for func(c *edt.Ctx, p P, a A, lo int, hi int)"
	_ = par.DefineReduce("values", func(into, from int) {})                                    // ERROR "in call to par.DefineReduce, type func(into int, from int) of func(into, from int) {} does not match func(into *R, from *R) (cannot infer R)"
	_ = par.DefineReduce("mixed", func(into *int, from *float64) {})                           // ERROR "in call to par.DefineReduce, type func(into *int, from *float64) of func(into *int, from *float64) {} does not match inferred type func(into *int, from *int) for func(into *R, from *R)"
)

func body(c *edt.Ctx, done task.Event[task.Nothing], f task.Event[float64], b task.Event[byte]) {
	rows.For(c, where{}, 0, 5, 1, done)                                  // ERROR "not enough arguments in call to rows.For"
	rows.For(c, where{}, 0, 5, 1, done, b.From())                        // ERROR "cannot use b.From() (value of struct type task.Source[byte]) as task.Source[float64] value in argument to rows.For"
	rows.For(c, where{}, 0, 5, 1, f, f.From())                           // ERROR "cannot use f (variable of struct type task.Event[float64]) as task.Event[task.Nothing] value in argument to rows.For"
	rows.For(c, 7, 0, 5, 1, done, f.From())                              // ERROR "cannot use 7 (untyped int constant) as where value in argument to rows.For"
	rows.For(c, where{}, 0, 5.5, 1, done, f.From())                      // ERROR "cannot use 5.5 (untyped float constant) as int value in argument to rows.For (truncated)"
	rows.For(c, where{}, 0, 5, 1, total.Group(c, 0, f).Output, f.From()) // ERROR "cannot use f (variable of struct type task.Event[float64]) as task.Event[int] value in argument to total.Group"
	*total.Value(c) += 1.5                                               // ERROR "1.5 (untyped float constant) truncated to int"
	par.Set(c, f, "text")                                                // ERROR "cannot use "text" (untyped string constant) as float64 value in argument to par.Set"
}

var use = task.Define2("use", func(c *edt.Ctx, p where, item par.Value[byte], room task.After) {
	room.Slice()                  // ERROR "room.Slice undefined (type task.After has no field or method Slice)"
	var sum par.Value[int] = item // ERROR "cannot use item (variable of struct type par.Value[byte]) as par.Value[int] value in variable declaration"
	sum.Take(c)
})
