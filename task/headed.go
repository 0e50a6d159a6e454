package task

import (
	"fmt"
	"reflect"
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
	return Block[Headed[H, T]]{g}, head[H](bytes), rest[H, T](bytes)
}

// ReserveHeaded is [Reserve] for such a block.
func ReserveHeaded[H, T any](c *edt.Ctx, n int) Block[Headed[H, T]] {
	return Block[Headed[H, T]]{c.NewBlockNoAcquire(headedSize[H, T](c, n))}
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

// Head returns what the block on a slot begins with, valid as long as a slice of its elements
// is. On a slot that is only read it must not be written.
func Head[H, T any, S slot[Headed[H, T]]](s S) *H { return head[H](bytesOf(s)) }

// Rest returns the elements behind it.
func Rest[H, T any, S slot[Headed[H, T]]](s S) []T { return rest[H, T](bytesOf(s)) }

// bytesOf is the memory of a slot: every slot is a pointer to its dependence.
func bytesOf[S any](s S) []byte { return (*(**datablock.Dep)(unsafe.Pointer(&s))).Bytes() }

// head and rest are sound because a block begins at a cache line, neither H nor T has pointers (a
// task with such a slot, and a block of such elements, are refused if they have), and the lengths are checked.
func head[H any](b []byte) *H {
	if n := headBytes[H](); uintptr(len(b)) < n {
		tooShort(reflect.TypeFor[H](), n, len(b))
	}
	return (*H)(unsafe.Pointer(unsafe.SliceData(b)))
}

func rest[H, T any](b []byte) []T {
	n := headBytes[H]()
	if uintptr(len(b)) < n {
		tooShort(reflect.TypeFor[H](), n, len(b))
	}
	var element T
	return unsafe.Slice((*T)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), n)), (uintptr(len(b))-n)/unsafe.Sizeof(element))
}

//go:noinline
func tooShort(h reflect.Type, need uintptr, have int) {
	panic(fmt.Sprintf("task: %v and elements behind it: needs %d bytes, the block gives access to %d", h, need, have))
}
