package task

import (
	"errors"
	"unsafe"

	"ocr/datablock"
	"ocr/edt"
)

// Headed is the element type of blocks that begin with one H, behind which are elements of
// type T: a Block[Headed[H, T]]. [Head] and [Rest] give a body the two.
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

// ReserveHeaded is [Reserve] for such a block.
func ReserveHeaded[H, T any](c *edt.Ctx, n int, near ...edt.Affinity) Block[Headed[H, T]] {
	return Block[Headed[H, T]]{reserve(c, headedSize[H, T](c, n), near)}
}

func headedSize[H, T any](c *edt.Ctx, n int) int {
	sizeOf[Headed[H, T]](c, 1)
	return int(headBytes[H]()) + sizeOf[T](c, n)
}

// headBytes is where the elements begin: at a word.
func headBytes[H any]() uintptr {
	var h H
	return (unsafe.Sizeof(h) + 7) &^ 7
}

// What follows is sound because a block begins at a cache line, neither H nor T has pointers (a
// task with such a slot, and a block of such elements, are refused if they have), and the lengths are checked.

// Head returns what the block on a slot begins with, valid as long as a slice of its elements
// is. On a slot that is only read it must not be written.
func Head[H, T any, S slot[Headed[H, T]]](s S) *H {
	d := depOf(&s)
	if uintptr(d.Size()) < headBytes[H]() {
		panic(errShort)
	}
	return (*H)(d.Memory())
}

// Rest returns the elements behind it.
func Rest[H, T any, S slot[Headed[H, T]]](s S) []T {
	var element T
	d, n := depOf(&s), int(headBytes[H]())
	size := d.Size() - n
	if size < 0 {
		panic(errShort)
	}
	return (*[maxElements]T)(unsafe.Add(d.Memory(),
		n))[: uint(size)/uint(unsafe.Sizeof(element)) : uint(size)/uint(unsafe.Sizeof(element))]
}

// depOf returns the dependence of a slot: every slot is a pointer to it.
func depOf[S any](s *S) *datablock.Dep { return *(**datablock.Dep)(unsafe.Pointer(s)) }

// errShort is what a body panics with that asks for the head of a shorter block.
var errShort = errors.New("task: the block on the slot is shorter than its head, or there is none")
