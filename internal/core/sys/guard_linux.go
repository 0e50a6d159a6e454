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
// as long as the process lives.
func Reserve(n int) unsafe.Pointer {
	p, err := unix.MmapPtr(-1, 0, nil, uintptr(n), unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
	if err != nil {
		return nil
	}
	return p
}

// Clear makes pages of [Reserve] zero, and says what may be done with them.
func Clear(p unsafe.Pointer, n int, may Protection) error {
	_, err := unix.MmapPtr(-1, 0, p, uintptr(n), int(may),
		unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE|unix.MAP_FIXED)
	return err
}

// A Backing is memory that may be seen in several places at once, and privately: what is
// written there then is seen there only.
type Backing struct{ fd int }

// NewBacking makes n zero bytes, a multiple of [Page], that take memory as they are used, and shows
// them at p, in memory of [Reserve]. It returns nil if they cannot be had.
func NewBacking(p unsafe.Pointer, n int) *Backing {
	fd, err := unix.MemfdCreate("ocr check mode", unix.MFD_CLOEXEC)
	if err != nil {
		return nil
	}
	b := &Backing{fd}
	if err := unix.Ftruncate(fd, int64(n)); err == nil {
		_, err = unix.MmapPtr(fd, 0, p, uintptr(n), unix.PROT_READ|unix.PROT_WRITE,
			unix.MAP_SHARED|unix.MAP_NORESERVE|unix.MAP_FIXED)
		if err == nil {
			return b
		}
	}
	b.Close()
	return nil
}

// Close gives the memory back, once it is shown nowhere.
func (b *Backing) Close() { _ = unix.Close(b.fd) }

// Show shows n bytes from off on at p, in memory of [Reserve].
func (b *Backing) Show(p unsafe.Pointer, off, n int, may Protection, private bool) error {
	how := unix.MAP_SHARED
	if private {
		how = unix.MAP_PRIVATE
	}
	_, err := unix.MmapPtr(b.fd, int64(off), p, uintptr(n), int(may), how|unix.MAP_NORESERVE|unix.MAP_FIXED)
	return err
}

// Drop makes n bytes from off on zero again, and gives their memory back.
func (b *Backing) Drop(off, n int) {
	_ = unix.Fallocate(b.fd, unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, int64(off), int64(n))
}

// A PageUse is what is known of a page that is shown: bits.
type PageUse uint8

const (
	// PageTouched: it was read or written since it is shown. Of a backing, it may be a
	// neighbour that was, if the page was in use elsewhere.
	PageTouched PageUse = 1 << iota
	// PageOwn: it is not, or not any more, what is seen elsewhere.
	PageOwn
)

// PagesInUse tells of the pages from p on, one for each element of uses. It returns false
// if the system does not tell.
func PagesInUse(p unsafe.Pointer, uses []PageUse) bool {
	f, err := pagemap()
	if err != nil {
		return false
	}
	const entry, present, swapped, file = 8, 1 << 63, 1 << 62, 1 << 61
	var buf [512 * entry]byte
	for done := 0; done < len(uses); {
		some := buf[:entry*min(len(uses)-done, len(buf)/entry)]
		if _, err := f.ReadAt(some, int64(uintptr(p)/uintptr(Page)+uintptr(done))*entry); err != nil {
			return false
		}
		for ; len(some) > 0; some = some[entry:] {
			word := binary.NativeEndian.Uint64(some)
			uses[done] = 0
			if word&(present|swapped) != 0 {
				uses[done] = PageTouched
				if word&file == 0 {
					uses[done] |= PageOwn
				}
			}
			done++
		}
	}
	return true
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
