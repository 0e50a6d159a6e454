package task

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// An Event names an event that brings a [Block] of elements of type T. Parameters and blocks may hold it.
type Event[T any] struct{ guid.GUID }

// Once creates an event that is destroyed by its satisfaction: create the EDTs that wait for it first; see [edt.Once].
//
// All functions that create events take an affinity hint: near, if it is given, places the event on the rank of that
// worker, which should be the rank of the EDTs that wait for the event; see [edt.Ctx.NewEvent].
func Once[T any](c *edt.Ctx, near ...edt.Affinity) Event[T] {
	return Event[T]{c.NewEvent(edt.Once, near...)}
}

// Sticky creates an event that is satisfied once and lives until it is destroyed; see [edt.Sticky].
func Sticky[T any](c *edt.Ctx, near ...edt.Affinity) Event[T] {
	return Event[T]{c.NewEvent(edt.Sticky, near...)}
}

// Counted creates a sticky event that is destroyed when it has satisfied n slots; see [edt.Counted].
func Counted[T any](c *edt.Ctx, n int, near ...edt.Affinity) Event[T] {
	return Event[T]{c.NewCounted(n, near...)}
}

// Channel creates an event that pairs the k-th block with the k-th slot that waits. At most n blocks without a slot, or
// n slots without a block, may wait in it ([edt.Unbounded]: any number); one more ends the run with [edt.ErrFull]. See
// [edt.Ctx.NewChannel].
func Channel[T any](c *edt.Ctx, n int, near ...edt.Affinity) Event[T] {
	return Event[T]{c.NewChannel(n, near...)}
}

// From returns the event as the source of a slot.
func (e Event[T]) From() Source[T] { return source[T](e.GUID) }

// After returns the event as the source of a slot that waits for it and gets no block.
func (e Event[T]) After() Source[Nothing] { return source[Nothing](e.GUID) }

// Port returns the event as a [Port]: what is sent to the port satisfies the event.
func (e Event[T]) Port() Port[T] { return port[T](e.GUID, 0, datablock.Null) }

// Send releases a block that the EDT holds, and satisfies the event with it.
func (e Event[T]) Send(c *edt.Ctx, b Block[T]) {
	c.Release(b.GUID)
	c.Satisfy(e.GUID, b.GUID)
}

// Put satisfies the event with a new block of copies of these elements.
func (e Event[T]) Put(c *edt.Ctx, elements ...T) { e.Send(c, Of(c, elements...)) }

// Pass satisfies the event with a block that the EDT does not hold.
func (e Event[T]) Pass(c *edt.Ctx, b Block[T]) { c.Satisfy(e.GUID, b.GUID) }

// Signal satisfies the event without a block.
func (e Event[T]) Signal(c *edt.Ctx) { c.Satisfy(e.GUID, guid.Null) }

// Destroy destroys the event; see [edt.Ctx.DestroyEvent].
func (e Event[T]) Destroy(c *edt.Ctx) { c.DestroyEvent(e.GUID) }

// A Latch is an event that counts up and down, and triggers when the count reaches zero.
type Latch struct{ Event[Nothing] }

// NewLatch creates a latch with the count n; see [edt.Ctx.NewLatch].
func NewLatch(c *edt.Ctx, n int64, near ...edt.Affinity) Latch {
	return Latch{Event[Nothing]{c.NewLatch(n, near...)}}
}

// Up adds 1 to the count.
func (l Latch) Up(c *edt.Ctx) { c.SatisfySlot(l.GUID, guid.Null, edt.Incr) }

// Down subtracts 1 from the count.
func (l Latch) Down(c *edt.Ctx) { c.SatisfySlot(l.GUID, guid.Null, edt.Decr) }
