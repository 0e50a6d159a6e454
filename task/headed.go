package task

import (
	"errors"
	"unsafe"

	"ocr/datablock"
	"ocr/edt"
)

// Headed is the element type of blocks that consist of one H, and elements of type T behind it: a Block[Headed[H, T]].
// In a body [Head] returns the H, and [Rest] the elements.
type Headed[H, T any] struct {
	_ H
	_ [0]T
}

// MakeHeaded is [Make] for a block that begins with an H, with n elements behind it.
func MakeHeaded[H, T any](c *edt.Ctx, n int) (Block[Headed[H, T]], *H, []T) {
	g, bytes := c.NewBlock(headedSize[H, T](c, n))
	return Block[Headed[H, T]]{g}, (*H)(unsafe.Pointer(unsafe.SliceData(bytes))),
		datablock.ElementsOf[T](bytes[headBytes[H]():])
}

// ReserveHeaded is [Reserve] for a block that begins with an H.
func ReserveHeaded[H, T any](c *edt.Ctx, n int, near ...edt.Affinity) Block[Headed[H, T]] {
	return Block[Headed[H, T]]{reserve(c, headedSize[H, T](c, n), near)}
}

func headedSize[H, T any](c *edt.Ctx, n int) int {
	sizeOf[Headed[H, T]](c, 1)
	return int(headBytes[H]()) + sizeOf[T](c, n)
}

// headBytes returns the offset of the elements: the size of an H, rounded up to words.
func headBytes[H any]() uintptr { return (unsafe.Sizeof(*(*H)(nil)) + 7) &^ 7 }

// Head and Rest are sound because a block begins at a cache line, H and T have no pointers (declarations and creations
// refuse them), and both functions check the length.

// Head returns the H at the beginning of the block on a slot. It is valid as long as a slice of the block's elements.
// If the slot is RO or Const the body must not write it.
func Head[H, T any, S slot[Headed[H, T]]](s S) *H {
	d := depOf(&s)
	if uintptr(d.Size()) < headBytes[H]() {
		panic(errShort)
	}
	return (*H)(d.Memory())
}

// Rest returns the elements behind the H, valid as long as the H is. It and Head panic if the block is too short.
func Rest[H, T any, S slot[Headed[H, T]]](s S) []T {
	d, head := depOf(&s), int(headBytes[H]())
	size := d.Size() - head
	if size < 0 {
		panic(errShort)
	}
	n := uint(size) / uint(unsafe.Sizeof(*(*T)(nil)))
	return *(*[]T)(unsafe.Pointer(&slice{unsafe.Add(d.Memory(), head), n, n}))
}

// depOf returns the dependence of a slot: every slot is a pointer to it.
func depOf[S any](s *S) *datablock.Dep { return *(**datablock.Dep)(unsafe.Pointer(s)) }

// errShort is the panic of a body that calls Head or Rest for a block shorter than an H.
var errShort = errors.New("task: the block on the slot is shorter than its head, or there is none")
