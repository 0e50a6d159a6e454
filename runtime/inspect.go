package runtime

import (
	"slices"
	"sync"
	"time"

	"ocr/edt"
)

// An Inspector takes snapshots of a run from outside; see [Inspect].
//
// Concurrency: mu is held during each snapshot of this rank, and where a run begins and ends, so that no closed graph
// is read. Workers never take it. It is not held during the wait for other ranks.
type Inspector struct {
	mu    sync.Mutex
	graph *edt.Graph      // of the run that is on, nil for none
	over  <-chan struct{} // closed shortly before the end of that run; nil if there are no other ranks
	in    *insiders       // of that run: its end waits for a snapshot
	seen  []sighting      // by worker of this rank
}

// A sighting is the time at which a worker was first seen to run an EDT.
type sighting struct {
	state edt.WorkerState
	at    time.Time
}

// Inspect gives an inspector access to the run while it is on. One inspector may be given to several runs, of which one
// is on at a time. The run pays only for snapshots. Over [Ranks] an inspector of rank 0 sees all ranks.
func Inspect(i *Inspector) Option {
	return func(s *settings) {
		if i == nil {
			s.refuse("Inspect(nil)", "want an inspector: new(runtime.Inspector)")
		}
		s.looks = append(s.looks, i)
	}
}

// lookAgain is the time from a snapshot to a second look at the workers, which finds those that still run the same EDT.
const lookAgain = 20 * time.Millisecond

// lookWait bounds the wait for the answers of other ranks, which they send even while bodies run. Tests shorten it.
var lookWait = time.Second

// Snapshot describes the graph of the run that is on; it is nil if none is. Any goroutine may call it, and so may the
// body of an EDT. If EDTs run it takes 20 ms longer, for a second look at them. The end of the run waits for it.
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

// look takes a snapshot of the run that is on, nil if none is: of the whole graph, or of its workers only.
func (i *Inspector) look(all bool) (*edt.Graph, *edt.Snapshot) {
	g, s, others, over := i.lookHere(all)
	others.Await(lookWait, over)
	others.AddTo(s)
	return g, s
}

// lookHere takes a snapshot of this rank, and asks the other ranks for theirs.
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

// note fills in for how long workers have been seen to run their EDTs.
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

// answerLooks lets the rank answer requests of rank 0 for snapshots.
func (r *run) answerLooks() {
	r.self.begin(r.graph, nil, &r.pool.inside)
	r.ranks.Look = func(all bool) *edt.Snapshot {
		_, s, _, _ := r.self.lookHere(all)
		return s
	}
}

// beSeen gives inspectors and the monitor access to the run.
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

// beHidden ends their access, before the graph is closed.
func (r *run) beHidden() {
	if r.over != nil {
		close(r.over)
	}
	r.monitor.end()
	for _, i := range r.looks {
		i.end(r.graph)
	}
}
