package shmem

import "fmt"

// An Error is a misuse of the layer: an offset outside a segment, a PE that does not exist, a world that does not fit
// the run. It is panicked, and so ends the run: runtime.Run's error unwraps to it.
type Error struct {
	Op      string // "put", "sum to all", ...
	PE      int    // that called; -1 outside of PEs
	Problem string
}

// Error returns one line.
func (e *Error) Error() string {
	if e.PE < 0 {
		return fmt.Sprintf("shmem: %s: %s", e.Op, e.Problem)
	}
	return fmt.Sprintf("shmem: %s by PE %d: %s", e.Op, e.PE, e.Problem)
}

func misuse(op string, pe int, format string, args ...any) {
	panic(&Error{Op: op, PE: pe, Problem: fmt.Sprintf(format, args...)})
}

// bounds are what the arguments of operations are checked against. A check that fails ends the
// run with an *[Error]; by is the PE that called.
type bounds struct{ pes, bytes uint }

func (b bounds) peer(op string, by, pe int) {
	if uint(pe) >= b.pes {
		misuse(op, by, "no PE %d, there are %d", pe, b.pes)
	}
}

// reaches reports whether n bytes at an offset are in a PE's segment. It is inlined: it is
// on the path of every transfer.
func (b bounds) reaches(pe, offset, n int) bool {
	return uint(pe) < b.pes && uint(offset) <= b.bytes && uint(n) <= b.bytes-uint(offset)
}

func (b bounds) inRange(op string, by, pe, offset, n int) {
	if !b.reaches(pe, offset, n) {
		b.outOfRange(op, by, pe, offset, n)
	}
}

func (b bounds) outOfRange(op string, by, pe, offset, n int) {
	b.peer(op, by, pe)
	misuse(op, by, "%d bytes at offset %d, the segment has %d", n, offset, b.bytes)
}

// strided checks n elements in a PE's segment.
func (b bounds) strided(op string, by, pe, offset, stride, n, width int) {
	switch {
	case offset%width != 0:
		misuse(op, by, "offset %d is not a multiple of the element's %d bytes", offset, width)
	case !spans(n, width, stride, int(b.bytes)):
		misuse(op, by, "%d elements with stride %d, the segment has %d bytes", n, stride, b.bytes)
	}
	b.inRange(op, by, pe, offset, span(n, width, stride))
}

// sum checks a reduction of a number of bytes.
func (b bounds) sum(by int, e Element, target, source, bytes int) {
	const op = "sum to all"
	if !b.reaches(by, target, bytes) {
		b.outOfRange(op, by, by, target, bytes)
	}
	if !b.reaches(by, source, bytes) {
		b.outOfRange(op, by, by, source, bytes)
	}
	switch size := e.Size(); {
	case target%size != 0 || source%size != 0 || bytes%size != 0:
		misuse(op, by, "%d bytes, offsets %d and %d: not all are multiples of an element of %d bytes",
			bytes, target, source, size)
	case target != source && target < source+bytes && source < target+bytes:
		misuse(op, by, "target %d and source %d overlap, %d bytes", target, source, bytes)
	}
}

// checkStrides checks how elements are to be moved.
func checkStrides(op string, by, width int, s Strides) {
	switch {
	case width != 4 && width != 8:
		misuse(op, by, "elements of %d bytes, they must have 4 or 8", width)
	case s.Dst < 1 || s.Src < 1:
		misuse(op, by, "strides %d and %d, strides must be 1 or more", s.Dst, s.Src)
	}
}
