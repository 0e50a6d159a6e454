package runtime

import (
	"sync"

	"ocr/internal/core/sys"
)

// insiders are the goroutines, beside those of workers, that the end of a run waits for: functions given to Blocking,
// and the caller of the run, which calls the functions of AtEnd. A run on the same workers must not begin on one of
// them: it would wait for itself.
//
// Where goroutines have no known identity (see [sys.Goroutine]) there are none.
type insiders struct {
	mu  sync.Mutex
	run uint64          // number of runs that have ended
	all map[uintptr]int // nesting depth of each
}

// enter makes the calling goroutine one of them until it calls leave, or the run ends.
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
	i.all[g]++
	run := i.run
	return func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		if i.run != run {
			return
		}
		if i.all[g]--; i.all[g] == 0 {
			delete(i.all, g)
		}
	}
}

// end removes all: no later run waits for functions given to Blocking that outlast their run.
func (i *insiders) end() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.run++
	clear(i.all)
}

func (i *insiders) call() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.all[sys.Goroutine()] != 0
}

// whyInside says why the caller may not wait for the end of the run that is on, "" if it may.
func (t *team) whyInside() string {
	switch {
	case t.onWorker():
		return "called in the body of an EDT that runs on it: it would wait for itself"
	case t.pool.inside.call():
		return "called by a function that the run that is on waits for, as one given to Blocking or AtEnd: " +
			"it would wait for itself"
	}
	return ""
}
