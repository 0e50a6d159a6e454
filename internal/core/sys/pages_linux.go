package sys

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// UseHugePages asks for huge pages behind a part of what [Reserve] returned, which must
// be aligned to [HugePage].
func UseHugePages(p unsafe.Pointer, n int) {
	// Without huge pages the memory only is slower.
	_ = unix.Madvise(unsafe.Slice((*byte)(p), n), unix.MADV_HUGEPAGE)
}

// MapAt maps n bytes of zeroed memory outside the Go heap at p, a multiple of [HugePage],
// and reports whether nothing was there and memory could be had.
func MapAt(p unsafe.Pointer, n int) bool {
	got, err := unix.MmapPtr(-1, 0, p, uintptr(n), unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_FIXED_NOREPLACE)
	if err == nil && got != p { // Linux before 4.17 takes the address for a wish
		_ = unix.MunmapPtr(got, uintptr(n))
	}
	return err == nil && got == p
}

// DropPages gives the memory behind a part of what [Reserve] or [MapAt] returned back to the
// system; it reads as zero afterwards. p and n must be multiples of the page size.
func DropPages(p unsafe.Pointer, n int) {
	_ = unix.Madvise(unsafe.Slice((*byte)(p), n), unix.MADV_DONTNEED)
}
