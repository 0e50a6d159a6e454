package sys

import (
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Reserve returns n bytes of address space, a multiple of [Page], that may not be
// accessed and take no memory, nil if they cannot be had. They stay reserved for
// as long as the process lives, unless they are given to [Unreserve].
func Reserve(n int) unsafe.Pointer {
	p, err := unix.MmapPtr(-1, 0, nil, uintptr(n), unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
	if err != nil {
		return nil
	}
	_ = unix.Madvise(unsafe.Slice((*byte)(p), n), unix.MADV_NOHUGEPAGE) // pages are touched one by one
	return p
}

// Unreserve gives back what [Reserve] returned.
func Unreserve(p unsafe.Pointer, n int) { _ = unix.MunmapPtr(p, uintptr(n)) }

// Protect changes what may be done with pages of [Reserve]. Pages that become
// accessible for the first time, or after [DropPages], read as zero.
func Protect(p unsafe.Pointer, n int, to Protection) error {
	return unix.Mprotect(unsafe.Slice((*byte)(p), n), int(to))
}

// Touched reports for each page from p on whether it was read or written since it
// became accessible. It returns nil if the system does not tell.
func Touched(p unsafe.Pointer, pages int) []bool {
	f, err := pagemap()
	if err != nil {
		return nil
	}
	const entry, present, swapped = 8, 1 << 63, 1 << 62
	buf := make([]byte, entry*pages)
	if _, err := f.ReadAt(buf, int64(uintptr(p)/uintptr(Page))*entry); err != nil {
		return nil
	}
	touched := make([]bool, pages)
	for k := range touched {
		touched[k] = binary.NativeEndian.Uint64(buf[entry*k:])&(present|swapped) != 0
	}
	return touched
}

// pagemap is opened once: that takes longer than to read it.
var pagemap = sync.OnceValues(func() (*os.File, error) { return os.Open("/proc/self/pagemap") })

// ThreadTime returns what a thread of this process has had of the processors so far,
// false if that is not known.
func ThreadTime(thread int) (t ThreadTimes, ok bool) {
	text, err := os.ReadFile("/proc/self/task/" + strconv.Itoa(thread) + "/schedstat")
	if err != nil {
		return t, false
	}
	_, err = fmt.Sscan(string(text), (*int64)(&t.Ran), (*int64)(&t.Queued))
	return t, err == nil
}
