package runtime

import (
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"ocr/edt"
	"ocr/internal/proof/testrun"
)

// servedEnds counts the observed runs that have ended on ranks above 0: each adds 1, the length of its config.
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
			s.pool.close()
		})
	}
	j := &job{engine: engines[0]}
	for _, workers := range []int{1, 1, 2} {
		var report Report
		counted.Store(0)
		pool := newUnstarted(resolve([]Option{Ranks(ranks), Workers(workers), Bind(BindNone), Into(&report),
			servedKind.Observe("x", observesNothing)}), nil)
		pool.startWorkers()
		pool.job = j
		testrun.OK(t, pool.run(t.Context(), does(func(c *edt.Ctx, _ edt.Args) { c.NewEDT(rankTree, edt.Params(6)) })))
		pool.job = nil // the next pool uses it
		pool.close()
		if n := counted.Load(); n != 127 || len(report.Ranks) != ranks {
			t.Errorf("%d workers: %d EDTs of 127 have run, reports of %d ranks", workers, n, len(report.Ranks))
		}
	}
	j.tell(msgOver)
	servers.Wait()
	testrun.Equal(t, 3*(ranks-1), servedEnds.Load(), "observed runs that have ended on ranks above 0")
}

// TestRefusedRank: a rank of another build, with other arguments or other templates is refused; the text names what
// differs.
func TestRefusedRank(t *testing.T) {
	own := edt.RegisteredTemplates()
	other := slices.Clone(own)
	other[1] = "another"
	args := os.Args[1:]
	for want, s := range map[string]start{
		"is another build of the program: ":                  {Build: "old", Arguments: args, Templates: own},
		`, not ["x"]; mpirun must`:                           {Build: build(), Arguments: []string{"x"}, Templates: own},
		"number 1, is " + own[1] + ", and on rank 0 another": {Build: build(), Arguments: args, Templates: other},
		"number 0, is " + own[0] + ", and on rank 0 missing": {Build: build(), Arguments: args},
	} {
		testrun.Contains(t, s.refusal(), want)
	}
	testrun.Equal(t, "", (&start{Build: build(), Arguments: args, Templates: own}).refusal())
}
