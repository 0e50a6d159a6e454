package par

import (
	"ocr/edt"
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
