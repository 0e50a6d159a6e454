package runtime

import (
	"sync"

	"ocr/internal/core/sys"
)

// insiders is a set of goroutines that execute a function of the program. The end of a run waits for workers and for
// the goroutine in pool.inside, the caller of Run, which calls the functions of AtEnd. Until the run is stopped it also
// waits for those in pool.outside, which execute functions given to Blocking. monitor.telling and queue.telling have
// goroutines that report. None of these goroutines may begin a run of the same pool: the run would wait for itself.
//
// The set is empty on systems where goroutines have no known identity (see [sys.Goroutine]).
type insiders struct {
	mu  sync.Mutex
	all map[uintptr]int // the nesting depth of each goroutine
}

// enter adds the calling goroutine to the set until leave is called, or the run ends.
func (i *insiders) enter() (leave func()) {
	g := sys.Goroutine()
	if i == nil || g == 0 {
		return func() {}
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.all == nil {
		i.all = make(map[uintptr]int)
	}
	all := i.all
	all[g]++
	return func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		if all[g]--; all[g] == 0 {
			delete(all, g)
		}
	}
}

// end empties the set: a function given to Blocking may outlast its run, and no later run waits for it.
func (i *insiders) end() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.all = nil // not cleared: a goroutine that leaves later leaves the old set
}

func (i *insiders) call() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.all[sys.Goroutine()] != 0
}

const insideReport = "called by a report of the pool: it would wait for itself"

// whyInside says why the caller may not wait for the end of the run that is on, "" if the caller may.
func (p *Pool) whyInside() string {
	switch {
	case p.onWorker():
		return "called in the body of an EDT that runs on it: it would wait for itself"
	case p.monitor.telling.call():
		return insideReport
	case p.pool.inside.call() || !p.pool.stopped.Load() && p.pool.outside.call():
		return "called by a function that the run that is on waits for, as one given to Blocking or AtEnd: " +
			"it would wait for itself"
	}
	return ""
}
