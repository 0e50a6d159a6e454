package main

import (
	goruntime "runtime"
	"runtime/debug"

	c2capp "ocr/apps/c2c"
	"ocr/internal/sys"
)

// c2cSystem is the operating system as trials see it.
var c2cSystem = c2capp.System{
	Sight: func() c2capp.Sight {
		_, forced := sys.ContextSwitches()
		return c2capp.Sight{CPU: sys.CurrentCPU(), Preemptions: forced}
	},
	Yield: sys.Yield,
	Pin:   pinThread,
}

// pinThread locks the calling goroutine to its thread and that to a processor. A
// thread whose mask cannot be restored stays locked, and ends with its goroutine.
func pinThread(cpu int) (undo func(), err error) {
	goruntime.LockOSThread()
	before, err := sys.GetAffinity()
	if err != nil {
		goruntime.UnlockOSThread()
		return nil, err
	}
	if err := sys.SetAffinity([]int{cpu}); err != nil {
		if sys.SetAffinity(before) == nil {
			goruntime.UnlockOSThread()
		}
		return nil, err
	}
	return func() {
		if sys.SetAffinity(before) == nil {
			goruntime.UnlockOSThread()
		}
	}, nil
}

// uncollected runs f without garbage collections that nobody asks for.
func uncollected(f func()) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	f()
}

// spareProcessor gives Go's scheduler a processor more than two polling threads
// take, as the runtime does, so that every form has it. undo reverses that.
func spareProcessor() (undo func()) {
	before := goruntime.GOMAXPROCS(max(3, goruntime.GOMAXPROCS(0)))
	return func() { goruntime.GOMAXPROCS(before) }
}
