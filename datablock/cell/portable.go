//go:build !(amd64 || arm64) || race

package cell

import (
	"encoding/binary"
	"sync/atomic"
	"unsafe"
)

func load4(p *uint32) uint32     { return atomic.LoadUint32(p) }
func load8(p *uint64) uint64     { return atomic.LoadUint64(p) }
func store4(p *uint32, v uint32) { atomic.StoreUint32(p, v) }
func store8(p *uint64, v uint64) { atomic.StoreUint64(p, v) }

func load1(p *uint8) uint8 {
	word, shift := around(unsafe.Pointer(p), 1)
	return uint8(atomic.LoadUint32(word) >> shift)
}

func load2(p *uint16) uint16 {
	word, shift := around(unsafe.Pointer(p), 2)
	return uint16(atomic.LoadUint32(word) >> shift)
}

func store1(p *uint8, v uint8) {
	word, shift := around(unsafe.Pointer(p), 1)
	replace(word, 0xff<<shift, uint32(v)<<shift)
}

func store2(p *uint16, v uint16) {
	word, shift := around(unsafe.Pointer(p), 2)
	replace(word, 0xffff<<shift, uint32(v)<<shift)
}

// replace stores bits under mask. Other workers may change the other bits of the word at the same time.
func replace(word *uint32, mask, bits uint32) {
	for {
		old := atomic.LoadUint32(word)
		if atomic.CompareAndSwapUint32(word, old, old&^mask|bits) {
			return
		}
	}
}

// around returns the aligned 4 bytes around a cell of 1 or 2 bytes, and by how many bits the cell is shifted there.
// Blocks begin and end at multiples of 4 bytes.
func around(p unsafe.Pointer, size uintptr) (word *uint32, shift uintptr) {
	at := uintptr(p) & 3
	word = (*uint32)(unsafe.Add(p, -int(at)))
	if binary.NativeEndian.Uint16([]byte{0, 1}) == 1 { // big-endian
		at = 4 - size - at
	}
	return word, 8 * at
}

func fill1(p *uint8, n int, v uint8)   { fill(p, n, v, store1) }
func fill2(p *uint16, n int, v uint16) { fill(p, n, v, store2) }
func fill4(p *uint32, n int, v uint32) { fill(p, n, v, store4) }
func fill8(p *uint64, n int, v uint64) { fill(p, n, v, store8) }

func fill[T Word](p *T, n int, v T, store func(*T, T)) {
	s := unsafe.Slice(p, n)
	for i := range s {
		store(&s[i], v)
	}
}

func await1(p *uint8, v uint8, polls int) bool   { return await(p, v, polls, load1) }
func await2(p *uint16, v uint16, polls int) bool { return await(p, v, polls, load2) }
func await4(p *uint32, v uint32, polls int) bool { return await(p, v, polls, load4) }
func await8(p *uint64, v uint64, polls int) bool { return await(p, v, polls, load8) }

func await[T Word](p *T, v T, polls int, load func(*T) T) bool {
	for {
		if load(p) == v {
			return true
		}
		if polls--; polls <= 0 {
			return false
		}
	}
}

func reach(p *uint64, v uint64, polls int) bool {
	for {
		if load8(p) >= v {
			return true
		}
		if polls--; polls <= 0 {
			return false
		}
	}
}

func reply1(in, out *uint8, want, v uint8, polls int) bool {
	return reply(in, out, want, v, polls, load1, store1)
}

func reply2(in, out *uint16, want, v uint16, polls int) bool {
	return reply(in, out, want, v, polls, load2, store2)
}

func reply4(in, out *uint32, want, v uint32, polls int) bool {
	return reply(in, out, want, v, polls, load4, store4)
}

func reply8(in, out *uint64, want, v uint64, polls int) bool {
	return reply(in, out, want, v, polls, load8, store8)
}

func reply[T Word](in, out *T, want, v T, polls int, load func(*T) T, store func(*T, T)) bool {
	came := await(in, want, polls, load)
	if came {
		store(out, v)
	}
	return came
}

func match1(p *uint8, n int, v uint8, polls int) int   { return match(p, n, v, polls, load1) }
func match2(p *uint16, n int, v uint16, polls int) int { return match(p, n, v, polls, load2) }
func match4(p *uint32, n int, v uint32, polls int) int { return match(p, n, v, polls, load4) }
func match8(p *uint64, n int, v uint64, polls int) int { return match(p, n, v, polls, load8) }

func match[T Word](p *T, n int, v T, polls int, load func(*T) T) int {
	s := unsafe.Slice(p, n)
	for i := range s {
		for load(&s[i]) != v {
			if polls--; polls <= 0 {
				return i
			}
		}
	}
	return len(s)
}
