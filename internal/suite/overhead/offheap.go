package overhead

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"strconv"
	"strings"
	"unsafe"
)

var errNoOffHeap = errors.New("this system does not tell how much memory of the process is resident")

// heapSpan is how far from one of its objects Go's heap may reach: it grows from one
// place, and the system maps what is asked of it elsewhere much farther away.
const heapSpan = 1 << 38

// onHeap is some object of the heap, once offHeap was called.
var onHeap *[64]byte

// offHeap returns the bytes of the process's memory that are resident and not in Go's
// heap, as Linux counts them page by page.
func offHeap() (uint64, error) {
	text, err := os.ReadFile("/proc/self/smaps")
	if err != nil || unsafe.Sizeof(uintptr(0)) < 8 {
		return 0, errNoOffHeap
	}
	onHeap = new([64]byte)
	heap := uint64(uintptr(unsafe.Pointer(onHeap)))
	total, outside := uint64(0), false
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 2 {
			continue
		}
		if from, _, ok := strings.Cut(fields[0], "-"); ok {
			start, err := strconv.ParseUint(from, 16, 64)
			outside = err == nil && start-heap+heapSpan > 2*heapSpan
		}
		if outside && fields[0] == "Rss:" {
			kb, err := strconv.ParseUint(fields[1], 10, 64)
			if err != nil {
				return 0, err
			}
			total += kb << 10
		}
	}
	return total, nil
}
