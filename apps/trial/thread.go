package trial

import "ocr/internal/core/sys"

// A Sight is the state of a thread, in a form that a data block can hold.
type Sight struct {
	CPU         int   // the thread's processor, -1 if unknown
	Preemptions int64 // how often it has lost its processor, 0 if unknown
}

// See returns the state of the calling thread. It takes one or two system calls, about 1 us.
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
