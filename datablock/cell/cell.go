package cell

import "unsafe"

// Word is the set of cell types. A cell is aligned to its size.
type Word interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64
}

// Load returns *p, and orders what follows after it (acquire).
func Load[T Word](p *T) T {
	switch unsafe.Sizeof(*p) {
	case 1:
		return T(load1((*uint8)(unsafe.Pointer(p))))
	case 2:
		return T(load2((*uint16)(unsafe.Pointer(p))))
	case 4:
		return T(load4((*uint32)(unsafe.Pointer(p))))
	}
	return T(load8((*uint64)(unsafe.Pointer(p))))
}

// Store sets *p to v after everything that came before it (release).
func Store[T Word](p *T, v T) {
	switch unsafe.Sizeof(*p) {
	case 1:
		store1((*uint8)(unsafe.Pointer(p)), uint8(v))
	case 2:
		store2((*uint16)(unsafe.Pointer(p)), uint16(v))
	case 4:
		store4((*uint32)(unsafe.Pointer(p)), uint32(v))
	default:
		store8((*uint64)(unsafe.Pointer(p)), uint64(v))
	}
}

// Fill sets every cell of s to v, in ascending order and each by one store of its
// width, after everything that came before it. Between the cells there is no order
// but the processor's: amd64 shows them in ascending order, arm64 in any.
//
// It cannot be interrupted: 4096 cells take a microsecond or more.
func Fill[T Word](s []T, v T) {
	p, n := unsafe.SliceData(s), len(s)
	switch unsafe.Sizeof(v) {
	case 1:
		fill1((*uint8)(unsafe.Pointer(p)), n, uint8(v))
	case 2:
		fill2((*uint16)(unsafe.Pointer(p)), n, uint16(v))
	case 4:
		fill4((*uint32)(unsafe.Pointer(p)), n, uint32(v))
	default:
		fill8((*uint64)(unsafe.Pointer(p)), n, uint64(v))
	}
}

// Match returns how many cells at the start of s hold v. It loads them in ascending
// order, each once and as [Load] does, up to the first that holds something else.
func Match[T Word](s []T, v T) int {
	p, n := unsafe.SliceData(s), len(s)
	switch unsafe.Sizeof(v) {
	case 1:
		return match1((*uint8)(unsafe.Pointer(p)), n, uint8(v))
	case 2:
		return match2((*uint16)(unsafe.Pointer(p)), n, uint16(v))
	case 4:
		return match4((*uint32)(unsafe.Pointer(p)), n, uint32(v))
	}
	return match8((*uint64)(unsafe.Pointer(p)), n, uint64(v))
}
