package runtime

import (
	"time"

	"ocr/edt"
)

// A Stall is a time in which no EDT began while the run went on; see [Watchdog].
type Stall struct {
	// For is how long it has lasted.
	For time.Duration
	// Snapshot is the graph as it is.
	Snapshot *edt.Snapshot
}

// Watchdog has tell called when no EDT has begun for that long while the run goes on:
// all that run take long, or wait. It is called once for each such time, on a
// goroutine of its own; the end of the run waits for it. The time must be above 0.
//
// Progress is looked at several times in that long; workers are not concerned.
func Watchdog(after time.Duration, tell func(Stall)) Option {
	return func(s *settings) { s.watchdog = &stallWatch{after: after, tell: tell} }
}

type stallWatch struct {
	after time.Duration
	tell  func(Stall)
}

// looksPerStall is how often the watchdog looks in the time that it waits for.
const looksPerStall = 8

// watch begins to watch a graph, until the function that it returns is called.
func (w *stallWatch) watch(g *edt.Graph) (stop func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		var i Inspector
		i.begin(g)
		tick := time.NewTicker(max(w.after/looksPerStall, time.Millisecond))
		defer tick.Stop()
		began, since, told := g.Progress(), time.Now(), false
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
			}
			if now := g.Progress(); now != began {
				began, since, told = now, time.Now(), false
			}
			i.mu.Lock()
			i.lookAtWorkers()
			i.mu.Unlock()
			if lasted := time.Since(since); lasted >= w.after && !told {
				told = true
				_, s := i.look()
				w.tell(Stall{lasted, s})
			}
		}
	}()
	return func() {
		close(quit)
		<-done
	}
}
