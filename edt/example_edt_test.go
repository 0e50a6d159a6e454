package edt_test

import (
	"context"
	"errors"
	"fmt"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/runtime"
)

var square = edt.NewTemplate("example square", 1, 0, func(_ *edt.Ctx, in edt.Args) guid.GUID {
	fmt.Println(in.Param(0) * in.Param(0))
	return guid.Null
})

// A template that is registered under its name can be found by it, also in another process.
func ExampleNewTemplate() {
	start(func(c *edt.Ctx) {
		c.NewEDT(edt.Lookup("example square"), edt.Params(12))
	})
	// Output: 144
}

// An EDT without slots can run at once.
func ExampleCtx_NewEDT() {
	start(func(c *edt.Ctx) {
		c.NewEDT(square, edt.Params(5))
	})
	// Output: 25
}

// An EDT that only one worker may run.
func ExampleCtx_NewEDTAt() {
	start(func(c *edt.Ctx) {
		c.NewEDTAt(c.Bind(c.Workers()-1), square, edt.Params(6))
	})
	// Output: 36
}

// A template that was registered, here as a package variable, is found by its name.
func ExampleLookup() {
	fmt.Println(edt.Lookup("example square") == square, edt.Lookup("no such template") == nil)
	// Output: true true
}

// A GUID travels in two parameters.
func ExampleParams() {
	start(func(c *edt.Ctx) {
		done := c.NewEvent(edt.Once)
		hear(c, "done", done)
		c.NewEDT(c.NewTemplate("does it", 2, 0, body(func(c *edt.Ctx, in edt.Args) {
			c.Satisfy(guid.FromWords(in.Param(0), in.Param(1)), guid.Null)
		})), edt.Params(done.Words()))
	})
	// Output: done
}

// What an EDT waits for, and how it accesses the block that comes: one source for each slot.
func ExampleFrom() {
	start(func(c *edt.Ctx) {
		event := c.NewEvent(edt.Sticky)
		launch(c, func(_ *edt.Ctx, in edt.Args) {
			fmt.Println(in.Dep(0).Mode(), in.Dep(1).Mode())
		}, edt.From(wordBlock(c, 1), datablock.Const), edt.From(event, datablock.RW))
		c.Satisfy(event, wordBlock(c, 2))
	})
	// Output: Const RW
}

// One slot is connected at once, the other later.
func ExampleSource() {
	start(func(c *edt.Ctx) {
		sum := launch(c, func(_ *edt.Ctx, in edt.Args) {
			fmt.Println(wordOf(in.Dep(0)) + wordOf(in.Dep(1)))
		}, rw(wordBlock(c, 1)), edt.Open)
		c.AddDependence(wordBlock(c, 2), sum, 1, datablock.RW)
	})
	// Output: 3
}

// An output event of the caller's own, which outlives the EDT.
func ExampleSpec() {
	start(func(c *edt.Ctx) {
		ended := c.NewEvent(edt.Sticky)
		c.Spawn(square, &edt.Spec{Params: edt.Params(3), OutputEvent: ended})
		hear(c, "ended", ended)
	})
	// Output:
	// 9
	// ended
}

// An EDT that goes on with another block on its slot.
func ExampleChange() {
	start(func(c *edt.Ctx) {
		next := wordBlock(c, 2)
		launch(c, func(c *edt.Ctx, in edt.Args) {
			fmt.Println(wordOf(in.Dep(0)))
			if in.Dep(0).GUID() != next {
				c.Again(edt.Change{Slot: 0, Source: next})
			}
		}, rw(wordBlock(c, 1)))
	})
	// Output:
	// 1
	// 2
}

// What was given to NewTemplate.
func ExampleTemplate_Name() {
	fmt.Println(square.Name())
	// Output: example square
}

// What reports say of an EDT.
func ExampleTemplate_Describe() {
	cell := func(p []uint64, _ []datablock.Dep) string { return fmt.Sprintf("row %d, column %d", p[0], p[1]) }
	err := runtime.Run(context.Background(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		c.NewEDT(c.NewTemplate("cell", 2, 0, body(func(c *edt.Ctx, _ edt.Args) {
			c.Abort(1)
		})).Describe(cell), edt.Params(3, 7))
		return guid.Null
	})
	var abort *edt.AbortError
	fmt.Println(errors.As(err, &abort), abort.Template, abort.About)
	// Output: true cell row 3, column 7
}

