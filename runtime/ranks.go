package runtime

import (
	"time"

	"ocr/edt"
)

// onRank makes the pool one rank of several. Rank 0 runs main, the others serve: they run the EDTs that are made there, and
// their Run returns nil when the run is over.
func onRank(r *edt.Ranks) Option { return func(s *settings) { s.ranks = r } }

// serves reports whether the run is one of a rank that main does not run on.
func (s *settings) serves() bool { return s.ranks != nil && s.ranks.Engine.Rank() != 0 }

// How long the listener of a run sleeps at most, and how often it rings while messages wait.
const (
	listenTime = time.Millisecond
	ringGap    = 20 * time.Microsecond
)

// listen makes workers look for messages of other ranks. Those that spin look by themselves.
func (r *run) listen() (stop func()) {
	if r.ranks == nil {
		return func() {}
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			default:
			}
			r.ranks.Engine.Sleep(listenTime)
			if r.graph.Mail() {
				r.pool.ring()
				time.Sleep(ringGap)
			}
		}
	}()
	return func() {
		close(done)
		r.ranks.Engine.Wake()
		<-ended
	}
}

// leave takes the graph out of the run, after all workers have ended.
func (r *run) leave() {
	for !r.graph.Leave() {
		select {
		case <-r.ranks.Engine.Lost():
			return
		default:
			r.ranks.Engine.Sleep(listenTime)
		}
	}
}
