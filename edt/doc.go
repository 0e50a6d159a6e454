// Package edt is the graph of an OCR program: event-driven tasks (EDTs), the
// events that connect them, finish scopes and hints.
//
// A program is a main EDT, which creates others from templates. An EDT has parameters, fixed when it is created, and
// dependence slots; it runs once, when all slots are satisfied and the data blocks that came on them are acquired, and
// never blocks. Everything an EDT does goes through its [Ctx]:
//
//	var greet = edt.NewTemplate("greet", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
//		name := datablock.Slice[byte](in.Dep(0))
//		fmt.Printf("hello, %s (param %d)\n", name, in.Param(0))
//		return guid.Null
//	})
//
// Objects are reached by GUID only. They live until they are destroyed, by a call or, for EDTs and some events, by
// having done their work; what is left at the end of a run is freed and can be listed as a leak.
//
// A program that runs one graph again and again records it: see [Recording].
//
// Misuse (a slot satisfied twice, a stale GUID, ...) ends the run: the call does not return, and the run comes back
// with an [*Error] that names the operation, the objects and the place in the app.
//
// Package runtime runs a graph on a pool of pinned workers; package edttest runs it one EDT at a time in an order that
// it chooses. Both implement [Host].
package edt
