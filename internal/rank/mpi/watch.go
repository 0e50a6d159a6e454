//go:build mpi

package mpi

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

// A watch detects the end of the job: mpirun sends all ranks a signal if one of them ends. If mpirun itself is killed,
// or its daemon on this machine, no signal comes, but this process gets another parent.
type watch struct {
	ended atomic.Pointer[func(why string)] // nil while MPI begins and ends: the process then just exits
	done  chan struct{}
}

var parent = os.Getppid()

// parentLook is the time between two checks of the parent.
const parentLook = 200 * time.Millisecond

func newWatch() *watch {
	w := &watch{done: make(chan struct{})}
	go w.look()
	return w
}

func (w *watch) look() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	defer signal.Stop(signals)
	looks := time.NewTicker(parentLook)
	defer looks.Stop()
	why := "mpirun has told it to end: another rank is gone, see its message"
	for waits := true; waits; {
		select {
		case <-signals:
			waits = false
		case <-looks.C:
			if os.Getppid() != parent {
				waits, why = false, "mpirun has ended"
			}
		case <-w.done:
			return
		}
	}
	if ended := w.ended.Load(); ended != nil {
		(*ended)(why)
	} else {
		os.Exit(1)
	}
}

// call sets the function to call at the end of the job; nil exits.
func (w *watch) call(ended func(why string)) {
	if ended == nil {
		w.ended.Store(nil)
	} else {
		w.ended.Store(&ended)
	}
}

func (w *watch) stop() { close(w.done) }
