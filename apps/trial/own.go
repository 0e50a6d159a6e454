package trial

import "unsafe"

// apart is in what units of memory workers write each on their own: two cache lines, as processors fetch the other one
// of a pair too.
const apart = 128

// Own returns n elements, zero, that one worker writes while others write theirs: nothing else lies in their units of
// 128 bytes, which slices of less that are made one after the other share. If T's size divides 128 they begin
// with a unit.
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
