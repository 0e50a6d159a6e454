// Package task is the typed layer over package edt, for writing apps: edges, element types,
// parameters and modes are types, so a wrong one does not compile. It costs nothing (`go run ./cmd/opcount`).
// What it does not say is said with package edt in the same program.
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
// [Define2] does both in one line, if the body names no task that leads back to it; if it does, the compiler says
// "initialization cycle: tile refers to itself". An EDT is a line:
//
//	tile.New(c, Where{i, j}, down.From(), a.From())
//
// Parameters and blocks are flat: bytes, numbers, arrays and structs of them; a [Block], an
// [Event] and a [Port] may lie in both, so results travel as an Event in the parameters. Bodies are found by
// name. So a program that keeps to that, and whose bodies use no variables of the package that change, runs in
// several processes as it does in one.
//
// # A result
//
// [Run] runs a program, and returns what is sent to the event that its body is given:
//
//	n, err := task.Run(ctx, runtime.With(), func(c *edt.Ctx, out task.Event[int]) {
//		fib.New(c, call{out.Port(), 20})
//	})
//
// # Fork and join
//
// A join is created with open slots. An EDT that owes it a value gets a [Port], the name of a slot:
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
// An EDT that goes on as the next of its kind names what changes; the zero [Source] keeps what is there:
//
//	message.SendTo(c, right)
//	sweep.Again(c, p, task.Source[float64]{}, task.Source[float64]{}, left.From())
//
// # A graph that runs again
//
// A [Graph] is recorded once and run many times; its nodes cost a third of EDTs that go on:
//
//	g := task.NewGraph(c)
//	up := tile.Add(g, Where{0, 0}, strip.From(), a.From())
//	tile.Add(g, Where{1, 0}, up.Pass0(), a.From()) // gets the strip when up has ended
//	g.Run(c, 100, done)
//
// # More
//
// A task for the time of a run has a body that may be a closure: [Func0] to [Func3]. [Go0] to [Go3] create one EDT of a
// closure. Both are for runs in one process. Package ocr/task/par has loops, sums, futures and pipes.
//
// # Why slots are parameters of the body
//
// Go has no lists of type parameters. A struct of slots would need only one type of task, but a field that a creation
// leaves out is a mistake that compiles, and a struct of more than four words goes through memory. So there is a type
// for each number of slots, [Task0] to [Task4], as many as an EDT's record holds, and [TaskN] for a list. An element
// type T is a type parameter of its own, which the compiler infers: New takes a [Source] of it.
//
// # What blocks
//
// Bodies must not block. [Blocking] has a function called outside the workers, and its result comes as an event. What
// happens outside by itself, timers or other goroutines' work, satisfies an event by [edt.Ctx.NewExternal].
// An error of the function ends the run, as [edt.Ctx.Fail] in a body does; [edt.Ctx.Context] is done then.
//
// # Mistakes
//
// What the compiler cannot see is found when the task is declared (pointers in parameters or elements, no body, two
// bodies), which ends every run before it begins, or by the call (the zero Source, a size). Errors are those of package
// edt. Reports describe an EDT by the fields of its parameters, "tile (row 3, col 7)", and a slot by its type.
package task
