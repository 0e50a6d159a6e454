package runtime

import (
	"context"
	"fmt"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"ocr/edt"
	"ocr/internal/core/cpulist"
	"ocr/internal/core/sys"
	"ocr/internal/core/topo"
	"ocr/internal/proof/testrun"
	"ocr/internal/rank/mpi"
)

// mask returns the processors that the test may use.
func mask(t *testing.T) []int {
	t.Helper()
	cpus, err := sys.GetAffinity()
	if err != nil {
		t.Skipf("the affinity mask cannot be read: %v", err)
	}
	return cpus
}

// TestBadOptions: the error is one line that has the option, its value and what is allowed; nothing has run.
func TestBadOptions(t *testing.T) {
	allowed := mask(t)
	may := cpulist.Format(allowed)
	outside := allowed[len(allowed)-1] + 1
	for _, tc := range []struct {
		name string
		opt  Option
		say  []string
	}{
		{"no workers", Workers(0), []string{"Workers(0)", "1 to 1024"}},
		{"minus one worker", Workers(-1), []string{"Workers(-1)", "1 to 1024"}},
		{"fewer workers", Workers(-7), []string{"Workers(-7)", "1 to 1024"}},
		{"too many workers", Workers(MaxWorkers + 1), []string{"Workers(1025)", "1 to 1024"}},
		{"outside the mask", CPUs([]int{outside}), []string{"CPUs(" + cpulist.Format([]int{outside}) + ")", may}},
		{"negative", CPUs([]int{-1}), []string{"CPUs(", "-1", may}},
		{"twice", CPUs([]int{allowed[0], allowed[0]}), []string{"CPUs(", "twice", may}},
		{"none", CPUs([]int{}), []string{"CPUs()", may}},
		{"no ranks", Ranks(0), []string{"Ranks(0)", "1 to 4096"}},
		{"minus one rank", Ranks(-1), []string{"Ranks(-1)", "1 to 4096"}},
		{"too many ranks", Ranks(5000), []string{"Ranks(5000)", "1 to 4096"}},
		{"too many workers on all ranks", Options(Ranks(64), Workers(1024)),
			[]string{"Ranks(64), Workers(1024)", "65536 workers", "32767"}},
		{"ranks observed", Options(Ranks(2), Observe(noObserver)),
			[]string{"Observe", "not with Ranks"}},
		{"ranks of no MPI", Ranks(2), []string{"Ranks(2)", map[bool]string{
			false: "apt-get install libopenmpi-dev openmpi-bin, then CC=mpicc go", true: "must be started by mpirun or srun",
		}[mpi.Built]}},
		{"no report", Into(nil), []string{"Into(nil)", "want where the report goes"}},
		{"no function at the end", AtEnd(nil), []string{"AtEnd(nil)", "want a function"}},
		{"no function at the beginning", AtBegin(nil), []string{"AtBegin(nil)", "want a function"}},
		{"no logger", Logger(nil), []string{"Logger(nil)", "want a logger"}},
		{"no option", Options(Workers(1), nil), []string{"option 2 of 2", "it is nil"}},
		{"watched", Watchdog(Watch{Still: -1}), []string{"Watchdog(Still -1ns)", "at least 0"}},
		{"binding", Bind(BindListed + 1), []string{"Bind(3)", "BindCompact", "BindNone"}},
		{"no observer", Observe(nil), []string{"Observe(nil)"}},
		{"of no kind", (*ObserverKind)(nil).Observe("", noObserver), []string{"Observe: of a nil ObserverKind"}},
		{"of a kind of nothing", NewObserverKind("none", nil).Observe("", noObserver), []string{"of a nil ObserverKind"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := runMain(t, starting(func(*edt.Ctx) { t.Error("main ran") }), tc.opt)
			says := testrun.As[*OptionError](t, err).Error()
			testrun.Contains(t, says, tc.say...)
			if strings.Contains(says, "\n") {
				t.Errorf("more than one line: %q", says)
			}
		})
	}
}

func noObserver(*edt.Worker) edt.Observer { return nil }

// TestNothingIsRefused: what is nil or zero is named, and no method of it panics.
func TestNothingIsRefused(t *testing.T) {
	var noContext context.Context
	var noPool *Pool
	empty := starting(func(*edt.Ctx) {})
	_, made := New(nil)
	for want, errs := range map[string][]error{
		"runtime: ctx: it is nil":  {Run(noContext, empty), noPool.Run(noContext, empty)},
		"runtime: main: it is nil": {Run(t.Context(), nil)},
		"option 1 of 1: it is nil": {made, With(nil).Run(t.Context(), empty)},
		"runtime: run on a pool: the pool is nil or zero: New makes one (options_test.go:": {
			noPool.Run(t.Context(), empty), new(Pool).Run(t.Context(), empty)},
		"the pool is nil or zero": {noPool.Close(), new(Pool).Close()},
	} {
		for _, err := range errs {
			testrun.Fails(t, err, want)
		}
	}
}

