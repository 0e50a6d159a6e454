package task

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A Block names a data block of elements of type T. It may lie in parameters and in
// other blocks.
type Block[T any] struct{ guid.GUID }

// Make creates a block of n elements, all zero, which the EDT holds in mode RW until it
// releases or sends it, or ends. The elements are valid that long.
func Make[T any](c *edt.Ctx, n int) (Block[T], []T) {
	g, bytes := c.NewBlock(sizeOf[T](c, n))
	return Block[T]{g}, datablock.ElementsOf[T](bytes)
}

// Reserve creates a block of n elements, all zero, which the EDT does not hold; see
// [edt.Ctx.NewBlockNoAcquire].
func Reserve[T any](c *edt.Ctx, n int) Block[T] {
	return Block[T]{c.NewBlockNoAcquire(sizeOf[T](c, n))}
}

// From is the block as the source of a slot, which is satisfied at once.
func (b Block[T]) From() Source[T] { return source[T](b.GUID) }

// Release gives up a block that the EDT has made; see [edt.Ctx.Release].
func (b Block[T]) Release(c *edt.Ctx) { c.Release(b.GUID) }

// Destroy destroys the block; see [edt.Ctx.DestroyBlock].
func (b Block[T]) Destroy(c *edt.Ctx) { c.DestroyBlock(b.GUID) }
