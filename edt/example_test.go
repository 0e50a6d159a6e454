package edt_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/runtime"
)

// start runs a program of the examples on one worker, and prints the run's error, if any. In the programs, launch
// creates an EDT from a closure and dependences, and body makes a function of an EDT that returns nothing.
func start(main func(c *edt.Ctx)) { startOn(1, main) }

// startOn is start on several workers.
func startOn(workers int, main func(c *edt.Ctx)) {
	err := runtime.Run(context.Background(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		main(c)
		return guid.Null
	}, runtime.Workers(workers))
	if err != nil {
		fmt.Println(err)
	}
}

var square = edt.NewTemplate("example square", 1, 0, func(_ *edt.Ctx, in edt.Args) guid.GUID {
	fmt.Println(in.Param(0) * in.Param(0))
	return guid.Null
})

// hear creates an EDT that says that an event has come.
func hear(c *edt.Ctx, name string, event guid.GUID) {
	launch(c, func(*edt.Ctx, edt.Args) { fmt.Println(name) }, edt.From(event, datablock.Null))
}

var printText = edt.NewTemplate("print text", 0, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
	fmt.Printf("%s\n", datablock.Slice[byte](in.Dep(0)))
	c.DestroyBlock(in.Dep(0).GUID())
	return guid.Null
})

// Call is for calls of the operating system, or of a library that waits.
func ExampleBlocking_Call() {
	files := edt.NewBlocking(4)
	start(func(c *edt.Ctx) {
		text := files.Call(c, func(ctx context.Context) ([]byte, error) { return []byte("read from a file"), nil })
		c.NewEDT(printText, nil, edt.From(text, datablock.RO))
	})
	// Output: read from a file
}

// NewBlockNear creates a block on the rank of a worker.
func ExampleCtx_NewBlockNear() {
	start(func(c *edt.Ctx) {
		block := c.NewBlockNear(64, c.Place(0))
		fmt.Println(block.Home())
		c.DestroyBlock(block)
	})
	// Output: 0
}

// BlockMode says in which mode an EDT holds a block.
func ExampleCtx_BlockMode() {
	start(func(c *edt.Ctx) {
		made, _ := c.NewBlock(8)
		fmt.Println(c.BlockMode(made))
		c.Downgrade(made)
		fmt.Println(c.BlockMode(made))
		c.DestroyBlock(made)
	})
	// Output:
	// RW
	// RO
}

// Package cell has words that EDTs share while they run. Synchronised says to check mode that this is meant.
func ExampleCtx_Synchronised() {
	start(func(c *edt.Ctx) {
		block := c.NewBlockNoAcquire(64)
		c.Synchronised(block)
		for range 2 {
			launch(c, func(_ *edt.Ctx, in edt.Args) { fmt.Println(in.Dep(0).Size()) }, rw(block))
		}
	})
	// Output:
	// 64
	// 64
}

// A template that was registered, here as a package variable, is found by its name.
func ExampleLookup() {
	fmt.Println(edt.Lookup("example square") == square, edt.Lookup("no such template") == nil)
	// Output: true true
}

// Describe sets what reports say of an EDT.
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

// EDTs that were made from a destroyed template still run.
func ExampleCtx_DestroyTemplate() {
	start(func(c *edt.Ctx) {
		t := c.NewTemplate("last words", 0, 0, body(func(*edt.Ctx, edt.Args) { fmt.Println("still here") }))
		c.NewEDT(t, nil)
		c.DestroyTemplate(t)
	})
	// Output: still here
}

// Template is the inverse of TemplateGUID.
func ExampleCtx_Template() {
	start(func(c *edt.Ctx) {
		fmt.Println(c.Template(c.TemplateGUID(square)).Name())
	})
	// Output: example square
}

// DestroyEDT is for an EDT that is not wanted any more and cannot be runnable yet.
func ExampleCtx_DestroyEDT() {
	start(func(c *edt.Ctx) {
		never := open(c, 1, func(*edt.Ctx, edt.Args) { fmt.Println("ran") })
		c.DestroyEDT(never)
		fmt.Println(c.Exists(never))
	})
	// Output: false
}

// Deps has all slots of an EDT, as many as its creator has chosen.
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
		grow := c.NewTemplate("grow", 1, 1, body(func(_ *edt.Ctx, in edt.Args) {
			datablock.Slice[uint64](in.Dep(0))[0] += in.Param(0)
		}))
		show := c.NewTemplate("show", 0, 1, body(func(_ *edt.Ctx, in edt.Args) { fmt.Println(wordOf(in.Dep(0))) }))
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

