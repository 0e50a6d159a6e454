package runtime

import (
	"time"

	"ocr/edt"
)

// A poller is a goroutine of the run that handles messages of other ranks while all workers are in long bodies. Without
// it a rank that waits for an answer or a block would wait for the end of these bodies. The poller is the [edt.Host] of
// the EDTs that it makes ready.
//
// Workers poll while they search and between two EDTs; if all are parked one of them sleeps in the engine (see
// ranks.go). So the poller handles messages only if two of its looks in a row find some, and none was handled in
// between. While workers handle the messages the time between two looks doubles, up to longGap.
type poller struct {
	run      *run
	waited   bool   // the last look found messages
	received uint64 // the number of messages handled before the last look
	gap      time.Duration
}

// The shortest and the longest time between two looks of the poller.
const (
	shortGap = 50 * time.Microsecond
	longGap  = time.Millisecond
)

// startPoller starts the poller of a run, if there are other ranks.
func (r *run) startPoller() (stop func()) {
	if r.ranks == nil {
		return func() {}
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		s := &poller{run: r, gap: longGap}
		timer := time.NewTimer(s.gap)
		defer timer.Stop()
		for {
			select {
			case <-done:
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

func (s *poller) look() {
	graph := s.run.graph
	if s.run.pool.stopped.Load() { // bodies that still run may take long
		graph.TellEnd()
	}
	waited, before := s.waited, s.received
	s.waited, s.received = graph.Mail(), s.run.ranks.Received()
	switch {
	case !s.waited || s.received != before:
		s.gap = min(2*s.gap, longGap)
	case !waited:
		s.gap = shortGap
	default:
		s.handle()
	}
}

// handle handles the messages that have arrived. Then it checks for the end of the run, as workers that are parked by
// now do not.
func (s *poller) handle() {
	p, graph := s.run.pool, s.run.graph
	p.reading.Lock()
	graph.Deliver(s)
	p.reading.Unlock()
	if graph.Passive(p.quiescent) {
		p.stop()
	}
	if now := s.run.ranks.Received(); now != s.received {
		s.received, s.gap = now, shortGap
	} else { // the messages wait for other messages that have not been handled
		s.gap = min(2*s.gap, longGap)
	}
}

// Ready implements [edt.Host]. An EDT that any worker may run goes to the next worker that polls for mail.
func (s *poller) Ready(k edt.Ready) {
	p := s.run.pool
	if to := k.Place().Worker(); to >= 0 {
		p.workers[to].inbox.send(k)
		p.workers[to].wake()
		return
	}
	p.delivered.push(k)
	p.ring()
}

// Stop implements [edt.Host].
func (s *poller) Stop() { s.run.pool.stop() }
