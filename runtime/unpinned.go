package runtime

import goruntime "runtime"

// Unpinned calls f on a thread that no worker is pinned to, and returns when f does.
// Bodies of EDTs start processes with it: a process inherits the mask of the thread that
// starts it, which for a worker's thread is one processor. In f it gets that of this
// process.
//
// It may be called anywhere. The worker of the EDT that calls it waits, as for any call
// that blocks. f is not on the EDT's goroutine, so it must not use the [edt.Ctx]. If it
// panics, or leaves by runtime.Goexit, so does Unpinned.
func Unpinned(f func()) {
	if f == nil {
		panic("runtime: Unpinned(nil): want a function")
	}
	var panicked any
	returned, ended := false, make(chan struct{})
	go func() { // Go never runs it, nor starts a thread for it, on a locked thread
		defer close(ended)
		defer func() {
			if !returned {
				panicked = recover()
			}
		}()
		f()
		returned = true
	}()
	<-ended
	switch {
	case returned:
	case panicked == nil:
		goruntime.Goexit()
	default:
		panic(panicked)
	}
}
