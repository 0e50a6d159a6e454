// Package task is the typed layer over package edt, for writing apps: edges, element types, parameters and modes are
// types, so a wrong one does not compile. `go run ./cmd/opcount` counts what it costs: compare rows fork-join-call and
// fork-join-call-typed. A program may also use package edt, for what this package does not offer.
//
// A task is a body under a name, declared once, at package level. Its slots are the parameters of its body:
//
//	type Where struct{ Row, Col int }
//
//	var tile = task.Declare2[Where, task.RW[float64], task.RO[byte]]("tile")
//
//	var _ = tile.Body(func(c *edt.Ctx, p Where, top task.RW[float64], a task.RO[byte]) {
//		...
//	})
//
// [Define2] declares a task with its body. If the body names a task whose body leads back to this task, the compiler
// reports "initialization cycle: tile refers to itself". One line creates an EDT:
//
//	tile.New(c, Where{i, j}, down.From(), a.From())
//
// Parameters and blocks are flat: bytes, numbers, arrays and structs of them. Both may hold a [Block], an [Event] and a
// [Port]: so an EDT knows from its parameters where to send its result. The runtime finds bodies by their names. So a
// program runs in several processes as it does in one, if it uses only flat data and its bodies use no variables of the
// package that change.
//
// # A result
//
// [Run] runs a program, and returns what an EDT sends to the event that the program's body receives:
//
//	n, err := task.Run(ctx, runtime.With(), func(c *edt.Ctx, out task.Event[int]) {
//		fib.New(c, call{out.Port(), 20})
//	})
//
// # Fork and join
//
// A join is created with open slots. Each EDT that computes a value for it receives a [Port], the name of a slot:
//
//	type call struct {
//		To task.Port[int]
//		N  int
//	}
//
//	var sum = task.Define2("sum", func(c *edt.Ctx, to task.Port[int], a, b task.RW[int]) {
//		a.Slice()[0] += b.Slice()[0]
//		b.Destroy(c)
//		to.Send(c, a.Block())
//	})
//
//	join := sum.NewOpen(c, p.To)
//	fib.New(c, call{join.Slot0(), p.N - 1})
//	fib.New(c, call{join.Slot1(), p.N - 2})
//
// # A sweep step
//
// [Task3.Again] lets the running EDT go on as a new one, with other sources. The zero [Source] keeps what a slot has:
//
//	message.SendTo(c, right)
//	sweep.Again(c, p, task.Source[float64]{}, task.Source[float64]{}, left.From())
//
// # A graph that runs again
//
// A [Graph] is recorded once and run many times; a node costs a third of an EDT that goes on:
//
//	g := task.NewGraph(c)
//	up := tile.Add(g, Where{0, 0}, strip.From(), a.From())
//	tile.Add(g, Where{1, 0}, up.Pass0(), a.From()) // gets the strip when up has ended
//	g.Run(c, 100, done)
//
// # More
//
// A task for the time of a run may have a closure as its body: [Func0] and [Func1] make it. [Go0], [Go1] and [GoN]
// create one EDT of a closure. Both are for runs in one process. Package ocr/task/par has loops, sums and futures.
//
// # Why slots are parameters of the body
//
// Go has no lists of type parameters. With a struct of slots one type of task would do, but a creation that leaves a
// field out would compile, and a struct of more than four words is passed in memory. So there is a type for each number
// of slots, [Task0] to [Task4], as many as an EDT's record holds, and [TaskN] for a list. An element type T is a type
// parameter of its own, which the compiler infers: New accepts a [Source] of it.
//
// # What blocks
//
// Bodies must not block. [Blocking] calls a function outside the workers, and an event delivers its result. An error of
// the function ends the run, as [edt.Ctx.Fail] in a body does; then [edt.Ctx.Context] is done. Timers and goroutines
// outside the run satisfy an event by [edt.Ctx.NewExternal].
//
// # Mistakes
//
// What the compiler cannot see is found by the declaration or by the call. A faulty declaration (pointers in parameters
// or elements, no body, two bodies) ends every run before it begins; a faulty call (the zero Source, a size) ends its
// run. Errors are those of package edt. Reports describe an EDT by the fields of its parameters, "tile (row 3, col 7)",
// and a slot by its type.
package task
