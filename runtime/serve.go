package runtime

import (
	"context"
	"encoding/json"
	"flag"
	"reflect"
	"slices"
	"sync/atomic"
	"time"

	"ocr/edt"
	"ocr/internal/core/sys"
	link "ocr/internal/rank"
	"ocr/internal/rank/job"
	"ocr/internal/rank/mpi"
)

// ServeIfRank executes the rank's part of the runs of rank 0 if the process is a rank other than 0, see [Ranks], and
// does not return. In any other process it does nothing. A program that does much before its first run calls it first
// in main; tests of programs with Ranks call it in TestMain.
func ServeIfRank() {
	callsServe.Store(true)
	_ = serveIfRank(1, resolve(nil)) // a body that calls it goes on
}

var (
	callsServe atomic.Bool // the program calls ServeIfRank
	serving    atomic.Bool // this process is a rank other than 0, and serves
)

// isChild reports whether this process is a rank other than 0, of either kind.
func isChild() bool { return job.IsChild() || mpi.IsChild() }

// serveIfRank is ServeIfRank for a job of so many ranks. The error says why this process cannot start it.
func serveIfRank(ranks int, own *settings) error {
	switch {
	case isChild() && serving.Swap(true):
		return ranksError(ranks, inBody)
	case isChild():
		serve(own)
	case ranks > 1 && !callsServe.Load() && inTest():
		return ranksError(ranks, "the other ranks would run these tests as well: call runtime.ServeIfRank in TestMain")
	}
	return nil
}

// serveIfRank is ServeIfRank for a run with ranks.
func (s *settings) serveIfRank() error {
	if s.numRanks == 1 || s.job != nil {
		return nil
	}
	return serveIfRank(s.numRanks, s)
}

const inBody = "called in a body of a run over ranks; ranks are started outside of bodies"

// inTest reports whether package testing has begun with the tests: it has parsed its flags.
func inTest() bool { return flag.Parsed() && flag.Lookup("test.v") != nil }

// serve executes this rank's part of the runs of rank 0, then ends the process.
func serve(own *settings) {
	part := func(e link.Engine) int {
		s := &server{engine: link.Passed(e), own: own}
		for s.await() {
			s.run()
		}
		return s.close()
	}
	if job.IsChild() {
		job.Serve(part)
	}
	mpi.Serve(part)
}

// A server is a rank other than 0: it executes its part of one run after the other. It keeps its workers while rank 0
// asks for the same.
type server struct {
	engine link.Engine
	own    *settings
	start  start // of the run that is on
	team   *team // nil before the first run
	plan   teamPlan
}

// await waits for the next run, and reports false if there is none.
func (s *server) await() (isRun bool) {
	for {
		n := s.engine.Poll(1, func(_ int, m *link.Message) bool {
			switch m.Kind {
			case msgStart:
				isRun, s.start = true, start{}
				if err := json.Unmarshal(m.Tail, &s.start); err != nil {
					panic(err) // both are of one program
				}
			case msgOver:
			default:
				return false // of a run whose START is yet to come
			}
			return true
		})
		if n > 0 {
			return isRun
		}
		select {
		case <-s.engine.Lost():
			return false
		default:
			s.engine.Sleep(time.Second)
		}
	}
}

// run takes part in a run. Rank 0 decides whether this rank can.
func (s *server) run() {
	var tail []byte
	templates := edt.RegisteredTemplates()
	if s.start.Build != build() || s.start.Templates != hashTemplates(templates) {
		tail = plainData(ready{build(), templates})
	}
	s.adapt()
	s.engine.Send(0, &link.Message{Kind: msgReady, Tail: tail})
	s.team.observers, s.team.atEnd = nil, s.own.atEnd
	if tail == nil { // else this rank may lack their kinds, and main does not run
		observers, ends := planned(s.start.Observers)
		s.team.observers, s.team.atEnd = observers, slices.Concat(s.own.atEnd, ends)
	}
	window, _ := openWindow(s.engine, s.start.Window) // rank 0 has the same error, and does not begin
	s.team.ranks = &edt.Ranks{Engine: s.engine, Run: s.start.Run, Window: window}
	defer s.team.pool.inside.end()
	_ = s.team.runHere(context.Background(), nil, nil) // rank 0 returns how the run ended
}

// adapt replaces the workers if rank 0 asks for others.
func (s *server) adapt() {
	if s.team != nil {
		if reflect.DeepEqual(s.plan, s.start.Team) {
			return
		}
		_ = s.team.close() // it has no other ranks
	}
	allowed, maskErr := sys.GetAffinity()
	s.plan = s.start.Team
	settings := s.plan.settings(s.own)
	if mpi.Ranks() > 1 {
		settings.cpus = settings.launchedPart(allowed)
	}
	s.team = newTeam(settings, maskErr)
	s.team.startWorkers()
}

// close ends the workers and returns the exit code.
func (s *server) close() int {
	if s.team != nil {
		_ = s.team.close() // it has no other ranks
	}
	return 0
}
