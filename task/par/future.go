package par

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// Future creates an event for one value, for which one slot may wait; the event is destroyed when the slot has the
// value. [Set] satisfies it, and a slot of type [Value] receives the value. It is [task.Counted] of 1.
func Future[T any](c *edt.Ctx) task.Event[T] { return task.Counted[T](c, 1) }

// Set satisfies an event with a value, in a new block.
func Set[T any](c *edt.Ctx, e task.Event[T], value T) {
	b, v := task.Make[T](c, 1)
	v[0] = value
	e.Send(c, b)
}

// Value is a slot for a value that the EDT takes out of its block.
type Value[T any] struct{ task.RW[T] }

// Take returns the value, and destroys its block. A body calls it at most once: a second call panics, and so does a
// call on a slot without a block.
func (v Value[T]) Take(c *edt.Ctx) T {
	value := v.Slice()[0]
	v.Destroy(c)
	return value
}

// All satisfies then when all these events have been satisfied. It gives then one block: the elements of all their
// blocks, in the order of the events; or no block if none of the events has brought one. It destroys their blocks, so
// each event must bring a block of its own, or none. An event that is destroyed by its satisfaction, such as
// [task.Once], must not be satisfied before the call.
//
// It ends the run if then or one of the events is the zero Event ([edt.ErrNoSource]).
func All[T any](c *edt.Ctx, then task.Event[T], of ...task.Event[T]) {
	needThen(c, "all", then.GUID)
	if len(of) == 0 {
		then.Signal(c)
		return
	}
	for _, e := range of {
		if e.IsNull() {
			c.Misuse("all", edt.ErrNoSource, guid.Null, "the zero Event to wait for")
		}
	}
	hi, lo := then.Words()
	params := [3]uint64{hi, lo, uint64(edt.CallOf())}
	g, _ := c.Spawn(join, &edt.Spec{Params: params[:], DepCount: len(of)})
	for n, e := range of {
		c.AddDependence(e.GUID, g, n, datablock.RO)
	}
}

// join makes one block of the blocks on its slots. It is a template of package edt, as it copies bytes of any type.
var join = edt.NewTemplate("par.all", 3, edt.Unknown, func(c *edt.Ctx, in edt.Args) guid.GUID {
	c.Blame(edt.Call(in.Param(2)))
	size, came, deps := 0, false, in.Deps()
	for n := range deps {
		size += deps[n].Size()
		came = came || !deps[n].IsNull()
	}
	block := guid.Null
	if came {
		var bytes []byte
		block, bytes = c.NewBlock(size)
		for n := range deps {
			bytes = bytes[copy(bytes, deps[n].Bytes()):]
		}
		c.Release(block)
	}
	for n := range deps {
		if !deps[n].IsNull() {
			c.DestroyBlock(deps[n].GUID())
		}
	}
	c.Satisfy(guid.FromWords(in.Param(0), in.Param(1)), block)
	c.Blame(0)
	return guid.Null
})
