// Package unused has bodies that create unused objects, and bodies that do not.
package unused

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
	"ocr/task/par"
)

var take = task.Declare1[int, task.RO[int]]("take")

func main(c *edt.Ctx, _ edt.Args) guid.GUID {
	c.NewEvent(edt.Once)       // want unused "an event is created and its name thrown away"
	_ = c.NewLatch(2)          // want unused "a latch is created"
	task.Reserve[int](c, 3)    // want unused "a block is created"
	take.NewOpen(c, 1)         // want unused "an EDT with open slots is created"
	never := task.Once[int](c) // want unused "nothing satisfies this event"
	take.New(c, 1, never.From())
	lost := task.Sticky[int](c) // want unused "nothing waits for this event"
	lost.Signal(c)
	lost.Destroy(c)
	future := par.Future[int](c) // want unused "nothing satisfies this event"
	take.New(c, 1, future.From())
	return guid.Null
}

// What follows is right.

type p struct{ Done task.Event[int] }

var kept task.Event[int]

func right(c *edt.Ctx, _ edt.Args) guid.GUID {
	e := c.NewEvent(edt.Once)
	c.NewEDT(nil, nil, edt.From(e, datablock.RO))
	c.Satisfy(e, guid.Null)
	b, _ := c.NewBlock(8)
	c.Release(b)
	take.NewOpen(c, 1).Slot0().Signal(c)
	both := task.Once[int](c)
	take.New(c, 1, both.From())
	both.Signal(c)
	given := task.Once[int](c)
	take.New(c, 1, given.From())
	give(c, p{given})
	kept = task.Sticky[int](c)
	set := par.Future[int](c)
	take.New(c, 1, set.From())
	par.Set(c, set, 1)
	for range 2 {
		l := task.NewLatch(c, 1)
		take.New(c, 1, task.None[int]())
		l.Down(c)
		c.AddDependence(l.GUID, guid.Null, 0, datablock.Null)
	}
	//ocrvet:ignore unused a leak that a test wants
	c.NewEvent(edt.Sticky)
	c.NewEvent(edt.Sticky) //ocrvet:ignore unused another
	//ocrvet:ignore unused
	_ = "a comment without a reason does nothing"
	c.NewEvent(edt.Sticky) // want unused "an event is created"
	return guid.Null
}

func give(c *edt.Ctx, q p) { q.Done.Signal(c) }
