package par

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// Future creates an event for one value, which one slot waits for; both go with that. [Set] gives it the value, and
// a slot of type [Value] gets it. It is [task.Counted] of 1.
func Future[T any](c *edt.Ctx) task.Event[T] { return task.Counted[T](c, 1) }

// Set satisfies an event with a value, in a block of its own.
func Set[T any](c *edt.Ctx, e task.Event[T], value T) {
	b, v := task.Make[T](c, 1)
	v[0] = value
	e.Send(c, b)
}

// Value is a slot for a value that an EDT uses up.
type Value[T any] struct{ task.RW[T] }

// Take returns the value, and destroys its block. A body calls it once: a second call panics, as does one on a slot
// without a block.
func (v Value[T]) Take(c *edt.Ctx) T {
	value := v.Slice()[0]
	v.Destroy(c)
	return value
}

// All satisfies then when all these events have been satisfied, with one block: the elements that they have
// brought, in the order of the events; without a block if no event has brought one. It destroys their blocks, so each
// must bring one of its own, or none. An event that goes when it is satisfied, as one of [task.Once], must not be
// satisfied before the call.
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

// join makes one block of those on its slots. It is a template of package edt, as it cares for no type.
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
