package datablock_test

import (
	"context"
	"fmt"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/runtime"
)

// with runs body in an EDT that has a block of size bytes in this mode. The bytes count up from 0.
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

type point struct{ X, Y int16 }

// Slices show a block's memory as numbers, or as structs without pointers: here a header and what is behind it.
func ExampleSlice() {
	with(8, datablock.RW, func(d *datablock.Dep) {
		fmt.Println(datablock.Slice[uint32](d), len(datablock.Slice[uint16](d)))
		fmt.Println(datablock.SliceOf[uint32](d.Bytes()[4:]))
		header := &datablock.ElementsOf[point](d.Bytes())[0]
		header.X = 7
		fmt.Println(*header, d.Bytes()[4:])
	})
	// Output:
	// [50462976 117835012] 4
	// [117835012]
	// {7 770} [4 5 6 7]
}

// What an EDT knows of its block. In mode Null it has the block's GUID, but no access.
func ExampleDep() {
	for _, mode := range []datablock.Mode{datablock.RW, datablock.Null} {
		with(3, mode, func(d *datablock.Dep) {
			fmt.Println(d.Mode(), d.Size(), d.Bytes(), d.GUID().Kind(), d.IsNull())
		})
	}
	// Output:
	// RW 3 [0 1 2] data block false
	// Null 0 [] data block false
}
