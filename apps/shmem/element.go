package shmem

import "ocr/datablock"

// An Element is the type of what a reduction adds up.
type Element uint8

const (
	Int32 Element = iota
	Int64
	Float32
	Float64
)

// elements has the bytes of each type's element, and the sum of its vectors.
var elements = [...]struct {
	size int
	sum  func(dst, a, b []byte)
}{
	Int32:   {4, sumOf[int32]},
	Int64:   {8, sumOf[int64]},
	Float32: {4, sumOf[float32]},
	Float64: {8, sumOf[float64]},
}

// Size returns the bytes of one element, 0 if there is no such type.
func (e Element) Size() int {
	if int(e) >= len(elements) {
		return 0
	}
	return elements[e].size
}

// sum sets dst to a+b, element by element; a is the operand of the lower ranks. dst may be
// either operand. All three are of one length.
func (e Element) sum(dst, a, b []byte) { elements[e].sum(dst, a, b) }

func sumOf[T int32 | int64 | float32 | float64](dst, a, b []byte) {
	sum(datablock.SliceOf[T](dst), datablock.SliceOf[T](a), datablock.SliceOf[T](b))
}

// sum adds four elements a turn: its instructions bound the loop as long as the operands are in a cache.
func sum[T int32 | int64 | float32 | float64](dst, a, b []T) {
	n := len(dst)
	a, b = a[:n], b[:n]
	for len(dst) >= 4 && len(a) >= 4 && len(b) >= 4 {
		d, x, y := (*[4]T)(dst), (*[4]T)(a), (*[4]T)(b)
		d[0], d[1], d[2], d[3] = x[0]+y[0], x[1]+y[1], x[2]+y[2], x[3]+y[3]
		dst, a, b = dst[4:], a[4:], b[4:]
	}
	for i := range dst {
		dst[i] = a[i] + b[i]
	}
}
