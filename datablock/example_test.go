package datablock_test

import (
	"context"
	"fmt"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/runtime"
)

// with runs a body with a block of size bytes in this mode. The bytes count up from 0.
func with(size int, mode datablock.Mode, body func(d *datablock.Dep)) {
	err := runtime.Run(context.Background(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		block, bytes := c.NewBlock(size)
		for k := range bytes {
			bytes[k] = byte(k)
		}
		c.Release(block)
		c.NewEDT(c.NewTemplate("example", 0, 1, func(_ *edt.Ctx, in edt.Args) guid.GUID {
			body(in.Dep(0))
			return guid.Null
		}), nil, edt.From(block, mode))
		return guid.Null
	}, runtime.Workers(1))
	if err != nil {
		fmt.Println(err)
	}
}

// The block's memory as numbers.
func ExampleSlice() {
	with(8, datablock.RW, func(d *datablock.Dep) {
		fmt.Println(datablock.Slice[uint32](d), len(datablock.Slice[uint16](d)))
	})
	// Output: [50462976 117835012] 4
}

// Typed elements of a block that the EDT has created.
func ExampleSliceOf() {
	_ = runtime.Run(context.Background(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		block, bytes := c.NewBlock(16)
		values := datablock.SliceOf[float64](bytes)
		values[0], values[1] = 0.5, 1.5
		fmt.Println(values)
		c.DestroyBlock(block)
		return guid.Null
	})
	// Output: [0.5 1.5]
}

type point struct{ X, Y int16 }

// Elements may be structs without pointers.
func ExampleElementsOf() {
	with(8, datablock.RO, func(d *datablock.Dep) {
		fmt.Printf("%x\n", datablock.ElementsOf[point](d.Bytes()))
	})
	// Output: [{100 302} {504 706}]
}

// header is at the start of a block.
type header struct {
	Rows, Columns int32
}

var headerView = datablock.NewView[header]()

// Make a view once, as a variable of the package.
func ExampleNewView() {
	with(24, datablock.RW, func(d *datablock.Dep) {
		*headerView.At(d) = header{Rows: 2, Columns: 8}
		fmt.Println(*headerView.At(d))
	})
	// Output: {2 8}
}

// The header is the block's own memory.
func ExampleView_At() {
	with(8, datablock.RW, func(d *datablock.Dep) {
		headerView.At(d).Rows = 1
		fmt.Println(d.Bytes())
	})
	// Output: [1 0 0 0 4 5 6 7]
}

// The header of a block that the EDT has created.
func ExampleView_Of() {
	_ = runtime.Run(context.Background(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		_, bytes := c.NewBlock(headerView.Size())
		headerView.Of(bytes).Columns = 3
		fmt.Println(*headerView.Of(bytes))
		return guid.Null
	})
	// Output: {0 3}
}

// The bytes after the header.
func ExampleView_Rest() {
	with(12, datablock.RO, func(d *datablock.Dep) { fmt.Println(headerView.Rest(d)) })
	// Output: [8 9 10 11]
}

// The size of a block with a header and 16 bytes after it.
func ExampleView_Size() {
	fmt.Println(headerView.Size() + 16)
	// Output: 24
}

// A text is copied into a block.
func ExampleDep_Bytes() {
	with(5, datablock.RW, func(d *datablock.Dep) {
		copy(d.Bytes(), "hello")
		fmt.Printf("%s\n", d.Bytes())
	})
	// Output: hello
}

// A block's GUID, by which it is destroyed or passed on.
func ExampleDep_GUID() {
	with(5, datablock.RW, func(d *datablock.Dep) { fmt.Println(d.GUID().Kind()) })
	// Output: data block
}

// A slot that is satisfied without a block.
func ExampleDep_IsNull() {
	_ = runtime.Run(context.Background(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		c.NewEDT(c.NewTemplate("last", 0, 1, func(_ *edt.Ctx, in edt.Args) guid.GUID {
			fmt.Println(in.Dep(0).IsNull(), in.Dep(0).Bytes() == nil)
			return guid.Null
		}), nil, edt.From(guid.Null, datablock.RO))
		return guid.Null
	})
	// Output: true true
}

// In mode Null the EDT has the block's GUID, but no access.
func ExampleDep_Size() {
	with(5, datablock.RO, func(d *datablock.Dep) { fmt.Println(d.Size()) })
	with(5, datablock.Null, func(d *datablock.Dep) { fmt.Println(d.Size(), d.GUID().IsNull()) })
	// Output:
	// 5
	// 0 false
}

// The mode is the one that the creator of the EDT has asked for.
func ExampleDep_Mode() {
	for _, mode := range []datablock.Mode{datablock.RW, datablock.EW, datablock.RO, datablock.Const, datablock.Null} {
		with(1, mode, func(d *datablock.Dep) { fmt.Println(d.Mode()) })
	}
	// Output:
	// RW
	// EW
	// RO
	// Const
	// Null
}
