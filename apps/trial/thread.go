package trial

import "ocr/internal/core/sys"

// A Sight is what is known of a thread, in a form that a data block can hold.
type Sight struct {
	CPU         int   // where it runs, -1 unknown
	Preemptions int64 // how often it had to leave a processor so far, 0 unknown
}

// See looks at the calling thread. It takes a system call or two, about 1 us.
func See() Sight {
	_, forced := sys.ContextSwitches()
	return Sight{CPU: sys.CurrentCPU(), Preemptions: forced}
}

// Yield lets another thread that waits for this processor run first.
func Yield() { sys.Yield() }

// Pause executes the processor's hint for spin loops n times.
func Pause(n uint32) { sys.Pause(n) }

// Pin locks the calling goroutine to its thread, and the thread to a processor; undo reverses both.
func Pin(cpu int) (undo func(), err error) { return sys.Pin(cpu) }
