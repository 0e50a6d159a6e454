package datablock

import (
	"fmt"
	"reflect"
	"unsafe"
)

// Number is the element types of [Slice].
type Number interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~int |
		~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint |
		~float32 | ~float64 | ~complex64 | ~complex128
}

// Slice returns the block of a dependence as elements of T, without the bytes at the end that do not fill an element.
// It is valid as long as [Dep.Bytes] is.
func Slice[T Number](d *Dep) []T {
	var element T
	return sliceAt[T](d.state.Memory(), uint(d.state.Size)/uint(unsafe.Sizeof(element)))
}

// SliceOf is [Slice] for the bytes of a block that the EDT has created.
func SliceOf[T Number](b []byte) []T {
	var element T
	return sliceAt[T](unsafe.Pointer(unsafe.SliceData(b)), uint(len(b))/uint(unsafe.Sizeof(element)))
}

// ElementsOf is [SliceOf] for any T. The caller ensures that T has no Go pointers.
func ElementsOf[T any](b []byte) []T {
	var element T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(element)))
}

// sliceAt is unsafe.Slice for n elements of a block, without its checks of the multiplication and of the end of the
// address space.
func sliceAt[T Number](memory unsafe.Pointer, n uint) []T {
	if memory == nil {
		return nil
	}
	return (*[MaxSize]T)(memory)[:n:n]
}

// A View reads the start of a block as a T. Make each view once, as a variable of a package:
//
//	var stateView = datablock.NewView[state]()
type View[T any] struct{ size int }

// NewView returns the view for a type. It panics if T has Go pointers (also in strings, slices, maps, interfaces and
// channels): a block is flat bytes, and the collector does not look into it.
func NewView[T any]() View[T] {
	t := reflect.TypeFor[T]()
	if at := PointerIn(t); at != "" {
		panic(fmt.Sprintf("datablock: view of %v: %s; a block holds flat data only", t, at))
	}
	return View[T]{size: int(t.Size())}
}

// Size returns the size of a T in bytes.
func (v View[T]) Size() int { return v.size }

// At returns the T at the start of a dependence's block. It panics if the block is smaller than a T, or the EDT has no
// access to it.
func (v View[T]) At(d *Dep) *T {
	if d.state.Size < v.size {
		v.tooSmall(d.state.Size)
	}
	return (*T)(d.state.Memory())
}

// Of is [View.At] for the bytes of a block that the EDT has created.
func (v View[T]) Of(b []byte) *T {
	if len(b) < v.size {
		v.tooSmall(len(b))
	}
	return (*T)(unsafe.Pointer(unsafe.SliceData(b)))
}

// Rest returns the bytes of a dependence's block after the T, from the next multiple of 8. It panics as [View.At] does.
func (v View[T]) Rest(d *Dep) []byte {
	if d.state.Size < v.size {
		v.tooSmall(d.state.Size)
	}
	return d.Bytes()[min(alignUp(v.size, 8), d.state.Size):]
}

func (v View[T]) tooSmall(have int) {
	panic(fmt.Sprintf("datablock: view of %v: needs %d bytes, the block gives access to %d",
		reflect.TypeFor[T](), v.size, have))
}

func alignUp(n, to int) int { return (n + to - 1) &^ (to - 1) }

// PointerIn says where a type has a Go pointer, "" if it has none.
func PointerIn(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return ""
	case reflect.Array:
		return PointerIn(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if at := PointerIn(t.Field(i).Type); at != "" {
				return "field " + t.Field(i).Name + ": " + at
			}
		}
		return ""
	default:
		return t.String() + " is or holds a pointer"
	}
}
