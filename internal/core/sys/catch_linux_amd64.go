package sys

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// catchFault is the handler of SIGSEGV. Go code does not call it.
//
//lint:ignore U1000 the kernel calls it
func catchFault()

// passFault is the handler that was there before: catchFault goes on to it.
//
//lint:ignore U1000 the assembly reads it
var passFault uintptr

// catchFaultPC returns where catchFault begins.
func catchFaultPC() uintptr

// Goroutine returns a number that no other living goroutine has.
func Goroutine() uintptr

// stackOf fills pcs with where the functions return to that have called the one which calls it, innermost first, and
// returns how many they are.
//
//go:noescape
func stackOf(pcs []uintptr) int

// Stack fills pcs with numbers that no other stack of calls has, and returns how many they are: where its callers
// return to, innermost first. It takes a tenth of the time of runtime.Callers, which also tells apart what is inlined.
//
//go:noinline
func Stack(pcs []uintptr) int { return stackOf(pcs) }

// A sigaction is the kernel's struct sigaction.
type sigaction struct {
	handler, flags, restorer, mask uintptr
}

// catchFaults puts catchFault before the handler of the Go runtime, with the same flags:
// it also runs on the thread's signal stack, with all signals blocked.
func catchFaults() bool {
	var act sigaction
	if !rtSigaction(nil, &act) || act.handler <= 1 || Page != 4096 {
		return false
	}
	passFault = act.handler
	act.handler = catchFaultPC()
	return rtSigaction(&act, nil)
}

func rtSigaction(act, old *sigaction) bool {
	_, _, err := unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(unix.SIGSEGV),
		uintptr(unsafe.Pointer(act)), uintptr(unsafe.Pointer(old)), unsafe.Sizeof(act.mask), 0, 0)
	return err == 0
}
