package runtime

import (
	"sync"
	"time"

	"ocr/edt"
)

// An Inspector looks at a run from outside; see [Inspect].
//
// Concurrency: mu is held during each look, and where a run begins and ends, so that
// no graph is looked at once it is closed. Workers never take it.
type Inspector struct {
	mu    sync.Mutex
	graph *edt.Graph // of the run that is on, nil for none
	seen  []sighting // by worker
}

// A sighting is when a worker was first seen to run an EDT.
type sighting struct {
	state edt.WorkerState
	at    time.Time
}

// Inspect lets an inspector look at the run, for as long as it is on. One inspector may
// look at one run after the other, at one at a time. It costs the run nothing while
// nobody looks.
func Inspect(i *Inspector) Option {
	return func(s *settings) { s.looks = append(s.looks, i) }
}

// lookAgain is how long after a snapshot workers are looked at again, to tell which still
// run the same EDT.
const lookAgain = 20 * time.Millisecond

// Snapshot describes the graph of the run that is on, nil if none is. Any goroutine
// may call it, also an EDT. It takes lookAgain longer than the look itself if EDTs
// run; the end of a run waits for a look that goes on.
func (i *Inspector) Snapshot() *edt.Snapshot {
	g, s := i.look()
	if s == nil || !anyRuns(s.Workers) {
		return s
	}
	time.Sleep(lookAgain)
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.graph == g {
		now := i.lookAtWorkers()
		for k := range s.Workers {
			if w := &s.Workers[k]; w.Same(&now[k]) {
				w.For = now[k].For
			}
		}
	}
	return s
}

func anyRuns(workers []edt.WorkerState) bool {
	for k := range workers {
		if !workers[k].EDT.IsNull() {
			return true
		}
	}
	return false
}

func (i *Inspector) look() (*edt.Graph, *edt.Snapshot) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.graph == nil {
		return nil, nil
	}
	s := i.graph.Snapshot()
	i.note(s.Workers)
	return i.graph, s
}

// lookAtWorkers is a look at the workers alone. The caller holds the lock, and a run is
// on.
func (i *Inspector) lookAtWorkers() []edt.WorkerState {
	all := i.graph.WorkerStates()
	i.note(all)
	return all
}

// note fills in since when workers have been seen to run their EDTs.
func (i *Inspector) note(workers []edt.WorkerState) {
	now := time.Now()
	if i.seen == nil {
		i.seen = make([]sighting, len(workers))
	}
	for k := range workers {
		w, s := &workers[k], &i.seen[k]
		if w.Same(&s.state) {
			w.For = now.Sub(s.at)
		} else {
			*s = sighting{*w, now}
		}
	}
}

func (i *Inspector) begin(g *edt.Graph) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.graph, i.seen = g, nil
}

func (i *Inspector) end(g *edt.Graph) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.graph == g {
		i.graph, i.seen = nil, nil
	}
}

// beSeen begins what looks at the run from outside.
func (r *run) beSeen() {
	for _, i := range r.looks {
		i.begin(r.graph)
	}
	r.monitor.begin(r.graph)
}

// beHidden ends that, before the graph is closed.
func (r *run) beHidden() {
	r.monitor.end()
	for _, i := range r.looks {
		i.end(r.graph)
	}
}
