package edt

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"ocr/internal/rank"
)

// Looks are snapshots of the other ranks, for which rank 0 has asked (LOOK, LOOKED). Each answers when it handles the
// message, so they are not of one moment; one that does not handle messages does not answer.
//
// Concurrency: all is under the lock of registry, but for done, which is closed when missing becomes 0.
type Looks struct {
	registry *lookRegistry
	ticket   uint64
	own      []awaited
	got      []*lookText // by rank, nil until that has answered
	missing  int
	done     chan struct{}
	waited   time.Duration
}

// A lookRegistry has the looks that are asked for.
//
// Concurrency: all is under mu.
type lookRegistry struct {
	mu   sync.Mutex
	last uint64
	open map[uint64]*Looks
	over bool // no rank is asked any more: it may have left the run
}

// A lookText is a look on its way to rank 0.
type lookText struct {
	*Snapshot
	Awaited []awaited
}

// AskLooks has rank 0 ask the others for their workers, or for all that a [Snapshot] has. It returns nil if there are
// no other ranks, on another rank, and when the ranks part.
func (g *Graph) AskLooks(all bool) *Looks {
	r := g.away
	if r == nil || r.me != 0 {
		return nil
	}
	l := &Looks{registry: &r.looks, got: make([]*lookText, r.size), missing: r.size - 1, done: make(chan struct{})}
	if all {
		l.own = g.awaitedElsewhere()
	}
	reg := l.registry
	reg.mu.Lock()
	defer reg.mu.Unlock()
	if reg.over {
		return nil
	}
	reg.last++
	l.ticket = reg.last
	if reg.open == nil {
		reg.open = make(map[uint64]*Looks)
	}
	reg.open[l.ticket] = l
	m := &rank.Message{Kind: msgLook, Count: 2, Words: [7]uint64{l.ticket}}
	if all {
		m.Words[1] = 1
	}
	r.sendDown(m)
	return l
}

// Await waits until all ranks have answered, for at most so long, and at most until over is closed. It may be called on
// nil.
func (l *Looks) Await(most time.Duration, over <-chan struct{}) {
	if l == nil {
		return
	}
	l.waited = most
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-l.done:
	case <-timer.C:
	case <-over:
	}
}

// AddTo adds what the other ranks have answered to a snapshot of rank 0, and names those that have not. It may be
// called on nil.
func (l *Looks) AddTo(s *Snapshot) {
	if l == nil {
		return
	}
	l.registry.mu.Lock()
	delete(l.registry.open, l.ticket)
	l.registry.mu.Unlock()
	waits := [][]awaited{l.own}
	for k, told := range l.got {
		switch {
		case k == 0:
		case told == nil:
			s.Silent = append(s.Silent, fmt.Sprintf("rank %d has not answered for %v", k, l.waited))
		default:
			s.add(told.Snapshot)
			waits = append(waits, told.Awaited)
		}
	}
	joinWaits(s.Waiting, slices.Concat(waits...))
}

// add adds what another rank has.
func (s *Snapshot) add(o *Snapshot) {
	s.Workers = append(s.Workers, o.Workers...)
	for _, t := range o.Templates {
		k, found := slices.BinarySearchFunc(s.Templates, t.Template, func(a TemplateState, name string) int {
			return cmp.Compare(a.Template, name)
		})
		if !found {
			s.Templates = slices.Insert(s.Templates, k, t)
			continue
		}
		sum := &s.Templates[k]
		sum.Waiting += t.Waiting
		sum.Acquiring += t.Acquiring
		sum.Ready += t.Ready
		sum.Running += t.Running
	}
	s.Count += o.Count
	s.Waiting = append(s.Waiting, o.Waiting[:min(len(o.Waiting), stuckShown-len(s.Waiting))]...)
	s.Outside = append(s.Outside, o.Outside...)
}

// handleLook answers a look, on whatever goroutine handles messages.
func (r *away) handleLook(g *Graph, m *rank.Message) {
	all := m.Words[1] != 0
	var told lookText
	if look := r.config.Look; look != nil {
		told.Snapshot = look(all)
	} else if all {
		told.Snapshot = g.Snapshot()
	} else {
		told.Snapshot = &Snapshot{Workers: g.WorkerStates()}
	}
	if all {
		told.Awaited = g.awaitedElsewhere()
	}
	tail, err := json.Marshal(told)
	if err != nil {
		panic(err) // it is plain data
	}
	r.sendUp(&rank.Message{Kind: msgLooked, Count: 2, Words: [7]uint64{m.Words[0], uint64(r.me)}, Tail: tail})
}

// take takes the answer of a rank.
func (reg *lookRegistry) take(m *rank.Message) {
	told, from := new(lookText), m.Words[1]
	if err := json.Unmarshal(m.Tail, told); err != nil {
		panic(err) // both are of one program
	}
	reg.mu.Lock()
	defer reg.mu.Unlock()
	l := reg.open[m.Words[0]]
	if l == nil || l.got[from] != nil {
		return // the answer comes too late
	}
	l.got[from] = told
	if l.missing--; l.missing == 0 {
		close(l.done)
	}
}

// end refuses questions from now on.
func (reg *lookRegistry) end() {
	reg.mu.Lock()
	defer reg.mu.Unlock()
	reg.over = true
}
