package runtime

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
	"time"

	"ocr/internal/core/sys"
	link "ocr/internal/rank"
	"ocr/internal/rank/mpi"
	"ocr/internal/rank/remote"
)

var serving atomic.Bool // this process is a rank other than 0, and serves

// serveIfRank returns nil on rank 0 and without ranks. On another rank it executes the rank's part of the runs of rank
// 0, then ends the process. In a function that such a run calls it returns an error.
func (s *settings) serveIfRank() error {
	switch {
	case s.numRanks == 1 || !mpi.IsChild():
		return nil
	case serving.Swap(true):
		return ranksError(s.numRanks, inBody)
	}
	mpi.Serve(func(e link.Engine) {
		served := &server{engine: link.Passed(e), own: s}
		for served.await() {
			served.run()
		}
		if served.pool != nil {
			served.pool.close()
		}
	})
	return nil
}

const inBody = "called in a body or callback of a run over ranks; ranks are started outside of runs"

// A server is a rank other than 0: it executes its part of one run of rank 0 after the other. It keeps its workers
// while rank 0 asks for workers with the same settings.
type server struct {
	engine link.Engine
	own    *settings
	start  start // of the run that is on
	pool   *Pool // nil before the first run
	plan   workersPlan
	unfit  string // why this rank cannot have the processors of plan, "" if it can
}

// await waits for the next run; it returns false if rank 0 has ended the job.
func (s *server) await() (isRun bool) {
	for {
		n := s.engine.Poll(1, func(_ int, m *link.Message) bool {
			switch m.Kind {
			case msgStart:
				isRun, s.start = true, start{}
				link.Decode(m.Tail, &s.start)
			case msgOver:
			default:
				return false // a message for the graph of a run whose START is yet to come
			}
			return true
		})
		if n > 0 {
			return isRun
		}
		s.engine.Sleep(time.Second)
	}
}

// run takes part in a run. READY tells rank 0 whether this rank can take part.
func (s *server) run() {
	refusal := cmp.Or(s.start.refusal(), s.adapt())
	s.engine.Send(0, &link.Message{Kind: msgReady, Tail: []byte(refusal)})
	s.pool.observers, s.pool.atEnd = nil, s.own.atEnd
	if refusal == "" { // else this rank may lack the observers' kinds; main does not run then
		observers, ends := planned(s.start.Observers)
		s.pool.observers, s.pool.atEnd = observers, slices.Concat(s.own.atEnd, ends)
	}
	window, _ := openWindow(s.engine, s.start.Window) // on an error rank 0 gets the same error, and does not run main
	s.pool.ranks = remote.New(remote.Config{Engine: s.engine, Run: s.start.Run, Window: window})
	defer s.pool.pool.outside.end()
	_ = s.pool.runHere(context.Background(), nil, nil) // rank 0 returns how the run ended
}

// adapt makes new workers if rank 0 asks for workers with other settings than before. It returns s.unfit.
func (s *server) adapt() string {
	if s.pool != nil {
		if s.plan == s.start.Workers {
			return s.unfit
		}
		s.pool.close()
	}
	allowed, maskErr := sys.GetAffinity()
	s.plan = s.start.Workers
	k, n, bound := mpi.Local()
	settings, unfit := s.plan.settings(s.own, allowed, k, n, bound)
	s.pool, s.unfit = newUnstarted(settings, maskErr), unfit
	s.pool.startWorkers()
	return s.unfit
}
