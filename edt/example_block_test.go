package edt_test

import (
	"context"
	"fmt"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/runtime"
)

// start runs a program of examples on one worker; its error, if any, is part of the output. In the
// programs, launch creates an EDT of a closure with these dependences.
func start(main func(c *edt.Ctx)) {
	err := runtime.Run(context.Background(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		main(c)
		return guid.Null
	}, runtime.Workers(1))
	if err != nil {
		fmt.Println(err)
	}
}

// The creator holds a new block and may write to it, until it releases it.
func ExampleCtx_NewBlock() {
	start(func(c *edt.Ctx) {
		block, bytes := c.NewBlock(5)
		copy(bytes, "hello")
		c.Release(block)
		c.NewEDT(printText, nil, edt.From(block, datablock.RO))
	})
	// Output: hello
}

// A block that others write: the creator never holds it.
func ExampleCtx_NewBlockNoAcquire() {
	start(func(c *edt.Ctx) {
		block := c.NewBlockNoAcquire(4)
		launch(c, func(c *edt.Ctx, in edt.Args) {
			fmt.Println(in.Dep(0).Bytes())
			c.DestroyBlock(block)
		}, edt.From(block, datablock.RW))
	})
	// Output: [0 0 0 0]
}

// A block on the rank of a worker.
func ExampleCtx_NewBlockNear() {
	start(func(c *edt.Ctx) {
		block := c.NewBlockNear(64, c.Place(0))
		fmt.Println(block.Home())
		c.DestroyBlock(block)
	})
	// Output: 0
}

// Any EDT may ask for the size of a block that it knows, also if it does not hold it.
func ExampleCtx_BlockSize() {
	start(func(c *edt.Ctx) {
		block := c.NewBlockNoAcquire(100)
		fmt.Println(c.BlockSize(block))
		c.DestroyBlock(block)
	})
	// Output: 100
}

// In which mode an EDT holds a block.
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

// What is released is visible to every EDT that a later call makes ready.
func ExampleCtx_Release() {
	start(func(c *edt.Ctx) {
		written := c.NewEvent(edt.Once)
		c.NewEDT(printText, nil, edt.From(written, datablock.RO))

		block, bytes := c.NewBlock(8)
		copy(bytes, "released")
		c.Release(block)
		c.Satisfy(written, block)
	})
	// Output: released
}

// A writer lets others read, and reads on.
func ExampleCtx_Downgrade() {
	start(func(c *edt.Ctx) {
		block, bytes := c.NewBlock(6)
		copy(bytes, "shared")
		c.Downgrade(block)
		launch(c, func(_ *edt.Ctx, in edt.Args) {
			fmt.Printf("another EDT: %s\n", in.Dep(0).Bytes())
		}, edt.From(block, datablock.Const))
		fmt.Printf("the writer: %s\n", bytes)
	})
	// Output:
	// the writer: shared
	// another EDT: shared
}

// An EDT destroys a block that no later EDT uses. The memory lives until every EDT that holds it has released it.
func ExampleCtx_DestroyBlock() {
	start(func(c *edt.Ctx) {
		block := wordBlock(c, 7)
		launch(c, func(c *edt.Ctx, in edt.Args) {
			fmt.Println(wordOf(in.Dep(0)), c.Exists(block))
			c.DestroyBlock(block)
			fmt.Println(c.Exists(block))
		}, rw(block))
	})
	// Output:
	// 7 true
	// false
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

// Two EDTs add to a sum in mode EW, in any order. AllowUnordered says to check mode that this is meant; the EDT that
// reads the sum must still come after both.
func ExampleCtx_AllowUnordered() {
	start(func(c *edt.Ctx) {
		sum, both := wordBlock(c, 0), c.NewLatch(2)
		c.AllowUnordered(sum, edt.ExclusiveWriters) // 1+2 is 2+1
		launch(c, func(c *edt.Ctx, in edt.Args) {
			fmt.Println(wordOf(in.Dep(0)))
			c.DestroyBlock(sum)
		}, edt.From(sum, datablock.RO), edt.From(both, datablock.Null))
		for n := range 2 {
			launch(c, func(c *edt.Ctx, in edt.Args) {
				datablock.Slice[uint64](in.Dep(0))[0] += uint64(n) + 1
				c.Release(sum)
				c.Satisfy(both, guid.Null)
			}, edt.From(sum, datablock.EW))
		}
	})
	// Output: 3
}
