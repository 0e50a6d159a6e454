package sys

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// UseHugePages asks for huge pages behind a part of a range of [Reserve]. The part must be aligned to [HugePage].
func UseHugePages(p unsafe.Pointer, n int) {
	// Without huge pages the memory is only slower.
	_ = unix.Madvise(unsafe.Slice((*byte)(p), n), unix.MADV_HUGEPAGE)
}

// MapAt maps n bytes of zeroed memory outside the Go heap at p, a multiple of [HugePage]. It returns false if the
// addresses are in use, or there is no memory.
func MapAt(p unsafe.Pointer, n int) bool {
	got, err := unix.MmapPtr(-1, 0, p, uintptr(n), unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_FIXED_NOREPLACE)
	if err == nil && got != p { // Linux before 4.17 may choose another address
		_ = unix.MunmapPtr(got, uintptr(n))
	}
	return err == nil && got == p
}

// DropPages returns the memory behind a part of a range of [Reserve] or [MapAt] to the system; it reads as zero then. p
// and n must be multiples of the page size.
func DropPages(p unsafe.Pointer, n int) {
	_ = unix.Madvise(unsafe.Slice((*byte)(p), n), unix.MADV_DONTNEED)
}
