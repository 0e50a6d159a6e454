package runtime

import (
	"slices"
	"sync"

	"ocr/internal/sys"
)

// insiders are the goroutines, beside those of workers, that the end of a run waits for: functions given to Blocking,
// and the caller of the run, which calls what the program wants to be called at its end. A run on the same workers must
// not begin there: it would wait for itself.
//
// Where goroutines cannot be told apart (see [sys.Goroutine]) there are none.
type insiders struct {
	mu  sync.Mutex
	run uint64          // how many runs have ended
	all map[uintptr]int // how many times each is inside
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
		if i.run == run {
			i.all[g]--
		}
	}
}

// end lets go of all of them: nothing waits for functions given to Blocking that go on after their run.
func (i *insiders) end() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.run++
	clear(i.all)
}

// call reports whether one of them calls it.
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
		return "called by what the run that is on waits for, as a function given to Blocking or AtEnd: " +
			"it would wait for itself"
	}
	return ""
}

// callsWaiting are the lines of calls that wait for the end of the run that is on.
type callsWaiting struct {
	mu    sync.Mutex
	sites []string
}

// add adds one, until it calls done.
func (w *callsWaiting) add(site string) (done func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sites = append(w.sites, site)
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		k := slices.Index(w.sites, site)
		w.sites = slices.Delete(w.sites, k, k+1)
	}
}

func (w *callsWaiting) list() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.sites)
}
