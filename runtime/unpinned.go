package runtime

import goruntime "runtime"

// Unpinned calls f on a thread that is not pinned, and returns when f does. Bodies of EDTs start processes with it: a
// process inherits the affinity mask of the thread that starts it, and the mask of a worker's thread is one processor.
// In f the mask is that of this process.
//
// Unpinned may be called anywhere. The worker of the EDT that calls it waits until f returns. f runs on another
// goroutine than the EDT, so it must not use the [edt.Ctx]. If f panics, or calls runtime.Goexit, so does Unpinned.
func Unpinned(f func()) {
	if f == nil {
		panic("runtime: Unpinned(nil): want a function")
	}
	var panicked any
	returned, ended := false, make(chan struct{})
	go func() { // Go runs it on a thread to which no goroutine is locked, and starts that from such a thread
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
