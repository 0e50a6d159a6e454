package shmem

import "ocr/datablock"

// moveStrided copies n elements of width bytes from src to dst, strides apart.
func moveStrided(dst, src []byte, n, width int, s Strides) {
	switch {
	case n == 0:
	case s == Strides{Dst: 1, Src: 1}:
		copy(dst[:n*width], src[:n*width])
	case width == 4:
		moveElements(datablock.SliceOf[uint32](dst), datablock.SliceOf[uint32](src), n, s)
	default:
		moveElements(datablock.SliceOf[uint64](dst), datablock.SliceOf[uint64](src), n, s)
	}
}

// moveElements has a loop each for a stride on one side: counting one index is faster than counting two.
func moveElements[T uint32 | uint64](dst, src []T, n int, s Strides) {
	switch {
	case s.Dst == 1:
		dst = dst[:n]
		for i, at := 0, 0; i < n; i, at = i+1, at+s.Src {
			dst[i] = src[at]
		}
	case s.Src == 1:
		src = src[:n]
		at := 0
		for _, v := range src {
			dst[at] = v
			at += s.Dst
		}
	default:
		for to, from := 0, 0; n > 0; n, to, from = n-1, to+s.Dst, from+s.Src {
			dst[to] = src[from]
		}
	}
}

// spans reports whether n elements, a stride of 1 or more apart, fit a number of bytes. It does not overflow.
func spans(n, width, stride, bytes int) bool {
	elements := bytes / width
	return n == 0 || n == 1 && elements > 0 || n > 1 && elements > 0 && stride <= (elements-1)/(n-1)
}

// span returns the bytes from the first to behind the last of n elements.
func span(n, width, stride int) int {
	if n == 0 {
		return 0
	}
	return ((n-1)*stride + 1) * width
}
