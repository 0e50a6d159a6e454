package runtime

import (
	"sync"
	"sync/atomic"
	"time"

	"ocr/edt"
)

// A standby handles messages of other ranks while no worker has time for that, so that a rank which waits for an answer, for the
// lease of a block, or for what it holds others back for, does not wait for the end of a long body. It also ends the run if a
// rank is gone. It is a goroutine of the run, and the [edt.Host] of what it makes ready.
//
// Workers look for messages while they search and between two EDTs, and when all are parked one of them sleeps in
// the engine (see ranks.go). So the standby takes only what waits at two of its looks, if nothing was handled in between. It looks
// seldom until it has found something, and seldom again when workers do it.
type standby struct {
	run      *run
	waited   bool   // there were messages at the last look,
	received uint64 // and so many had been handled
	gap      time.Duration
}

// The least and the longest time between two looks of the standby.
const (
	shortGap = 50 * time.Microsecond
	longGap  = time.Millisecond
)

// standBy starts the standby of a run, if there are other ranks.
func (r *run) standBy() (stop func()) {
	if r.ranks == nil {
		return func() {}
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		s := &standby{run: r, gap: longGap}
		timer := time.NewTimer(s.gap)
		defer timer.Stop()
		for {
			select {
			case <-done:
				return
			case <-r.ranks.Engine.Lost():
				r.pool.stop(rankLost)
				return
			case <-timer.C:
			}
			s.look()
			timer.Reset(s.gap)
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

func (s *standby) look() {
	graph := s.run.graph
	waited, before := s.waited, s.received
	s.waited, s.received = graph.Mail(), graph.Received()
	switch {
	case !s.waited || s.received != before:
		s.gap = min(2*s.gap, longGap)
	case !waited:
		s.gap = shortGap
	default:
		s.handle()
	}
}

// handle handles what has arrived. All workers may be parked by now: then none of them finds that the run is over.
func (s *standby) handle() {
	p, graph := s.run.pool, s.run.graph
	graph.Deliver(s)
	if p.quiescent() && graph.Passive() {
		p.stop(drained)
	}
	if now := graph.Received(); now != s.received {
		s.received, s.gap = now, shortGap
	} else { // what is there has come too early, or is held back
		s.gap = min(2*s.gap, longGap)
	}
}

// Ready implements [edt.Host].
func (s *standby) Ready(k edt.Ready) {
	p := s.run.pool
	if to := k.Place().Worker(); to >= 0 {
		p.workers[to].inbox.send(k)
		p.workers[to].wake()
		return
	}
	p.delivered.put(k)
	p.ring()
}

// Stop implements [edt.Host].
func (s *standby) Stop() { s.run.pool.stop(fromEDT) }

// A readyList holds EDTs that the standby has made ready and that may run anywhere. The next worker that looks for
// mail takes them, and then others can steal them.
//
// Concurrency: list is under mu; count is its length, for those that look without mu.
type readyList struct {
	count atomic.Int64
	mu    sync.Mutex
	list  []edt.Ready
}

func (l *readyList) put(k edt.Ready) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, k)
	l.count.Add(1)
}

// take takes all of them.
func (l *readyList) take() []edt.Ready {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := l.list
	l.list = nil
	l.count.Store(0)
	return all
}
