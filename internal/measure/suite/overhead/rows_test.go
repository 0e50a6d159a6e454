package overhead

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/internal/measure/peers"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// onRuntime is a bench with small batches on the pool of workers.
func onRuntime() *Bench {
	return &Bench{
		Target: 20 * time.Microsecond, tiny: true,
		Run: func(ctx context.Context, main edt.Func, p Pool) (runtime.Counters, error) {
			opts := []runtime.Option{runtime.Workers(p.Workers)}
			if p.Sleepy {
				opts = append(opts, runtime.Spin(0))
			}
			if p.Greedy {
				opts = append(opts, runtime.StealGap(0))
			}
			var report runtime.Report
			err := runtime.Run(ctx, main, append(opts, runtime.Into(&report))...)
			return report.Counters, err
		},
	}
}

// inOrder is a bench on the host that permutes the order of EDTs.
func inOrder(seed uint64) *Bench {
	b := onRuntime()
	b.Run = func(_ context.Context, main edt.Func, p Pool) (runtime.Counters, error) {
		l := edttest.New(seed, edt.Config{Workers: p.Workers})
		defer l.Graph.Close()
		err := l.Run(main)
		return runtime.Counters{Counters: l.Graph.Counters()}, err
	}
	return b
}

// eachRow calls f for all rows but those whose graphs are large whatever the batch, and with -short
// those that are not small, on 1, 2 and 3 workers.
func eachRow(t *testing.T, f func(t *testing.T, r *Row, workers int)) {
	large := []string{"00000"}
	if testing.Short() {
		large = []string{"0000", "n=500", "fib", "depth=16", "finish-scope"}
	}
	for _, r := range Rows() {
		if slices.ContainsFunc(large, func(part string) bool { return strings.Contains(r.Name, part) }) {
			continue
		}
		for workers := r.MinWorkers; workers <= 3; workers++ {
			t.Run(fmt.Sprintf("%s/workers=%d", r.Name, workers), func(t *testing.T) { f(t, r, workers) })
		}
	}
}

func checkSample(t *testing.T, s Sample, err error) {
	t.Helper()
	testrun.OK(t, err)
	if s.Ops == 0 || s.NsPerOp() <= 0 || s.Rate <= 0 {
		t.Errorf("sample %+v", s)
	}
}

// TestRowsOnWorkers measures rows and their peers in Go.
func TestRowsOnWorkers(t *testing.T) {
	eachRow(t, func(t *testing.T, r *Row, workers int) {
		s, err := r.Measure(t.Context(), onRuntime(), workers)
		checkSample(t, s, err)
		for _, p := range r.Peers {
			if p.Library == nil {
				s, err := p.Measure(t.Context(), onRuntime(), workers)
				checkSample(t, s, err)
			}
		}
	})
}

// absent is in errors that say that a compiler or a library is not there. A program that is there must be right.
var absent = regexp.MustCompile(`on PATH|file not found|No such file|mpirun`)

// TestOthers has every program beside a row that can be had here do what it is asked for, small,
// and compares its checksum with that of the row.
func TestOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles programs in C++, which takes seconds: not in short tests")
	}
	// Else each thread of libomp that waits for another one gives its processor away: beside busy processes that is
	// a time slice of each of them for every EDT, and the largest sweep has 30 000.
	t.Setenv("KMP_USE_YIELD", "0")
	set := peers.NewSet()
	defer set.Close()
	for _, r := range WithOthers(Rows()) {
		if strings.Contains(r.Name, "form=edt-again") { // its peers are those of form=edt
			continue
		}
		for _, p := range r.Peers {
			for workers := 1; workers <= 2 && p.Library != nil; workers++ {
				t.Run(fmt.Sprintf("%s/%s/workers=%d", r.Name, p.Name, workers), func(t *testing.T) {
					b := onRuntime()
					b.others = func(ctx context.Context, l *peers.Library) (*peers.Program, error) {
						return set.Program(ctx, l, slices.Repeat([]int{-1}, workers))
					}
					s, err := p.Measure(t.Context(), b, workers)
					if missing := new(peers.Missing); errors.As(err, &missing) && absent.MatchString(missing.Error()) {
						t.Skipf("not run: %v", missing)
					}
					checkSample(t, s, err)
				})
			}
		}
	}
}