// A finish EDT's output event waits for all EDTs that it has created.
func ExampleCtx_Spawn() {
	start(func(c *edt.Ctx) {
		begin, tree := c.NewEvent(edt.Once), c.NewTemplate("tree", 0, 1, body(func(c *edt.Ctx, _ edt.Args) {
			fmt.Println("root")
			launch(c, func(*edt.Ctx, edt.Args) { fmt.Println("leaf") })
		}))
		// The open slot keeps the tree from running before the output event has a dependence.
		_, ended := c.Spawn(tree, &edt.Spec{Finish: true, Output: true, Deps: []edt.Source{edt.From(begin, datablock.Null)}})
		hear(c, "all ended", ended)
		c.Satisfy(begin, guid.Null)
	})
	// Output:
	// root
	// leaf
	// all ended
}

// The output event of the EDT that runs: it is satisfied when the EDT has ended.
func ExampleCtx_Output() {
	start(func(c *edt.Ctx) {
		fmt.Println("main has one:", !c.Output().IsNull())
		begin, named := c.NewEvent(edt.Once), c.NewTemplate("named", 0, 1, body(func(c *edt.Ctx, _ edt.Args) {
			fmt.Println("this EDT has one:", !c.Output().IsNull())
		}))
		_, out := c.Spawn(named, &edt.Spec{Output: true, Deps: []edt.Source{edt.From(begin, datablock.Null)}})
		hear(c, "satisfied", out)
		c.Satisfy(begin, guid.Null)
	})
	// Output:
	// main has one: false
	// this EDT has one: true
	// satisfied
}

// A template whose body is a closure belongs to the run.
func ExampleCtx_NewTemplate() {
	start(func(c *edt.Ctx) {
		greeting := "hello"
		say := c.NewTemplate("say", 0, 0, func(*edt.Ctx, edt.Args) guid.GUID {
			fmt.Println(greeting)
			return guid.Null
		})
		c.NewEDT(say, nil)
		c.DestroyTemplate(say)
	})
	// Output: hello
}

// EDTs that were made from it still run.
func ExampleCtx_DestroyTemplate() {
	start(func(c *edt.Ctx) {
		t := c.NewTemplate("last words", 0, 0, body(func(*edt.Ctx, edt.Args) { fmt.Println("still here") }))
		c.NewEDT(t, nil)
		c.DestroyTemplate(t)
	})
	// Output: still here
}

// A template's name travels as parameters: which body runs is decided elsewhere.
func ExampleCtx_TemplateGUID() {
	start(func(c *edt.Ctx) {
		t := c.NewTemplate("apply", 2, 0, body(func(c *edt.Ctx, in edt.Args) {
			c.NewEDT(c.Template(guid.FromWords(in.Param(0), in.Param(1))), edt.Params(7))
		}))
		c.NewEDT(t, edt.Params(c.TemplateGUID(square).Words()))
	})
	// Output: 49
}

// Template is the inverse of TemplateGUID.
func ExampleCtx_Template() {
	start(func(c *edt.Ctx) {
		fmt.Println(c.Template(c.TemplateGUID(square)).Name())
	})
	// Output: example square
}

// An EDT that is not wanted any more, and cannot be runnable yet.
func ExampleCtx_DestroyEDT() {
	start(func(c *edt.Ctx) {
		never := open(c, 1, func(*edt.Ctx, edt.Args) { fmt.Println("ran") })
		c.DestroyEDT(never)
		fmt.Println(c.Exists(never))
	})
	// Output: false
}

// The EDT goes on with another parameter, and keeps its block.
func ExampleCtx_Again() {
	start(func(c *edt.Ctx) {
		step := c.NewTemplate("step", 1, 1, body(func(c *edt.Ctx, in edt.Args) {
			sum := datablock.Slice[uint64](in.Dep(0))
			if sum[0] += in.Param(0); in.Param(0) == 1 {
				fmt.Println(sum[0])
				return
			}
			in.Params()[0]--
			c.Again()
		}))
		c.NewEDT(step, edt.Params(10), rw(wordBlock(c, 0)))
	})
	// Output: 55
}

// What the EDT was given, for functions that have only the Ctx.
func ExampleCtx_Args() {
	start(func(c *edt.Ctx) {
		inner := func(c *edt.Ctx) { fmt.Println(c.Args().Param(0)) }
		c.NewEDT(c.NewTemplate("outer", 1, 0, body(func(c *edt.Ctx, _ edt.Args) { inner(c) })), edt.Params(3))
	})
	// Output: 3
}

