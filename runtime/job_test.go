package runtime

import (
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"ocr/edt"
	"ocr/internal/proof/testrun"
)

// servedEnds adds up the configs of the observed runs that have ended on ranks above 0: the length of each is 1.
var servedEnds atomic.Int64

var servedKind = NewObserverKind("served, of tests",
	func(config string) (func(*edt.Worker) edt.Observer, func(Report, error)) {
		return observesNothing, func(Report, error) { servedEnds.Add(int64(len(config))) }
	})

func observesNothing(*edt.Worker) edt.Observer { return edt.NopObserver{} }

// TestServedRuns: ranks above 0 serve one run of rank 0 after the other, each with the workers that rank 0 asks for,
// until the job ends. Here each is a goroutine; over MPI each is a process.
func TestServedRuns(t *testing.T) {
	const ranks = 3
	engines := loopEngines(ranks)
	servedEnds.Store(0)
	var servers sync.WaitGroup
	for k := 1; k < ranks; k++ {
		servers.Go(func() {
			s := &server{engine: engines[k], own: resolve([]Option{Bind(BindNone)})}
			for s.await() {
				s.run()
			}
			if code := s.close(); code != 0 {
				t.Errorf("rank %d ends with %d", k, code)
			}
		})
	}
	j := &job{engine: engines[0], turn: make(chan struct{}, 1)}
	j.turn <- struct{}{}
	for _, workers := range []int{1, 1, 2} {
		var report Report
		counted.Store(0)
		team := newTeam(resolve([]Option{Ranks(ranks), Workers(workers), Bind(BindNone), Into(&report),
			servedKind.Observe("x", observesNothing)}), nil)
		team.startWorkers()
		team.job = j
		testrun.OK(t, team.run(t.Context(), does(func(c *edt.Ctx, _ edt.Args) { c.NewEDT(rankTree, edt.Params(6)) })))
		team.job = nil // the next team uses it
		team.close()
		if n := counted.Load(); n != 127 || len(report.Ranks) != ranks {
			t.Errorf("%d workers: %d EDTs of 127 have run, reports of %d ranks", workers, n, len(report.Ranks))
		}
	}
	j.tell(msgOver)
	servers.Wait()
	if n := servedEnds.Load(); n != 3*(ranks-1) {
		t.Errorf("%d observed runs have ended on ranks above 0, want %d", n, 3*(ranks-1))
	}
}

// TestRefusedRank: a rank of another build, with other arguments or other templates is refused; the error names what
// differs.
func TestRefusedRank(t *testing.T) {
	j := &job{engine: loopEngines(2)[0]}
	own := edt.RegisteredTemplates()
	other := slices.Clone(own)
	other[1] = "another"
	args := os.Args[1:]
	for want, r := range map[string]ready{
		"rank 1 is another build of the program: old, not ":   {"old", args, nil},
		`rank 1 has other arguments than rank 0: ["x"], not `: {build(), []string{"x"}, own},
		"number 1, is another, and on rank 0 " + own[1]:       {build(), args, other},
		"number 0, is missing, and on rank 0 " + own[0]:       {build(), args, nil},
	} {
		err := j.refusal(1, plainData(r))
		if err == nil || !strings.HasPrefix(err.Error(), "runtime: Ranks(2): ") || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	testrun.OK(t, j.refusal(1, nil))
}
