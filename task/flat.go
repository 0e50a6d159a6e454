package task

import (
	"reflect"
	"sync/atomic"
	"unsafe"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// flatTypes caches which element types T were found to have no pointers: it has the address of the type *T. Types that
// a program names do not move.
//
// Concurrency: any worker stores a type that it has checked. Two types with one place in the table replace each other,
// and are checked again.
var flatTypes [256]atomic.Uintptr

// sizeOf returns the bytes of a block of n elements. It ends the run if no block can have these elements.
func sizeOf[T any](c *edt.Ctx, n int) int {
	var pointer any = (*T)(nil)
	id := *(*uintptr)(unsafe.Pointer(&pointer)) // an interface begins with its type
	if known := &flatTypes[id/64%uintptr(len(flatTypes))]; known.Load() != id {
		checkElement(c, reflect.TypeFor[T]())
		known.Store(id)
	}
	size := int(unsafe.Sizeof(*(*T)(nil)))
	if uint(n) > uint(datablock.MaxSize)/uint(size) {
		c.Misuse("create data block", edt.ErrSize, guid.Null, "%d elements of %d bytes, a block has at most %d bytes", n,
			size, datablock.MaxSize)
	}
	return n * size
}

func checkElement(c *edt.Ctx, t reflect.Type) {
	switch at := datablock.PointerIn(t); {
	case at != "":
		c.Misuse("create data block", edt.ErrPointer, guid.Null, "elements %v: %s", t, at)
	case t.Size() == 0:
		c.Misuse("create data block", edt.ErrSize, guid.Null, "elements %v have no bytes", t)
	}
}
