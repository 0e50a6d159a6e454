package runtime

import (
	"slices"
	"sync"
	"time"

	"ocr/edt"
)

// An Inspector looks at a run from outside; see [Inspect].
//
// Concurrency: mu is held during each look at this rank, and where a run begins and ends, so that
// no graph is looked at once it is closed. Workers never take it. It is not held while other ranks are waited for.
type Inspector struct {
	mu    sync.Mutex
	graph *edt.Graph      // of the run that is on, nil for none
	over  <-chan struct{} // closed when that run is about to end; nil if there are no other ranks
	in    *insiders       // of that run: its end waits for a look
	seen  []sighting      // by worker of this rank
}

// A sighting is when a worker was first seen to run an EDT.
type sighting struct {
	state edt.WorkerState
	at    time.Time
}

// Inspect lets an inspector look at the run, for as long as it is on. One inspector may
// look at one run after the other, at one at a time. It costs the run nothing while
// nobody looks. That of rank 0 looks at all ranks, if there are several.
func Inspect(i *Inspector) Option {
	return func(s *settings) {
		if i == nil {
			s.refuse("Inspect(nil)", "want an inspector: new(runtime.Inspector)")
		}
		s.looks = append(s.looks, i)
	}
}

// lookAgain is how long after a snapshot workers are looked at again, to tell which still
// run the same EDT.
const lookAgain = 20 * time.Millisecond

// lookWait is how long a look waits for other ranks. They answer while bodies run. Tests shorten it.
var lookWait = time.Second

// Snapshot describes the graph of the run that is on, nil if none is. Any goroutine
// may call it, also an EDT. It takes lookAgain longer than the look itself if EDTs
// run; the end of a run waits for a look that goes on.
func (i *Inspector) Snapshot() *edt.Snapshot {
	if i == nil {
		return nil
	}
	g, s := i.look(true)
	if s == nil || !anyRuns(s.Workers) {
		return s
	}
	time.Sleep(lookAgain)
	again, now := i.look(false)
	if again != g {
		return s
	}
	for k := range s.Workers {
		w := &s.Workers[k]
		same := func(o edt.WorkerState) bool { return o.Worker == w.Worker && w.Same(&o) }
		if at := slices.IndexFunc(now.Workers, same); at >= 0 {
			w.For = now.Workers[at].For
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

// look looks at the run that is on, nil if none is: at all of it, or at the workers.
func (i *Inspector) look(all bool) (*edt.Graph, *edt.Snapshot) {
	g, s, others, over := i.lookHere(all)
	others.Await(lookWait, over)
	others.AddTo(s)
	return g, s
}

// lookHere is a look at this rank, and begins one at the others.
func (i *Inspector) lookHere(all bool) (g *edt.Graph, s *edt.Snapshot, others *edt.Looks, over <-chan struct{}) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if g = i.graph; g == nil {
		return nil, nil, nil, nil
	}
	defer i.in.enter()()
	others = g.AskLooks(all)
	if all {
		s = g.Snapshot()
	} else {
		s = &edt.Snapshot{Workers: g.WorkerStates()}
	}
	i.note(s.Workers)
	return g, s, others, i.over
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

func (i *Inspector) begin(g *edt.Graph, over <-chan struct{}, in *insiders) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.graph, i.over, i.in, i.seen = g, over, in, nil
}

func (i *Inspector) end(g *edt.Graph) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.graph == g {
		i.graph, i.over, i.in, i.seen = nil, nil, nil, nil
	}
}

// answerLooks has the rank answer the looks of rank 0.
func (r *run) answerLooks() {
	r.self.begin(r.graph, nil, &r.pool.inside)
	r.ranks.Look = func(all bool) *edt.Snapshot {
		_, s, _, _ := r.self.lookHere(all)
		return s
	}
}

// beSeen begins what looks at the run from outside.
func (r *run) beSeen() {
	if r.ranks != nil {
		r.over = make(chan struct{})
		r.answerLooks()
	}
	for _, i := range r.looks {
		i.begin(r.graph, r.over, &r.pool.inside)
	}
	r.monitor.begin(r.graph, r.over)
}

// beHidden ends that, before the graph is closed.
func (r *run) beHidden() {
	if r.over != nil {
		close(r.over)
	}
	r.monitor.end()
	for _, i := range r.looks {
		i.end(r.graph)
	}
}
