package runtime_test

import (
	"context"
	"fmt"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/runtime"
)

// An EDT with three rounds: it goes on as the next round, on the same block, instead of creating that.
func Example_again() {
	round := edt.NewTemplate("round", 0, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		count := datablock.Slice[int64](in.Dep(0))
		count[0]++
		fmt.Println("round", count[0])
		if count[0] < 3 {
			c.Again() // as this EDT ends, the next has its block
		} else {
			c.DestroyBlock(in.Dep(0).GUID())
		}
		return guid.Null
	})
	err := runtime.Run(context.Background(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		block, _ := c.NewBlock(8)
		c.Release(block)
		c.NewEDT(round, nil, edt.From(block, datablock.RW))
		return guid.Null
	})
	fmt.Println(err)
	// Output:
	// round 1
	// round 2
	// round 3
	// <nil>
}

// An EDT writes a block and passes it on to the EDT that waits for it. The event's GUID comes as two parameters.
func Example_pass() {
	write := edt.NewTemplate("write", 2, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		copy(in.Dep(0).Bytes(), "hello")
		c.Pass(guid.FromWords(in.Param(0), in.Param(1)), 0) // releases the block, and satisfies the event with it
		return guid.Null
	})
	read := edt.NewTemplate("read", 0, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		fmt.Printf("%s\n", in.Dep(0).Bytes())
		c.DestroyBlock(in.Dep(0).GUID())
		return guid.Null
	})
	err := runtime.Run(context.Background(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		block, _ := c.NewBlock(5)
		c.Release(block)
		written := c.NewEvent(edt.Sticky)
		c.NewEDT(read, nil, edt.From(written, datablock.RW))
		c.NewEDT(write, edt.Params(written.Words()), edt.From(block, datablock.RW))
		return guid.Null
	})
	fmt.Println(err)
	// Output:
	// hello
	// <nil>
}