// TestRowsInAnyOrder runs what does not poll on the host that permutes ready EDTs.
func TestRowsInAnyOrder(t *testing.T) {
	eachRow(t, func(t *testing.T, r *Row, workers int) {
		polls := slices.Contains([]string{"steal", "hand-off", "latency"}, r.operation())
		if polls || workers == 2 && r.MinWorkers == 1 {
			return
		}
		seeds := uint64(3)
		if strings.HasSuffix(r.Name, "n=500") || strings.HasSuffix(r.Name, "depth=16") {
			seeds = 1 // a graph of 100 thousand EDTs sees many orders in one run
		}
		for seed := range seeds {
			s, err := r.Measure(t.Context(), inOrder(seed), workers)
			checkSample(t, s, err)
		}
	})
}

// TestMiscountIsFound: any count of a run that is one more or less than it should be is an error.
func TestMiscountIsFound(t *testing.T) {
	fields := map[string]func(*edt.Counters){
		"edt.created": func(c *edt.Counters) { c.EDTCreated++ }, "edt.run": func(c *edt.Counters) { c.EDTRun-- },
		"edt.destroyed":      func(c *edt.Counters) { c.EDTDestroyed++ },
		"event.created":      func(c *edt.Counters) { c.EventCreated++ },
		"event.destroyed":    func(c *edt.Counters) { c.EventDestroyed-- },
		"event.satisfied":    func(c *edt.Counters) { c.EventSatisfied++ },
		"block.created":      func(c *edt.Counters) { c.BlockCreated++ },
		"block.destroyed":    func(c *edt.Counters) { c.BlockDestroyed++ },
		"template.created":   func(c *edt.Counters) { c.TemplateCreated++ },
		"template.destroyed": func(c *edt.Counters) { c.TemplateDestroyed++ },
		"dependence.added":   func(c *edt.Counters) { c.DependenceAdded++ },
	}
	for _, name := range []string{"satisfy/waiters=8", "chain/event", "fan-in/n=8"} {
		for what, miscount := range fields {
			b := onRuntime()
			b.miscount = miscount
			_, err := rowNamed(t, name).Measure(t.Context(), b, 1)
			var wrong *trial.VerifyError
			if !errors.As(err, &wrong) || wrong.Where != what || wrong.App != name || wrong.Want == wrong.Got {
				t.Errorf("%s, %s miscounted: error %v", name, what, err)
			}
		}
	}
}

func rowNamed(t *testing.T, name string) *Row {
	t.Helper()
	rows, err := Select([]string{name})
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d rows %s: %v", len(rows), name, err)
	}
	return rows[0]
}

// TestWrongValueIsFound: the error of a wrong value that an EDT has found is not wrapped.
func TestWrongValueIsFound(t *testing.T) {
	r := &Row{Name: "wrong", measure: call{act: func(*edt.Ctx, *lane) { expect("answer", 42, 41) }}.measure}
	_, err := r.Measure(t.Context(), onRuntime(), 2)
	testrun.Equal(t, "wrong: wrong result: answer: got 41, expected 42", fmt.Sprint(err), "error")
	p := graphPeer("short", 3, func() int { return 2 })
	_, err = p.Measure(t.Context(), onRuntime(), 1)
	testrun.Equal(t, "short: wrong result: operations: got 2, expected 3", fmt.Sprint(err), "error")
}

