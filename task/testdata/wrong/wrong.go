// Package wrong does not compile: each line with an ERROR comment is a mistake, and the
// comment is what the compiler must say of it.
package wrong

import (
	"ocr/edt"
	"ocr/task"
)

type where struct{ Row, Col int }

var tile = task.Declare2[where, task.RW[float64], task.RO[byte]]("tile")

var _ = tile.Body(func(c *edt.Ctx, p where, top task.RW[float64], a task.RO[byte]) {
	a.Slice()[0] = byte(top.Slice()[0])
	top.Slice()[0] = a.Slice()[0] // ERROR "cannot use a.Slice()[0] (variable of type byte) as float64 value in assignment"
	*a.At(0) = 1                  // ERROR "invalid operation: cannot indirect a.At(0) (value of type byte)"
	a.At(0) = 1                   // ERROR "cannot assign to a.At(0) (neither addressable nor a map index expression)"
	top.At(0)                     // ERROR "top.At undefined (type task.RW[float64] has no field or method At)"
	var e task.Event[byte]
	top.SendTo(c, e)                                // ERROR "cannot use e (variable of struct type task.Event[byte]) as task.Event[float64] value in argument to top.SendTo"
	e.Send(c, top.Block())                          // ERROR "cannot use top.Block() (value of struct type task.Block[float64]) as task.Block[byte] value in argument to e.Send"
	tile.New(c, p, top.Block().From())              // ERROR "not enough arguments in call to tile.New"
	tile.New(c, p, e.From(), a.Block().From())      // ERROR "cannot use e.From() (value of struct type task.Source[byte]) as task.Source[float64] value in argument to tile.New"
	tile.New(c, 7, top.Block().From(), e.From())    // ERROR "cannot use 7 (untyped int constant) as where value in argument to tile.New"
	tile.New(c, p, top.Block().From(), top.Block()) // ERROR "cannot use top.Block() (value of struct type task.Block[float64]) as task.Source[byte] value in argument to tile.New"
	tile.NewOpen(c, p).Slot0().Connect(c, e.From()) // ERROR "cannot use e.From() (value of struct type task.Source[byte]) as task.Source[float64] value in argument to tile.NewOpen(c, p).Slot0().Connect"
	tile.NewOpen(c, p).Slot2()                      // ERROR "tile.NewOpen(c, p).Slot2 undefined (type task.EDT2[float64, byte] has no field or method Slot2)"
	tile.Again(c, p, e.From(), task.Source[byte]{}) // ERROR "cannot use e.From() (value of struct type task.Source[byte]) as task.Source[float64] value in argument to tile.Again"
	_ = task.RW[byte](top)                          // ERROR "cannot convert top (variable of struct type task.RW[float64]) to type task.RW[byte]"
	_, values := task.Make[float64](c, 1)
	values[0] = "one"                        // ERROR "cannot use "one" (untyped string constant) as float64 value in assignment"
	task.NewLatch(c, 1).Send(c, top.Block()) // ERROR "cannot use top.Block() (value of struct type task.Block[float64]) as task.Block[task.Nothing] value in argument to task.NewLatch(c, 1).Send"
	task.Ref[byte]{}.SendTo(c, e)            // ERROR "undefined (type task.Ref[byte] has no field or method SendTo)"
})

// A body in a mode, with an element type or parameters that were not declared.
var (
	_ = tile.Body(func(c *edt.Ctx, p where, top task.RO[float64], a task.RO[byte]) {}) // ERROR "cannot use func(c *edt.Ctx, p where, top task.RO[float64], a task.RO[byte]) {} (value of type func(c *edt.Ctx, p where, top task.RO[float64], a task.RO[byte])) as func(*edt.Ctx, where, task.RW[float64], task.RO[byte]) value in argument to tile.Body"
	_ = tile.Body(func(c *edt.Ctx, p where, top task.RW[int32], a task.RO[byte]) {})   // ERROR "as func(*edt.Ctx, where, task.RW[float64], task.RO[byte]) value in argument to tile.Body"
	_ = tile.Body(func(c *edt.Ctx, p int, top task.RW[float64], a task.RO[byte]) {})   // ERROR "as func(*edt.Ctx, where, task.RW[float64], task.RO[byte]) value in argument to tile.Body"
	_ = task.Declare1[where, []float64]("no slot")                                     // ERROR "A (type []float64) does not satisfy task.slot[T0] (missing method elem)"
)

// The documentation of Define has these words, so that a search for them finds the way out.
var loop = task.Define0("loop", func(c *edt.Ctx, n int) { loop.New(c, n-1) }) // ERROR "initialization cycle: loop refers to itself"
