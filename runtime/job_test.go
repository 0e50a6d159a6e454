package runtime

import (
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"ocr/edt"
	"ocr/internal/proof/testrun"
	link "ocr/internal/rank"
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
	listed := slices.Clone(mask(t))
	slices.Reverse(listed)
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
	all := []Option{Workers(1), Workers(1), Workers(2), Options(Workers(1), CPUs(listed), Bind(BindListed))}
	for n, opt := range all {
		var report Report
		counted.Store(0)
		s := resolve([]Option{Ranks(ranks), Bind(BindNone), opt, Into(&report), servedKind.Observe("x", observesNothing)})
		testrun.OK(t, s.checkCPUs(mask(t)))
		pool := newUnstarted(s, nil)
		pool.startWorkers()
		pool.job = j
		testrun.OK(t, pool.run(t.Context(), does(func(c *edt.Ctx, _ edt.Args) { c.NewEDT(rankTree, edt.Params(6)) })))
		pool.job = nil // the next pool uses it
		pool.close()
		if ran := counted.Load(); ran != 127 || len(report.Ranks) != ranks {
			t.Errorf("run %d: %d EDTs of 127 have run, reports of %d ranks", n, ran, len(report.Ranks))
		}
		for k, r := range report.Ranks {
			if s.binding == BindListed && !slices.Equal(r.Placement, listed[:1]) {
				t.Errorf("rank %d was on %v of %v", k, r.Placement, listed)
			}
		}
	}
	j.tell(msgOver)
	servers.Wait()
	testrun.Equal(t, int64(len(all)*(ranks-1)), servedEnds.Load(), "observed runs that have ended on ranks above 0")
}

// TestRunsAfterAPanic: if rank 0 leaves a run by a panic, the other ranks wait in the run. Later runs are refused.
func TestRunsAfterAPanic(t *testing.T) {
	engines := loopEngines(2)
	pool := newUnstarted(resolve([]Option{Ranks(2), Workers(1), Bind(BindNone),
		Observe(func(*edt.Worker) edt.Observer { panic("on purpose") })}), nil)
	pool.startWorkers()
	pool.job = &job{engine: engines[0]}
	run := func() (err error) {
		defer func() { _ = recover() }()
		engines[1].Send(0, &link.Message{Kind: msgReady})
		return pool.run(t.Context(), threeMain)
	}
	testrun.Equal(t, nil, run())
	testrun.Contains(t, testrun.As[*OptionError](t, run()).Error(), "rank 0 has left an earlier run by a panic")
	pool.job = nil
	pool.close()
}

// TestListOfRanks: a rank divides the list of rank 0, or what it may use itself if there is no list. It refuses a list
// that has more than it may use.
func TestListOfRanks(t *testing.T) {
	for _, tc := range []struct {
		cpus, allowed []int // of rank 0, which may use 0 to 3; of rank 1
		binding       Binding
		bound         bool
		want          []int
		unfit         string
	}{
		{nil, []int{4, 5}, BindListed, false, []int{5}, ""},
		{nil, []int{4, 5}, BindListed, true, []int{4, 5}, ""},
		{[]int{0, 1, 2, 3}, []int{4, 5}, BindListed, false, []int{5}, ""},
		{[]int{3, 2}, []int{0, 1, 2, 3}, BindListed, false, []int{2}, ""},
		{[]int{3, 2}, []int{0, 1, 2, 3}, BindNone, false, []int{3, 2}, ""},
		{[]int{3, 2}, []int{0, 1, 2}, BindListed, false, []int{1, 2}, "CPUs(2-3): the process may use 0-2, not 3"},
	} {
		s := resolve([]Option{Ranks(2), Workers(1), CPUs(tc.cpus), Bind(tc.binding)})
		testrun.OK(t, s.checkCPUs([]int{0, 1, 2, 3}))
		s.divide(0, 2, tc.bound)
		plan := s.startOf(1).Workers
		got, unfit := plan.settings(resolve(nil), tc.allowed, 1, 2, tc.bound)
		testrun.Same(t, tc.want, got.cpus, "%+v: processors", tc)
		if got.memory != 0 || got.sharing != 2 {
			t.Errorf("without Memory a rank may use %d bytes, or the machine's by %d", got.memory, got.sharing)
		}
		if unfit == "" || tc.unfit == "" {
			testrun.Equal(t, tc.unfit, unfit, "%+v", tc)
		}
		testrun.Contains(t, unfit, tc.unfit)
	}
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
