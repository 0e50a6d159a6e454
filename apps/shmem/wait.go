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

// A watch waits for cells, for one PE. Loops around loads are in Go, where the
// scheduler and the collector can interrupt them.
type watch struct {
	Waiter
	stop *uint64 // the world's stop word
	done <-chan struct{}
}

// atLeast returns when the cell is v or more.
func (w *watch) atLeast(p *uint64, v uint64) {
	for polls := 0; !cell.Reach(p, v, pollBurst); polls += pollBurst {
		polls = w.between(polls)
	}
}

// between is what a wait does between two bursts of polls: it gives the processor
// away when there were enough, and ends the PE when it is to stop.
func (w *watch) between(polls int) int {
	if polls < w.Polls {
		if w.Pause != nil {
			w.Pause(1)
		}
		return polls
	}
	w.check()
	w.Yield()
	return 0
}

// check ends the PE where it is to stop.
func (w *watch) check() {
	if cell.Load(w.stop) != 0 {
		panic(errStopped)
	}
	select {
	case <-w.done:
		w.stopAll()
		panic(errStopped)
	default:
	}
}

// stopAll has all PEs end at their next check.
func (w *watch) stopAll() { cell.Store(w.stop, 1) }
