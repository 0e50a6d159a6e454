package task

import (
	"fmt"
	"reflect"
	"unsafe"

	"ocr/datablock"
	"ocr/edt"
)

// Headed is the element type of blocks that begin with one H, behind which are elements of
// type T: a Block[Headed[H, T]]. [Parts] gives a body the two.
type Headed[H, T any] struct {
	_ H
	_ [0]T
}

// MakeHeaded is [Make] for a block that begins with an H, with n elements behind it.
func MakeHeaded[H, T any](c *edt.Ctx, n int) (Block[Headed[H, T]], *H, []T) {
	g, bytes := c.NewBlock(headedSize[H, T](c, n))
	h, rest := split[H, T](bytes)
	return Block[Headed[H, T]]{g}, h, rest
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

// Parts returns the two parts of the block on a slot. They are valid as long as a slice of its
// elements is, and those of a slot that is only read must not be written.
func Parts[H, T any, S slot[Headed[H, T]]](s S) (*H, []T) {
	return split[H, T]((*(**datablock.Dep)(unsafe.Pointer(&s))).Bytes()) // all slots are such a pointer
}

// split is sound because a block begins at a cache line, neither H nor T has pointers (a task
// with such a slot, and a block of such elements, are refused if they have), and the lengths are checked.
func split[H, T any](b []byte) (*H, []T) {
	var element T
	head := headBytes[H]()
	if uintptr(len(b)) < head {
		panic(fmt.Sprintf("task: %v and elements behind it: needs %d bytes, the block gives access to %d", reflect.TypeFor[H](), head, len(b)))
	}
	p := unsafe.Pointer(unsafe.SliceData(b))
	return (*H)(p), unsafe.Slice((*T)(unsafe.Add(p, head)), (uintptr(len(b))-head)/unsafe.Sizeof(element))
}