// An EDT knows its name.
func ExampleCtx_Self() {
	start(func(c *edt.Ctx) {
		var made guid.GUID
		made = open(c, 1, func(c *edt.Ctx, _ edt.Args) { fmt.Println(c.Self() == made) })
		c.AddDependence(guid.Null, made, 0, datablock.Null)
	})
	// Output: true
}

// Whether an object is alive.
func ExampleCtx_Exists() {
	start(func(c *edt.Ctx) {
		event := c.NewEvent(edt.Sticky)
		fmt.Println(c.Exists(event))
		c.DestroyEvent(event)
		fmt.Println(c.Exists(event))
	})
	// Output:
	// true
	// false
}

// A search that has found what it wants: nothing else has to run.
func ExampleCtx_Shutdown() {
	start(func(c *edt.Ctx) {
		open(c, 1, func(*edt.Ctx, edt.Args) { fmt.Println("ran") })
		fmt.Println("found")
		c.Shutdown()
	})
	// Output: found
}

// The run ends with the code in its error.
func ExampleCtx_Abort() {
	err := runtime.Run(context.Background(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		c.Abort(3)
		return guid.Null
	})
	var abort *edt.AbortError
	fmt.Println(errors.As(err, &abort), abort.Code)
	// Output: true 3
}

// A parameter is a word.
func ExampleArgs_Param() {
	start(func(c *edt.Ctx) {
		c.NewEDT(c.NewTemplate("sum", 2, 0, body(func(_ *edt.Ctx, in edt.Args) {
			fmt.Println(in.Param(0) + in.Param(1))
		})), edt.Params(1, 2))
	})
	// Output: 3
}

// All parameters.
func ExampleArgs_Params() {
	start(func(c *edt.Ctx) {
		c.NewEDT(c.NewTemplate("list", edt.Unknown, 0, body(func(_ *edt.Ctx, in edt.Args) {
			fmt.Println(in.Params())
		})), edt.Params(3, 1, 2))
	})
	// Output: [3 1 2]
}

// What came on a slot.
func ExampleArgs_Dep() {
	start(func(c *edt.Ctx) {
		launch(c, func(_ *edt.Ctx, in edt.Args) { fmt.Println(datablock.Slice[uint64](in.Dep(0))[0]) }, rw(wordBlock(c, 9)))
	})
	// Output: 9
}

// All slots: an EDT with as many as its creator says.
func ExampleArgs_Deps() {
	start(func(c *edt.Ctx) {
		launch(c, func(_ *edt.Ctx, in edt.Args) {
			sum := uint64(0)
			for k := range in.Deps() {
				sum += wordOf(in.Dep(k))
			}
			fmt.Println(len(in.Deps()), "slots,", sum)
		}, rw(wordBlock(c, 1)), rw(wordBlock(c, 2)), rw(wordBlock(c, 3)))
	})
	// Output: 3 slots, 6
}

// Main's only slot has the arguments.
func ExampleArgv() {
	_ = runtime.Run(context.Background(), func(_ *edt.Ctx, in edt.Args) guid.GUID {
		fmt.Println(edt.Argv(in.Dep(0)))
		return guid.Null
	}, runtime.Argv("program", "-n", "3"))
	// Output: [program -n 3]
}

// A graph of two nodes that is recorded once and run three times.
func ExampleCtx_NewRecording() {
	start(func(c *edt.Ctx) {
		grow := c.NewTemplate("grow", 1, 1, func(_ *edt.Ctx, in edt.Args) guid.GUID {
			datablock.Slice[uint64](in.Dep(0))[0] += in.Param(0)
			return guid.Null
		})
		show := c.NewTemplate("show", 0, 1, func(_ *edt.Ctx, in edt.Args) guid.GUID {
			fmt.Println(datablock.Slice[uint64](in.Dep(0))[0])
			return guid.Null
		})
		sum := c.NewBlockNoAcquire(8)
		r := c.NewRecording()
		node := r.Add(grow, edt.Params(5), edt.From(sum, datablock.RW))
		r.Add(show, nil, edt.From(node.Slot(0), datablock.RO))
		r.Run(c, 3, guid.Null)
	})
	// Output:
	// 5
	// 10
	// 15
}
