package trial

import "unsafe"

// apart is the size of the units of memory in which no two workers write: two cache lines, as processors fetch lines in
// pairs.
const apart = 128

// Own returns n zero elements for one worker, in units of 128 bytes with no other data, so that workers do not write to
// each other's lines. (Short slices that are allocated in succession would share a line.) If T's size divides 128, the
// first element begins a unit.
func Own[T any](n int) []T {
	var element T
	size := unsafe.Sizeof(element)
	gap := (apart + size - 1) / size
	all := make([]T, int(gap)+n+int(gap))
	first := gap
	if apart%size == 0 {
		first = (apart - uintptr(unsafe.Pointer(unsafe.SliceData(all)))%apart) / size
	}
	return all[first:][:n:n]
}
