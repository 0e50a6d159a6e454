//go:build !linux

package sys

import (
	"errors"
	"fmt"
	"os"
	goruntime "runtime"
	"time"
	"unsafe"
)

// GetAffinity is not supported on this system.
func GetAffinity() ([]int, error) {
	return nil, fmt.Errorf("sys: read affinity: %w", errors.ErrUnsupported)
}

// SetAffinity is not supported on this system.
func SetAffinity([]int) error { return fmt.Errorf("sys: set affinity: %w", errors.ErrUnsupported) }

// MachineTime is [Nanotime]: no run has other ranks here.
func MachineTime() int64 { return Nanotime() }

// CurrentCPU returns -1: unknown on this system.
func CurrentCPU() int { return -1 }

// ThreadID returns 0: unknown on this system.
func ThreadID() int { return 0 }

// ContextSwitches returns zeros: unknown on this system.
func ContextSwitches() (voluntary, involuntary int64) { return 0, 0 }

// ProcessTime returns 0: unknown on this system.
func ProcessTime() time.Duration { return 0 }

// CPUQuota returns 0: none is known on this system.
func CPUQuota() float64 { return 0 }

// LacksThreads returns "": no limit is known on this system.
func LacksThreads(int) string { return "" }

// TotalMemory returns 0: unknown on this system.
func TotalMemory() uint64 { return 0 }

// AddressSpace returns 0: unknown on this system.
func AddressSpace() uint64 { return 0 }

// futexNap is how long a wait lasts if there is no futex: a wake-up is late by at most this time.
const futexNap = 50 * time.Microsecond

// FutexWait sleeps for a moment and returns, whatever *addr holds: the caller
// checks its condition again, as it must after any FutexWait.
func FutexWait(_ *uint32, _ uint32, timeout time.Duration) {
	if timeout <= 0 || timeout > futexNap {
		timeout = futexNap
	}
	time.Sleep(timeout)
}

// FutexWake does nothing: a FutexWait on this system ends by itself.
func FutexWake(*uint32, int) {}

// Exec is not supported on this system.
func Exec(string, []string) error { return errors.ErrUnsupported }

// Yield gives up the processor for a moment.
func Yield() { goruntime.Gosched() }

// MapAt returns false: memory comes from the Go heap on this system.
func MapAt(unsafe.Pointer, int) bool { return false }

// UseHugePages does nothing.
func UseHugePages(unsafe.Pointer, int) {}

// DropPages does nothing.
func DropPages(unsafe.Pointer, int) {}

// Reserve returns nil: this package reserves no addresses on this system.
func Reserve(int) unsafe.Pointer { return nil }

// Clear is not supported on this system.
func Clear(unsafe.Pointer, int, Protection) error { return errors.ErrUnsupported }

// Protect is not supported on this system.
func Protect(unsafe.Pointer, int, Protection) error { return errors.ErrUnsupported }

// Columns returns 0: the width of a terminal is unknown on this system.
func Columns(*os.File) int { return 0 }

// HasProcessBarrier reports whether [ProcessBarrier] works here: it does not.
func HasProcessBarrier() bool { return false }

// ProcessBarrier is not supported on this system.
func ProcessBarrier() { panic("sys: process barrier: not supported") }
