package sys

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Reserve returns n bytes of address space, a multiple of [Page], which allow no access and take no memory; nil if
// there are none. They stay reserved for as long as the process lives.
func Reserve(n int) unsafe.Pointer {
	p, err := unix.MmapPtr(-1, 0, nil, uintptr(n), unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
	if err != nil {
		return nil
	}
	return p
}

// Clear makes pages of [Reserve] zero, and sets which accesses they allow.
func Clear(p unsafe.Pointer, n int, may Protection) error {
	_, err := unix.MmapPtr(-1, 0, p, uintptr(n), int(may),
		unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE|unix.MAP_FIXED)
	return err
}

// Protect sets which accesses pages of [Reserve] allow.
func Protect(p unsafe.Pointer, n int, may Protection) error {
	return unix.Mprotect(unsafe.Slice((*byte)(p), n), int(may))
}