func TestDefaults(t *testing.T) {
	allowed := mask(t)
	r := mustRun(t, starting(func(c *edt.Ctx) {
		if c.Workers() != len(allowed) || c.Places() != len(allowed) {
			t.Errorf("%d workers, %d places; the mask has %d processors", c.Workers(), c.Places(), len(allowed))
		}
	}))
	if r.Workers != len(allowed) || len(r.Placement) != r.Workers || !r.Pinned || len(r.Warnings) != 0 {
		t.Errorf("report %+v", r)
	}
}

// TestQuota: by default there are no more workers than the quota pays for. A run with more warns of it. The ranks of a
// machine share the quota.
func TestQuota(t *testing.T) {
	for _, tc := range []struct {
		quota       float64
		ranks, cpus int
		asked, want int
		tells       bool
	}{
		{0.5, 1, 2, unset, 1, true},
		{0.5, 1, 2, 2, 2, true},
		{1, 1, 2, unset, 1, false},
		{1, 1, 2, 5, 5, true},
		{2.01, 1, 8, unset, 3, true},
		{7, 1, 2, unset, 2, false},
		{0, 1, 2, 9, 9, false},
		{3, 2, 8, unset, 2, false},
		{3, 4, 8, unset, 1, false},
	} {
		s := resolve([]Option{Ranks(tc.ranks)})
		s.quota, s.workers, s.cpus = tc.quota, tc.asked, []int{0, 1, 2, 3, 4, 5, 6, 7}[:tc.cpus]
		s.divide(0, tc.ranks, false)
		told := strings.Join(s.plan(nil).warnings, "\n")
		if s.workers != tc.want || strings.Contains(told, "by the quota of its control group") != tc.tells {
			t.Errorf("%+v: %d workers, warnings %q", tc, s.workers, told)
		}
	}
}

// TestTooFewThreads: if the system would refuse threads, Run and New return an error before they start any.
func TestTooFewThreads(t *testing.T) {
	defer func() { lacksThreads = sys.LacksThreads }()
	for workers, wanted := range map[int]int{1: 6, 3: 10, 64: 132} {
		lacksThreads = func(n int) string {
			testrun.Equal(t, wanted, n, "threads that %d workers may need", workers)
			return "there are no more"
		}
		_, made := New(Workers(workers))
		for _, err := range []error{Run(context.Background(), threeMain, Workers(workers)), made} {
			want := fmt.Sprintf("runtime: Workers(%d): there are no more", workers)
			testrun.Equal(t, want, testrun.As[*OptionError](t, err).Error())
		}
	}
}

// Of workers that share a processor, one spins for long only if awake alone, and a push wakes one only if none is.
func TestCPUs(t *testing.T) {
	s := resolve([]Option{Workers(4), Spin(time.Hour)})
	testrun.OK(t, s.check(mask(t)))
	p := attached(newPool(s, 2), edt.NewGraph(edt.Config{Workers: 4}))
	p.spinFull = 1
	w := p.workers
	if w[0].cpu != w[2].cpu || w[0].cpu == w[1].cpu {
		t.Fatal("workers 0 and 2 share a processor, 0 and 1 do not")
	}
	if w[0].spinLimit() != 1 || !w[0].cpu.full() {
		t.Error("two workers awake on a processor: not oversubscribed")
	}
	for _, k := range []int{1, 2, 3} {
		w[k].parked.Store(1)
		w[k].countParked()
	}
	testrun.Equal(t, time.Hour.Nanoseconds(), w[0].spinLimit(),
		"spin of a worker that is awake alone on its processor")
	p.wakeOne()
	if w[1].parked.Load() != 0 || w[2].parked.Load() != 1 || w[3].parked.Load() != 1 {
		t.Error("not the worker on the idle processor was woken")
	}
	w[1].countAwake()
	p.wakeOne()
	if w[2].parked.Load() != 1 || w[3].parked.Load() != 1 {
		t.Error("a worker was woken though every processor has one awake")
	}
}

// TestLog: the life cycle is logged, single EDTs are not.
func TestLog(t *testing.T) {
	for _, tc := range []struct {
		name string
		main edt.Func
		want []string
		ran  uint64
	}{
		{"good", starting(func(c *edt.Ctx) {
			for range 100 {
				c.NewEDT(body(c, func(*edt.Ctx) {}), nil)
			}
		}), []string{"run started", "run ended"}, 101},
		{"bad", starting(func(*edt.Ctx) { panic("no") }), []string{"run started", "run failed"}, 1},
	} {
		core, logs := observer.New(zap.DebugLevel)
		err := Run(context.Background(), tc.main, Workers(1), Logger(zap.New(core)))
		var got []string
		for _, l := range logs.All() {
			got = append(got, l.Message)
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s (%v): logged %q, want %q", tc.name, err, got, tc.want)
			continue
		}
		counters, _ := logs.All()[1].ContextMap()["counters"].(map[string]uint64)
		testrun.Equal(t, tc.ran, counters["edt.run"], "%s: EDTs logged, %v", tc.name, counters)
	}
}