// An event for an EDT of another worker. Over ranks it is made on the rank of that worker, so only its satisfaction
// goes there.
func ExampleCtx_NewEvent_near() {
	start(func(c *edt.Ctx) {
		last := c.Place(c.Places() - 1)
		event := c.NewEvent(edt.Sticky, last)
		come := c.NewTemplate("come", 0, 1, body(func(c *edt.Ctx, _ edt.Args) {
			fmt.Println("come")
			c.DestroyEvent(event)
		}))
		c.NewEDTAt(last, come, nil, edt.From(event, datablock.Null))
		c.Satisfy(event, guid.Null)
	})
	// Output: come
}

// A counted event is a sticky event that destroys itself after a given number of dependences.
func ExampleCtx_NewCounted() {
	start(func(c *edt.Ctx) {
		event := c.NewCounted(2)
		c.Satisfy(event, guid.Null)
		hear(c, "first", event)
		fmt.Println(c.Exists(event))
		hear(c, "second", event)
		fmt.Println(c.Exists(event))
	})
	// Unordered output:
	// true
	// false
	// first
	// second
}

// A latch is counted up before it is counted down to zero.
func ExampleCtx_SatisfySlot() {
	start(func(c *edt.Ctx) {
		latch := c.NewLatch(1)
		hear(c, "now", latch)
		c.SatisfySlot(latch, guid.Null, edt.Incr)
		c.SatisfySlot(latch, guid.Null, edt.Decr)
		fmt.Println("not yet")
		c.SatisfySlot(latch, guid.Null, edt.Decr)
	})
	// Output:
	// not yet
	// now
}

// A channel event pairs what comes with what waits, in order.
func ExampleCtx_NewChannel() {
	start(func(c *edt.Ctx) {
		channel := c.NewChannel(2)
		c.Satisfy(channel, wordBlock(c, 1))
		c.Satisfy(channel, wordBlock(c, 2))
		for _, name := range []string{"first", "second"} {
			launch(c, func(_ *edt.Ctx, in edt.Args) { fmt.Println(name, wordOf(in.Dep(0))) }, rw(channel))
		}
		c.DestroyEvent(channel)
	})
	// Unordered output:
	// first 1
	// second 2
}

// EDTs of several ranks cannot exchange words in a block while they run, and use a window in its place.
func ExampleCtx_Window() {
	startOn(3, func(c *edt.Ctx) {
		if w := c.Window(); w != nil {
			w.Store(0, 0, 8, 1)
		} else {
			fmt.Println("all EDTs can have a block")
		}
	})
	// Output: all EDTs can have a block
}

// All EDTs of a template have its hint.
func ExampleTemplate_SetHint() {
	startOn(2, func(c *edt.Ctx) {
		t := c.NewTemplate("on worker 1", 0, 0, body(func(c *edt.Ctx, _ edt.Args) { fmt.Println(c.Worker()) }))
		c.NewEDT(t.SetHint(edt.Hint{Affinity: c.Bind(1)}), nil)
	})
	// Output: 1
}

// Strict says whether no other worker may run the EDT.
func ExampleAffinity_Strict() {
	fmt.Println(edt.PlaceOn(3).Strict(), edt.BindTo(3).Strict())
	// Output: false true
}

// A goroutine reads; an EDT gets each line. The run waits for the goroutine.
func ExampleCtx_NewExternal() {
	lines := strings.Fields("one two three")
	start(func(c *edt.Ctx) {
		line, outside := c.NewExternal(len(lines))
		go func() {
			for _, l := range lines {
				if err := outside.Satisfy([]byte(l)); err != nil {
					fmt.Println(err)
				}
			}
		}()
		for range lines {
			c.NewEDT(printText, nil, edt.From(line, datablock.RO))
		}
	})
	// Unordered output:
	// one
	// two
	// three
}

// Do calls a function whose error ends the run.
func ExampleBlocking_Do() {
	files := edt.NewBlocking(4)
	err := runtime.Run(context.Background(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		files.Do(c, func(context.Context) error { return fs.ErrPermission })
		return guid.Null
	})
	fmt.Println(errors.Is(err, fs.ErrPermission))
	// Output: true
}

// An EDT goes on as the next of its kind until its parameter is 0.
func ExampleCtx_Again() {
	start(func(c *edt.Ctx) {
		c.NewEDT(c.NewTemplate("count down", 1, 0, body(func(c *edt.Ctx, in edt.Args) {
			fmt.Println(in.Param(0))
			if in.Params()[0]--; in.Param(0) > 0 {
				c.Again()
			}
		})), edt.Params(2))
	})
	// Output:
	// 2
	// 1
}
