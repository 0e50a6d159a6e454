package sys

import (
	"math"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Operations of futex(2), among the threads of this process.
const (
	futexWait = 0 | futexPrivate
	futexWake = 1 | futexPrivate

	futexPrivate = 128
)

// FutexWait blocks the calling thread while *addr is val, until a FutexWake on addr or until timeout has passed;
// timeout <= 0 means none. It may return early, so the caller must check its condition again. The kernel compares *addr
// with val and queues the thread in one step: so no wake-up is lost if the waker changes *addr before it calls
// FutexWake.
//
// It uses Syscall6, which lets Go's scheduler run other goroutines in place of this one; RawSyscall6 would hold the
// scheduler's processor, and the collector would hang.
func FutexWait(addr *uint32, val uint32, timeout time.Duration) {
	var limit *unix.Timespec
	if timeout > 0 {
		ts := unix.NsecToTimespec(int64(timeout))
		limit = &ts
	}
	unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(addr)), futexWait, uintptr(val),
		uintptr(unsafe.Pointer(limit)), 0, 0)
}

// FutexWake wakes up to n threads that wait on addr; n <= 0 wakes none. It may
// be called from any thread and never blocks.
func FutexWake(addr *uint32, n int) {
	if n > 0 {
		unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(addr)), futexWake, uintptr(min(n, math.MaxInt32)), 0, 0, 0)
	}
}
