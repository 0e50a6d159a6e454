package edt_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/runtime"
)

var printText = edt.NewTemplate("print text", 0, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
	fmt.Printf("%s\n", datablock.Slice[byte](in.Dep(0)))
	c.DestroyBlock(in.Dep(0).GUID())
	return guid.Null
})

// A goroutine reads; an EDT gets each line. The run waits for the goroutine.
func ExampleCtx_NewExternal() {
	lines := strings.Fields("one two three")
	_ = runtime.Run(context.Background(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
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
		return guid.Null
	}, runtime.Workers(1))
	// Unordered output:
	// one
	// two
	// three
}

// The goroutine that satisfies too late learns it from the error.
func ExampleExternal_Satisfy() {
	var outside *edt.External
	_ = runtime.Run(context.Background(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		_, outside = c.NewExternal(1)
		c.Shutdown()
		return guid.Null
	})
	fmt.Println(errors.Is(outside.Satisfy([]byte("too late")), edt.ErrEnded))
	// Output: true
}

// What waits for a signal gets no block.
func ExampleExternal_Signal() {
	_ = runtime.Run(context.Background(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		event, outside := c.NewExternal(1)
		c.NewEDT(c.NewTemplate("signalled", 0, 1, body(func(_ *edt.Ctx, in edt.Args) {
			fmt.Println("no block:", in.Dep(0).IsNull())
		})), nil, edt.From(event, datablock.RO))
		go func() { _ = outside.Signal() }()
		return guid.Null
	})
	// Output: no block: true
}

// A stream of unknown length ends when it is closed.
func ExampleExternal_Close() {
	err := runtime.Run(context.Background(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		event, outside := c.NewExternal(edt.Unbounded)
		c.NewEDT(printText, nil, edt.From(event, datablock.RO))
		go func() {
			defer outside.Close()
			_ = outside.Satisfy([]byte("all there is"))
		}()
		return guid.Null
	})
	fmt.Println(err)
	// Output:
	// all there is
	// <nil>
}
