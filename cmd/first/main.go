// Command first is the README's first program: an EDT that greets who it is sent.
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

// greet has one parameter and one dependence slot.
var greet = edt.NewTemplate("greet", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
	who := in.Dep(0)
	fmt.Printf("hello, %s (parameter %d)\n", who.Bytes(), in.Param(0))
	c.DestroyBlock(who.GUID())
	return guid.Null
})

func start(c *edt.Ctx, _ edt.Args) guid.GUID {
	ready := c.NewEvent(edt.Once)                 // an event that triggers once,
	task := c.NewEDT(greet, edt.Params(7))        // an EDT with its slot still open,
	c.AddDependence(ready, task, 0, datablock.RO) // which waits for the event.

	block, bytes := c.NewBlock(len("world")) // A data block,
	copy(bytes, "world")
	c.Release(block)        // published
	c.Satisfy(ready, block) // and sent: the EDT can run.
	return guid.Null
}

func main() {
	if err := runtime.Run(context.Background(), start, runtime.Workers(2)); err != nil {
		log.Fatal(err)
	}
}
