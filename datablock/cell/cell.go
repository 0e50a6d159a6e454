package cell

import "unsafe"

// Word has the types of cells. A cell is aligned to its size.
type Word interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64
}

// Load returns *p. The caller's later accesses come after it (acquire).
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

// Store sets *p to v. The caller's earlier accesses come before it (release).
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

// Fill sets every cell of s to v, in ascending order and each by one store of its width. The caller's earlier accesses
// come before all of them. Other threads see the cells change in ascending order on amd64, in any order on arm64.
//
// Go cannot interrupt it: 4096 cells take a microsecond or more.
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

// Match returns how many cells at the start of s are v. It loads them in ascending order, each once and as [Load] does,
// up to the first that is not v.
func Match[T Word](s []T, v T) int { return AwaitAll(s, v, 1) }

// AwaitAll is Match that polls: it loads a cell again until the cell is v. It gives up when polls loads, over all cells
// together, have not returned v. Go cannot interrupt it.
func AwaitAll[T Word](s []T, v T, polls int) int {
	p, n := unsafe.SliceData(s), len(s)
	switch unsafe.Sizeof(v) {
	case 1:
		return match1((*uint8)(unsafe.Pointer(p)), n, uint8(v), polls)
	case 2:
		return match2((*uint16)(unsafe.Pointer(p)), n, uint16(v), polls)
	case 4:
		return match4((*uint32)(unsafe.Pointer(p)), n, uint32(v), polls)
	}
	return match8((*uint64)(unsafe.Pointer(p)), n, uint64(v), polls)
}

// Await loads a cell until it is v, at most polls times, and reports whether it is v. Go cannot interrupt it, so polls
// should be a few hundred: a microsecond at most.
func Await[T Word](p *T, v T, polls int) bool {
	switch unsafe.Sizeof(v) {
	case 1:
		return await1((*uint8)(unsafe.Pointer(p)), uint8(v), polls)
	case 2:
		return await2((*uint16)(unsafe.Pointer(p)), uint16(v), polls)
	case 4:
		return await4((*uint32)(unsafe.Pointer(p)), uint32(v), polls)
	}
	return await8((*uint64)(unsafe.Pointer(p)), uint64(v), polls)
}

// Reach is [Await] for a cell that counts: it polls until the cell is v or more.
func Reach(p *uint64, v uint64, polls int) bool { return reach(p, v, polls) }

// Reply awaits want in a cell as [Await] does. If want comes, Reply stores v to out and returns true. Nothing comes
// between the load that sees want and the store: the call returns while the store is under way.
func Reply[T Word](in, out *T, want, v T, polls int) bool {
	switch unsafe.Sizeof(v) {
	case 1:
		return reply1((*uint8)(unsafe.Pointer(in)), (*uint8)(unsafe.Pointer(out)), uint8(want), uint8(v), polls)
	case 2:
		return reply2((*uint16)(unsafe.Pointer(in)), (*uint16)(unsafe.Pointer(out)), uint16(want), uint16(v), polls)
	case 4:
		return reply4((*uint32)(unsafe.Pointer(in)), (*uint32)(unsafe.Pointer(out)), uint32(want), uint32(v), polls)
	}
	return reply8((*uint64)(unsafe.Pointer(in)), (*uint64)(unsafe.Pointer(out)), uint64(want), uint64(v), polls)
}
