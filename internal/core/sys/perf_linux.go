package sys

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// An Event is something that the processor or the system counts.
type Event struct{ kind, config int }

// What the processor counts if it has the counters, and what the system counts.
var (
	CPUCycles    = Event{unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_CPU_CYCLES}
	Instructions = Event{unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_INSTRUCTIONS}
	CacheMisses  = Event{unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_CACHE_MISSES}
	PageFaults   = Event{unix.PERF_TYPE_SOFTWARE, unix.PERF_COUNT_SW_PAGE_FAULTS}
)

// A Counter counts an event in the program's own code: in all threads that it had when the
// counter was opened, and in those that they start. What they do in the system does not
// count, so that any user may ask.
type Counter struct{ files []int }

// OpenCounter begins to count. An error says in a few words why that cannot be.
func OpenCounter(e Event) (*Counter, error) {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return nil, err
	}
	c := new(Counter)
	for _, t := range threads {
		id, _ := strconv.Atoi(t.Name())
		file, err := unix.PerfEventOpen(&unix.PerfEventAttr{
			Type: uint32(e.kind), Config: uint64(e.config), Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{})),
			Read_format: unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING,
			Bits:        unix.PerfBitInherit | unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv,
		}, id, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
		if errors.Is(err, unix.ESRCH) { // the thread has ended meanwhile
			continue
		}
		if err != nil {
			c.Close()
			return nil, whyNotCounted(err)
		}
		c.files = append(c.files, file)
	}
	return c, nil
}

// CanCount returns why an event is not counted here, nil if it is. It touches pages that the
// program had not had before: that takes cycles and instructions, misses caches, and faults.
func CanCount(e Event) error {
	c, err := OpenCounter(e)
	if err != nil {
		return err
	}
	defer c.Close()
	const size, page = 8 << 20, 4 << 10
	memory, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return err
	}
	defer unix.Munmap(memory)
	for n := 0; n < size; n += page {
		memory[n] = 1
	}
	if c.Read() == 0 {
		return errors.New("the count stays at 0")
	}
	return nil
}

// whyNotCounted explains an error of perf_event_open.
func whyNotCounted(err error) error {
	switch {
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENODEV), errors.Is(err, unix.EOPNOTSUPP):
		return errors.New("the processor, or its hypervisor, has no counter for that")
	case errors.Is(err, unix.EACCES), errors.Is(err, unix.EPERM):
		level, _ := os.ReadFile("/proc/sys/kernel/perf_event_paranoid")
		return fmt.Errorf("not permitted: kernel.perf_event_paranoid is %s, or a sandbox forbids it",
			strings.TrimSpace(string(level)))
	case errors.Is(err, unix.ENOSYS):
		return errors.New("this system cannot count")
	}
	return err
}

// Read returns how often the event has happened. If the processor has fewer counters than are
// in use, they take turns: then it is an estimate.
func (c *Counter) Read() (n uint64) {
	var b [24]byte
	for _, file := range c.files {
		if got, err := unix.Read(file, b[:]); got != len(b) || err != nil {
			continue
		}
		count, enabled, running := binary.NativeEndian.Uint64(b[:]), binary.NativeEndian.Uint64(b[8:]),
			binary.NativeEndian.Uint64(b[16:])
		if running > 0 && running < enabled {
			count = uint64(float64(count) * float64(enabled) / float64(running))
		}
		n += count
	}
	return n
}

// Close ends the counting.
func (c *Counter) Close() {
	for _, file := range c.files {
		unix.Close(file)
	}
}
