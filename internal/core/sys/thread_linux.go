package sys

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// CurrentCPU returns the CPU the calling thread runs on, -1 when unknown. It is
// a system call, about 0.2 us: not for a hot path.
func CurrentCPU() int {
	var cpu uint32
	if _, _, errno := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&cpu)), 0, 0); errno != 0 {
		return -1
	}
	return int(cpu)
}

// ThreadID returns the operating system's id of the calling thread.
func ThreadID() int { return unix.Gettid() }

// Yield lets another thread that waits for this CPU run first. It is the
// system's yield, not Go's: the goroutine stays on its thread.
func Yield() { unix.Syscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }

// ContextSwitches returns how often the calling thread has left its CPU so far:
// voluntary because it waited, involuntary because it was preempted. Both are 0
// when unknown.
func ContextSwitches() (voluntary, involuntary int64) {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &usage); err != nil {
		return 0, 0
	}
	return int64(usage.Nvcsw), int64(usage.Nivcsw)
}

// ProcessTime returns the processor time of the process so far: of all its threads, of the children that it has waited
// for, and of those that still run.
func ProcessTime() time.Duration {
	cpu := runningChildren("self")
	for _, who := range []int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
		var usage unix.Rusage
		if unix.Getrusage(who, &usage) == nil {
			cpu += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
		}
	}
	return cpu
}

// runningChildren returns the processor time of a process's children that have not been waited for, and of their
// descendants, such as the ranks of mpirun. It is 0 if /proc does not list them.
func runningChildren(of string) (cpu time.Duration) {
	lists, _ := filepath.Glob("/proc/" + of + "/task/*/children") // for each thread the children that it has started
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for _, child := range strings.Fields(string(text)) {
			pid, _ := strconv.ParseInt(child, 10, 32)
			var ts unix.Timespec
			if unix.ClockGettime(int32(^pid<<3|2), &ts) == nil { // the clock of a process, see clock_getcpuclockid(3)
				cpu += time.Duration(ts.Nano()) + runningChildren(child)
			}
		}
	}
	return cpu
}
