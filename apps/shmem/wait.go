package shmem

import (
	"errors"

	"ocr/datablock/cell"
)

// errStopped is panicked in a PE that is to end because another one has failed or the run was
// cancelled. World's EDT recovers it.
var errStopped = errors.New("shmem: stopped")

// pollBurst is how many polls follow each other without anything else: less than a
// tenth of a microsecond.
const pollBurst = 64

// A watch waits for cells, for one PE. A burst of polls is a bounded loop of package cell;
// between bursts the scheduler and the collector can interrupt it.
type watch struct {
	Waiter
	stop *uint64 // the world's stop word
	done <-chan struct{}
}

// atLeast returns when the cell is v or more.
func (w *watch) atLeast(p *uint64, v uint64) {
	for polls := 0; !cell.Reach(p, v, pollBurst); polls += pollBurst {
		polls = pause(&w.Waiter, polls, w.Stopped)
	}
}

// pause is what a wait does between two bursts of polls: it gives the processor
// away when there were enough, and ends the PE when it is to stop.
func pause(w *Waiter, polls int, stopped func() bool) int {
	if polls < w.Polls {
		if w.Pause != nil {
			w.Pause(1)
		}
		return polls
	}
	if stopped() {
		panic(errStopped)
	}
	w.Yield()
	return 0
}

// Stopped reports whether the PE is to end. A PE that sees that the run was cancelled tells the others.
func (w *watch) Stopped() bool {
	if cell.Load(w.stop) != 0 {
		return true
	}
	select {
	case <-w.done:
		w.Stop()
		return true
	default:
		return false
	}
}

// Stop has all PEs end at their next check.
func (w *watch) Stop() { cell.Store(w.stop, 1) }
