package datablock

import (
	"reflect"
	"unsafe"
)

// Number has the element types of [Slice].
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

// ElementsOf is [SliceOf] for any T, also for a header: &ElementsOf[Header](b)[0]. The caller ensures that T has no Go
// pointers: the collector does not look into a block.
func ElementsOf[T any](b []byte) []T {
	var element T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(element)))
}

// sliceAt returns n elements of a block, as unsafe.Slice does, but does not check the multiplication and the end of the
// address space.
func sliceAt[T Number](memory unsafe.Pointer, n uint) []T {
	if memory == nil {
		return nil
	}
	return (*[MaxSize]T)(memory)[:n:n]
}

// PointerIn says where a type has a Go pointer or a uintptr, "" if it has neither.
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
	case reflect.Uintptr:
		return t.String() + " may hold an address"
	default:
		return t.String() + " is or holds a pointer"
	}
}
