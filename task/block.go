package task

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A Block names a data block of elements of type T. Parameters and other blocks may hold it.
type Block[T any] struct{ guid.GUID }

// Make creates a block of n elements, all zero. The EDT holds it in mode RW, and the elements are valid, until the EDT
// releases or sends the block, or ends. It must release the block before it passes the block on by [Block.From].
func Make[T any](c *edt.Ctx, n int) (Block[T], []T) {
	g, bytes := c.NewBlock(sizeOf[T](c, n))
	return Block[T]{g}, datablock.ElementsOf[T](bytes)
}

// Of creates a block of copies of these elements; the EDT holds it as after [Make].
func Of[T any](c *edt.Ctx, elements ...T) Block[T] {
	b, to := Make[T](c, len(elements))
	copy(to, elements)
	return b
}

// Reserve creates a block of n elements, all zero, which the EDT does not hold; see [edt.Ctx.NewBlockNoAcquire]. near,
// if it is given, names the worker that will use the block; see [edt.Ctx.NewBlockNear].
func Reserve[T any](c *edt.Ctx, n int, near ...edt.Affinity) Block[T] {
	return Block[T]{reserve(c, sizeOf[T](c, n), near)}
}

func reserve(c *edt.Ctx, bytes int, near []edt.Affinity) guid.GUID {
	if len(near) == 0 {
		return c.NewBlockNoAcquire(bytes)
	}
	return c.NewBlockNear(bytes, near[0])
}

// From returns the block as the source of a slot, which the runtime satisfies at once: an EDT that holds the block
// releases it first.
func (b Block[T]) From() Source[T] { return source[T](b.GUID) }

// Release releases a block that the EDT holds; see [edt.Ctx.Release].
func (b Block[T]) Release(c *edt.Ctx) { c.Release(b.GUID) }

// Destroy destroys the block; see [edt.Ctx.DestroyBlock].
func (b Block[T]) Destroy(c *edt.Ctx) { c.DestroyBlock(b.GUID) }
