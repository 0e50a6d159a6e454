package sys

import (
	"sync"

	"golang.org/x/sys/unix"
)

// Commands of membarrier(2).
const (
	membarrierPrivateExpedited         = 1 << 3
	membarrierRegisterPrivateExpedited = 1 << 4
)

// HasProcessBarrier reports whether [ProcessBarrier] works here. It must be called before the first ProcessBarrier.
var HasProcessBarrier = sync.OnceValue(func() bool {
	_, _, failed := unix.Syscall(unix.SYS_MEMBARRIER, membarrierRegisterPrivateExpedited, 0, 0)
	return failed == 0
})

// ProcessBarrier makes every thread of the process that is running execute a full memory barrier, at some moment
// between the call and its return. So if one side of a handshake is rare, that side calls it, and the other side needs
// no barrier: see membarrier(2). It costs the caller one or several microseconds, and each running thread about one.
func ProcessBarrier() { unix.Syscall(unix.SYS_MEMBARRIER, membarrierPrivateExpedited, 0, 0) }