// TestWarningsAreLoggedAndReported: a run with more workers than processors warns of it once.
func TestWarningsAreLoggedAndReported(t *testing.T) {
	n := len(mask(t)) + 1
	core, logs := observer.New(zap.WarnLevel)
	r := mustRun(t, does(func(c *edt.Ctx, _ edt.Args) {
		testrun.Equal(t, n-1, c.Places(), "places")
	}), Workers(n), Logger(zap.New(core)))
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "share") || logs.Len() != 1 {
		t.Errorf("warnings %q, %d logged", r.Warnings, logs.Len())
	}
}

// attached gives a graph to a pool whose workers have no goroutines, and returns the pool.
func attached(p *pool, g *edt.Graph) *pool {
	p.attach(g, nil, true)
	return p
}

// TestDivide: each rank gets its part of the processors and of the memory.
func TestDivide(t *testing.T) {
	for _, tc := range []struct {
		name           string
		ranks, workers int
		cpus           []int
		binding        Binding
		bound          bool
		parts          string
		want           int // workers of rank 0
		crowded        bool
	}{
		{"one rank", 1, unset, []int{4, 5, 6}, BindCompact, false, "[[4 5 6]]", 3, false},
		{"listed", 2, unset, []int{9, 8, 7, 6}, BindListed, false, "[[9 8] [7 6]]", 2, false},
		{"listed unevenly", 2, unset, []int{9, 8, 7}, BindListed, false, "[[9] [8 7]]", 1, false},
		{"workers asked for", 2, 3, []int{9, 8}, BindListed, false, "[[9] [8]]", 3, false},
		{"fewer processors", 3, unset, []int{4, 5}, BindCompact, false, "[[4] [5] [4]]", 1, true},
		{"bound by mpirun", 3, unset, []int{4, 5}, BindCompact, true, "[[4 5] [4 5] [4 5]]", 2, false},
		{"not bound", 2, unset, []int{4, 5, 6, 7}, BindNone, false, "[[4 5 6 7] [4 5 6 7]]", 2, false},
		{"not bound, more workers", 2, 3, []int{4, 5, 6, 7}, BindNone, false, "[[4 5 6 7] [4 5 6 7]]", 3, true},
		{"no mask", 2, unset, nil, BindCompact, false, "[[] []]", max(1, goruntime.NumCPU()/2), false},
		{"no mask, one rank", 1, unset, nil, BindCompact, false, "[[]]", goruntime.NumCPU(), false},
		{"more processors than workers may be", 1, unset, make([]int, MaxWorkers+1), BindListed, false,
			fmt.Sprint([][]int{make([]int, MaxWorkers+1)}), MaxWorkers, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var parts [][]int
			for k := range tc.ranks {
				s := resolve([]Option{Ranks(tc.ranks), Bind(tc.binding), Memory(1000)})
				s.workers, s.cpus = tc.workers, tc.cpus
				s.divide(k, tc.ranks, tc.bound)
				parts = append(parts, s.cpus)
				if k == 0 && s.workers != tc.want || s.crowded != "" != tc.crowded || s.memory != 1000/uint64(tc.ranks) {
					t.Errorf("%d workers, crowded %q, %d bytes; want %d, %v", s.workers, s.crowded, s.memory, tc.want, tc.crowded)
				}
				testrun.Equal(t, tc.crowded, s.spin == DefaultSpinShared, "crowded, spin %v", s.spin)
			}
			testrun.Same(t, tc.parts, fmt.Sprint(parts), "parts")
		})
	}
}

// TestUnequalParts: if the ranks have different numbers of processors, none has more workers than the least part has.
func TestUnequalParts(t *testing.T) {
	defer func(was func() (*topo.Topology, error)) { machine = was }(machine)
	machine = func() (*topo.Topology, error) {
		return &topo.Topology{CPUs: []topo.CPU{{ID: 0}, {ID: 1}, {ID: 2, Core: 1}}}, nil
	}
	s := resolve([]Option{Ranks(2)})
	s.cpus = []int{0, 1, 2}
	s.divide(0, 2, false)
	testrun.Same(t, []int{0, 1}, s.cpus, "the processors of rank 0")
	testrun.Equal(t, 1, s.workers, "workers of each rank")
}

// TestMemoryOfRanks: ranks on all machines share the memory that is given.
func TestMemoryOfRanks(t *testing.T) {
	s := resolve([]Option{Ranks(4), Memory(1000)})
	s.divide(0, 1, false)
	testrun.Equal(t, 250, s.memory)
}
