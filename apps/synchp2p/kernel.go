package synchp2p

import "unsafe"

// sweepBlock is the kernel of every form. Tests replace it by a broken one to show that verification finds it.
var sweepBlock = sweepRows

// sweepRows sweeps one block of a row-major strip whose rows are stride points apart. a[0] is the point above the first
// point to compute: row 0 of a is the row above the block. sweepRows computes width points in each of the rows 1 to
// len(edge)-1.
//
// edge holds the column to the left of the block, from the row above the block down. sweepRows replaces it by the
// block's last column: the message to the right neighbour. With width 0 nothing changes.
//
// The formula A(i,j) = A(i-1,j) + A(i,j-1) - A(i-1,j-1) is computed as left + (up - upleft), so that a point depends on
// its left neighbour by one addition, not two. Up to four rows advance together, each one point behind the row above:
// the core overlaps their additions. Every value is an integer below 2^53, so the order of the additions does not
// change a bit of the result.
//
// The kernel reaches the rows by pointer. The slice expression checks the bounds of a: row r of the block spans
// r*stride to r*stride+width, for r up to rows. A group of n rows reads n+1 entries of edge, which has rows+1.
//
//go:noinline
func sweepRows(a []float64, stride, width int, edge []float64) {
	rows := len(edge) - 1
	if width <= 0 || rows < 0 {
		return
	}
	a = a[:rows*stride+width]
	p, e := unsafe.Pointer(unsafe.SliceData(a)), unsafe.Pointer(unsafe.SliceData(edge))
	step, span := uintptr(stride)*pointSize, uintptr(width)*pointSize
	last := *point(p, span-pointSize)
	for ; rows >= 4; rows -= 4 {
		last = sweep4(p, step, span, e, last)
		p, e = unsafe.Add(p, 4*step), unsafe.Add(e, 4*pointSize)
	}
	switch rows {
	case 3:
		last = sweep3(p, step, span, e, last)
	case 2:
		last = sweep2(p, step, span, e, last)
	case 1:
		last = sweep1(p, step, span, e, last)
	}
	*point(e, uintptr(rows)*pointSize) = last
}

const pointSize = 8 // bytes of a grid point

func point(p unsafe.Pointer, offset uintptr) *float64 {
	return (*float64)(unsafe.Add(p, offset))
}

// sweep4 sweeps the four rows below the row at p. step is the distance of two rows and span the width of one, in bytes.
// e points at the five left values. above is the last value of the row at p. sweep4 leaves the last values of rows 0 to
// 3 in e, and returns that of row 4. The other sweepN differ only in the number of rows.
func sweep4(p unsafe.Pointer, step, span uintptr, e unsafe.Pointer, above float64) float64 {
	d, l1, l2, l3, l4 := *point(e, 0), *point(e, 8), *point(e, 16), *point(e, 24), *point(e, 32)
	r1 := unsafe.Add(p, step)
	r2 := unsafe.Add(r1, step)
	r3 := unsafe.Add(r2, step)
	r4 := unsafe.Add(r3, step)
	for j := uintptr(0); j < span; j += pointSize {
		u := *point(p, j)
		x1 := l1 + (u - d)
		x2 := l2 + (x1 - l1)
		x3 := l3 + (x2 - l2)
		x4 := l4 + (x3 - l3)
		*point(r1, j) = x1
		*point(r2, j) = x2
		*point(r3, j) = x3
		*point(r4, j) = x4
		d, l1, l2, l3, l4 = u, x1, x2, x3, x4
	}
	*point(e, 0), *point(e, 8), *point(e, 16), *point(e, 24) = above, l1, l2, l3
	return l4
}

func sweep3(p unsafe.Pointer, step, span uintptr, e unsafe.Pointer, above float64) float64 {
	d, l1, l2, l3 := *point(e, 0), *point(e, 8), *point(e, 16), *point(e, 24)
	r1 := unsafe.Add(p, step)
	r2 := unsafe.Add(r1, step)
	r3 := unsafe.Add(r2, step)
	for j := uintptr(0); j < span; j += pointSize {
		u := *point(p, j)
		x1 := l1 + (u - d)
		x2 := l2 + (x1 - l1)
		x3 := l3 + (x2 - l2)
		*point(r1, j) = x1
		*point(r2, j) = x2
		*point(r3, j) = x3
		d, l1, l2, l3 = u, x1, x2, x3
	}
	*point(e, 0), *point(e, 8), *point(e, 16) = above, l1, l2
	return l3
}

func sweep2(p unsafe.Pointer, step, span uintptr, e unsafe.Pointer, above float64) float64 {
	d, l1, l2 := *point(e, 0), *point(e, 8), *point(e, 16)
	r1 := unsafe.Add(p, step)
	r2 := unsafe.Add(r1, step)
	for j := uintptr(0); j < span; j += pointSize {
		u := *point(p, j)
		x1 := l1 + (u - d)
		x2 := l2 + (x1 - l1)
		*point(r1, j) = x1
		*point(r2, j) = x2
		d, l1, l2 = u, x1, x2
	}
	*point(e, 0), *point(e, 8) = above, l1
	return l2
}

func sweep1(p unsafe.Pointer, step, span uintptr, e unsafe.Pointer, above float64) float64 {
	d, l1 := *point(e, 0), *point(e, 8)
	r1 := unsafe.Add(p, step)
	for j := uintptr(0); j < span; j += pointSize {
		u := *point(p, j)
		l1 += u - d
		*point(r1, j) = l1
		d = u
	}
	*point(e, 0) = above
	return l1
}
