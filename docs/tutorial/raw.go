//go:build ignore

// Command raw is the C program in package edt.
package main

import (
	"context"
	"fmt"
	"log"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/runtime"
)

var scale = edt.NewTemplate("raw.scale", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
	x := datablock.Slice[uint64](in.Dep(0))
	x[0] *= in.Param(0)
	return in.Dep(0).GUID()
})

var show = edt.NewTemplate("raw.show", 0, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
	fmt.Println(datablock.Slice[uint64](in.Dep(0))[0])
	c.DestroyBlock(in.Dep(0).GUID())
	c.Shutdown()
	return guid.Null
})

func mainEDT(c *edt.Ctx, in edt.Args) guid.GUID {
	block, bytes := c.NewBlock(8)
	datablock.SliceOf[uint64](bytes)[0] = 14
	c.Release(block)

	scaled, out := c.Spawn(scale, &edt.Spec{Params: edt.Params(3), Output: true})
	shown := c.NewEDT(show, nil)
	c.AddDependence(out, shown, 0, datablock.RO)
	c.AddDependence(block, scaled, 0, datablock.RW)
	return guid.Null
}

func main() {
	if err := runtime.Run(context.Background(), mainEDT); err != nil {
		log.Fatal(err)
	}
}
