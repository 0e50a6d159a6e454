package sys

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// MapPages returns n bytes of zeroed memory outside the Go heap, aligned to
// [HugePage] and asked to be backed by huge pages, or nil if there is none to
// be had. The collector does not know it: it must hold no Go pointers. It is
// mapped for as long as the process lives; [DropPages] gives its contents back.
func MapPages(n int) unsafe.Pointer {
	size := uintptr(n) + HugePage
	p, err := unix.MmapPtr(-1, 0, nil, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	p = unsafe.Add(p, -uintptr(p)&(HugePage-1))
	// Without huge pages the memory only is slower.
	_ = unix.Madvise(unsafe.Slice((*byte)(p), n), unix.MADV_HUGEPAGE)
	return p
}

// DropPages gives the memory behind a part of what [MapPages] returned back to the
// system; it reads as zero afterwards. p and n must be multiples of the page size.
func DropPages(p unsafe.Pointer, n int) {
	_ = unix.Madvise(unsafe.Slice((*byte)(p), n), unix.MADV_DONTNEED)
}
