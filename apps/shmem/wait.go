package shmem

import (
	"errors"

	"ocr/apps/trial"
	"ocr/datablock/cell"
)

// A Waiter says how PEs wait. Every wait polls a cell in bursts of 64 loads, with the processor's hint for spin loops
// between them; a Waiter says when to yield the processor, without which more PEs than processors would not finish.
type Waiter struct {
	// Yield lets another thread that waits for this processor run; nil: the system's
	// call. PEs on other ranks have that.
	Yield func()
	// Polls is the number of fruitless polls before each yield, rounded up to whole bursts of 64. 0: DefaultPolls if
	// each PE has a processor of its own, OversubscribedPolls if PEs share processors.
	Polls int
}

// Defaults of [Waiter.Polls].
const (
	DefaultPolls        = 20_000
	OversubscribedPolls = 64
)

// settled returns w with its defaults filled in; oversubscribed says that PEs share processors.
func (w Waiter) settled(oversubscribed bool) Waiter {
	if w.Yield == nil {
		w.Yield = trial.Yield
	}
	if w.Polls <= 0 {
		w.Polls = DefaultPolls
		if oversubscribed {
			w.Polls = OversubscribedPolls
		}
	}
	return w
}

// errStopped is panicked in a PE that ends because another one has failed or the run was cancelled. World's EDT
// recovers it.
var errStopped = errors.New("shmem: stopped")

// pollBurst is how many polls follow each other without anything else: less than a tenth of a microsecond.
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

// pause runs between two bursts of polls: it yields the processor
// away when there were enough, and ends the PE when it is to stop.
func pause(w *Waiter, polls int, stopped func() bool) int {
	if polls < w.Polls {
		trial.Pause(1)
		return polls
	}
	if stopped() {
		panic(errStopped)
	}
	w.Yield()
	return 0
}

// Stopped reports whether the PE is to end. A PE that sees that the run was cancelled stops the others.
func (w *watch) Stopped() bool {
	if cell.Load(w.stop) != 0 {
		return true
	}
	select {
	case <-w.done:
	default:
		return false
	}
	w.Stop()
	return true
}

// Stop has all PEs end at their next check.
func (w *watch) Stop() { cell.Store(w.stop, 1) }