// TestLostWriteIsFound: a block whose writers have not all counted themselves is an error.
func TestLostWriteIsFound(t *testing.T) {
	o := holding(3, false)
	o.first = func(c *edt.Ctx, l *lane, params []uint64) { c.NewEDT(chainPlain, params) }
	for _, mode := range modes {
		o.last = func(r *team, c *edt.Ctx) { r.checkHeld(c, mode) }
		_, err := o.measure(t.Context(), onRuntime(), 1)
		var wrong *trial.VerifyError
		writes := mode.String() == "RW" || mode.String() == "EW"
		if errors.As(err, &wrong) != writes {
			t.Errorf("mode %v, no EDT wrote: error %v", mode, err)
		}
	}
}

func TestCancelled(t *testing.T) {
	cause := errors.New("enough")
	for _, name := range []string{
		"event-create/type=sticky", "chain/plain", "fan-out/n=1000", "steal/gap=0", "hand-off/to=parked",
	} {
		r := rowNamed(t, name)
		ctx, cancel := context.WithCancelCause(t.Context())
		b := onRuntime()
		b.Target = time.Hour
		time.AfterFunc(5*time.Millisecond, func() { cancel(cause) })
		if _, err := r.Measure(ctx, b, 2); !errors.Is(err, cause) {
			t.Errorf("%s: error %v, want the cause", name, err)
		}
		for _, p := range r.Peers {
			if p.Library != nil {
				continue
			}
			if _, err := p.Measure(ctx, b, 2); !errors.Is(err, cause) {
				t.Errorf("%s, peer %s: error %v, want the cause", name, p.Name, err)
			}
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	for _, name := range []string{
		"event-create-destroy/type=sticky", "add-dependence/from=event/to=edt", "satisfy/waiters=8", "chain/event",
		"block-create-destroy/bytes=64", "fork-join-fib/values=blocks",
	} {
		b := onRuntime()
		b.tiny, b.Target = false, 2*time.Millisecond
		s, err := rowNamed(t, name).Measure(t.Context(), b, 1)
		for err == nil && s.AllocsPerOp() > 0.05 && s.Ops < 100_000 { // on a slow machine that is too short
			b.Target *= 2
			s, err = rowNamed(t, name).Measure(t.Context(), b, 1)
		}
		if err != nil || s.AllocsPerOp() > 0.05 {
			t.Errorf("%s: %v allocations an operation of %d, error %v", name, s.AllocsPerOp(), s.Ops, err)
		}
	}
	b := onRuntime()
	b.tiny = false
	if s, err := makeChan.Measure(t.Context(), b, 1); err != nil || s.AllocsPerOp() < 0.9 {
		t.Errorf("make-chan: %v allocations, error %v; want 1 or 2", s.AllocsPerOp(), err)
	}
}

// TestRounds: a bench with a number of rounds times exactly that number, and so every run does the same.
func TestRounds(t *testing.T) {
	for _, name := range []string{"chain/plain", "satisfy/waiters=1", "fan-out/n=8"} {
		for _, rounds := range []int{1, 7} {
			b := onRuntime()
			b.Rounds = rounds
			s, err := rowNamed(t, name).Measure(t.Context(), b, 1)
			testrun.OK(t, err)
			each := s.All / uint64(rounds+warmRounds)
			if s.Ops != each*uint64(rounds) || s.All != each*uint64(rounds+warmRounds) {
				t.Errorf("%s: %d operations timed of %d in %d rounds", name, s.Ops, s.All, rounds)
			}
		}
	}
}

// BenchmarkRows runs all rows but those of latency. cmd/ocrbench/profile.sh profiles it.
func BenchmarkRows(b *testing.B) {
	for _, r := range Rows() {
		if r.Wakes || r.Section == latencyTitle {
			continue
		}
		b.Run(r.Name, func(b *testing.B) {
			bench := onRuntime()
			bench.Rounds = b.N
			if _, err := r.Measure(b.Context(), bench, max(1, r.MinWorkers)); err != nil {
				b.Fatal(err)
			}
		})
	}
}
