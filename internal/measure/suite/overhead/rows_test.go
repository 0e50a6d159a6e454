package overhead

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	goruntime "runtime"
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

// onPool returns a bench of one timed round on a pool.
func onPool(workers int) *Bench {
	return &Bench{Workers: workers, Rounds: 1, Target: 20 * time.Microsecond,
		Run: func(ctx context.Context, main edt.Func, more ...runtime.Option) (runtime.Counters, error) {
			var report runtime.Report
			err := runtime.Run(ctx, main, append(more, runtime.Workers(workers), runtime.Into(&report))...)
			return report.Counters, err
		}}
}

// inOrder returns a bench on the host that permutes the order of EDTs.
func inOrder(workers int, seed uint64) *Bench {
	b := onPool(workers)
	b.Run = func(_ context.Context, main edt.Func, _ ...runtime.Option) (runtime.Counters, error) {
		l := edttest.New(seed, edt.Config{Workers: workers})
		defer l.Graph.Close()
		err := l.Run(main)
		return runtime.Counters{Counters: l.Graph.Counters()}, err
	}
	return b
}

// eachRow calls f for all rows, with the least number of workers of a row and one more; with -short it leaves out large
// graphs.
func eachRow(t *testing.T, f func(t *testing.T, r *Row, workers int)) {
	for _, r := range Rows() {
		if testing.Short() && regexp.MustCompile(`0000|n=500|fib|sweep|stencil`).MatchString(r.Name) {
			continue
		}
		for workers := max(1, r.MinWorkers); workers <= max(1, r.MinWorkers)+1; workers++ {
			t.Run(fmt.Sprintf("%s/workers=%d", r.Name, workers), func(t *testing.T) { f(t, r, workers) })
		}
	}
}

func checkSample(t *testing.T, s Sample, err error) {
	t.Helper()
	testrun.OK(t, err)
	if s.Ops == 0 || s.Elapsed <= 0 {
		t.Errorf("sample %+v", s)
	}
}

// TestRows measures rows, in this runtime and in plain Go.
func TestRows(t *testing.T) {
	eachRow(t, func(t *testing.T, r *Row, workers int) {
		for _, f := range r.Forms {
			if f.Library == nil {
				s, err := f.Once(t.Context(), onPool(workers))
				checkSample(t, s, err)
			}
		}
	})
}

// absent matches errors that a compiler or a library is missing. A program that runs must be right.
var absent = regexp.MustCompile(`on PATH|file not found|No such file|mpirun`)

// TestOthers runs every bench of a program that can run here, beside the first, smallest row of an operation, and
// compares its checksum with the row's.
func TestOthers(t *testing.T) {
	testrun.NeedsTools(t)
	// Else each waiting thread of libomp yields its processor: beside busy processes this costs a time slice of each of
	// them for every EDT, and the largest sweep has 30 000.
	t.Setenv("KMP_USE_YIELD", "0")
	set := peers.NewSet(t.Logf)
	defer set.Close()
	done := make(map[string]bool)
	for _, r := range Rows() {
		for _, f := range r.Forms {
			operation, _, _ := strings.Cut(r.Name, "/")
			bench := operation + "/" + f.Name
			if f.Library == nil || done[bench] {
				continue
			}
			done[bench] = true
			for workers := 1; workers <= 2; workers++ {
				t.Run(fmt.Sprintf("%s/%s/workers=%d", r.Name, f.Name, workers), func(t *testing.T) {
					b := onPool(workers)
					b.Program = func(ctx context.Context, l *peers.Library) (*peers.Program, error) {
						return set.Program(ctx, l, slices.Repeat([]int{-1}, workers))
					}
					s, err := f.Once(t.Context(), b)
					if missing := new(peers.Missing); errors.As(err, &missing) && absent.MatchString(missing.Error()) {
						t.Skipf("not run: %v", missing)
					}
					checkSample(t, s, err)
				})
			}
		}
	}
}

// TestRowsInAnyOrder runs rows that do not poll on the host that permutes ready EDTs.
func TestRowsInAnyOrder(t *testing.T) {
	eachRow(t, func(t *testing.T, r *Row, workers int) {
		if r.Section == "between workers" || regexp.MustCompile(`00000|n=500|1001`).MatchString(r.Name) {
			return
		}
		for seed := range uint64(3) {
			s, err := r.Forms[0].Once(t.Context(), inOrder(workers, seed))
			checkSample(t, s, err)
		}
	})
}

// TestMiscountIsFound: an EDT that has not run, and an object that is left, are errors that name the row.
func TestMiscountIsFound(t *testing.T) {
	for what, miscount := range map[string]func(*edt.Counters){
		"EDTs run or destroyed": func(c *edt.Counters) { c.EDTRun-- },
		"events destroyed":      func(c *edt.Counters) { c.EventDestroyed-- },
		"blocks destroyed":      func(c *edt.Counters) { c.BlockCreated++ },
	} {
		for _, name := range []string{"satisfy/waiters=8", "chain/event", "fan-in/n=1000"} {
			r, b := rowNamed(t, name), onPool(1)
			right := b.Run
			b.Run = func(ctx context.Context, main edt.Func, more ...runtime.Option) (runtime.Counters, error) {
				got, err := right(ctx, main, more...)
				miscount(&got.Counters)
				return got, err
			}
			_, err := new(run).sample(t.Context(), b, r, r.Forms[0])
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

// TestWrongResultsAreFound: an object that is left, a wrong value, and plain Go that does only a part of its work.
func TestWrongResultsAreFound(t *testing.T) {
	left := scoped(3, func(c *edt.Ctx) { c.NewBlock(8) })
	value := scoped(3, func(*edt.Ctx) { expect("answer", 42, 41) })
	for want, f := range map[string]Form{
		"r: wrong result: blocks destroyed: got 0, expected 3":                 left.as(""),
		"r: wrong result: answer: got 41, expected 42":                         value.as(""),
		"r, f: wrong result: operations that were not done: got 1, expected 0": whole("f", 3, func(int) int { return 2 })[0],
	} {
		_, err := new(run).sample(t.Context(), onPool(1), &Row{Name: "r"}, f)
		testrun.Equal(t, want, fmt.Sprint(err), "error")
	}
}

func TestCancelled(t *testing.T) {
	cause := errors.New("enough")
	for _, name := range []string{
		"event-create-destroy/type=sticky", "chain/plain", "fan-out/n=1000", "steal/gap=default", "hand-off/to=parked",
	} {
		r, b := rowNamed(t, name), onPool(2)
		b.Rounds, b.Target = 0, time.Hour
		for _, f := range r.Forms {
			if f.Library != nil {
				continue
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(5*time.Millisecond, func() { cancel(cause) })
			_, err := f.Once(ctx, b)
			testrun.Is(t, err, cause, "error of %s %s", name, f.Name)
		}
	}
}

// TestNothingIsAllocated: more rounds allocate nothing more on Go's heap.
func TestNothingIsAllocated(t *testing.T) {
	for _, name := range []string{
		"event-create-destroy/type=sticky", "add-dependence/from=event/to=edt", "satisfy/waiters=8", "chain/event",
		"block-create-destroy/bytes=64", "acquire-release/mode=EW/block=own",
	} {
		f, b := rowNamed(t, name).Forms[0], onPool(1)
		mallocs := func(rounds int) (n uint64, ops int) {
			var before, after goruntime.MemStats
			b.Rounds = rounds
			goruntime.ReadMemStats(&before)
			s, err := f.Once(t.Context(), b)
			testrun.OK(t, err)
			goruntime.ReadMemStats(&after)
			return after.Mallocs - before.Mallocs, s.Ops
		}
		few, fewOps := mallocs(2)
		many, manyOps := mallocs(40)
		if more := float64(many) - float64(few); more > 0.05*float64(manyOps-fewOps) {
			t.Errorf("%s: %v allocations more for %d operations more", name, more, manyOps-fewOps)
		}
	}
}

// TestRounds: a bench with a number of rounds times exactly that number, and so every run does the same.
func TestRounds(t *testing.T) {
	for name, ops := range map[string]int{
		"chain/plain": chainLen, "satisfy/waiters=1": batch, "fan-out/n=1000": fanWidth,
	} {
		for _, rounds := range []int{1, 7} {
			b := onPool(1)
			b.Rounds = rounds
			s, err := rowNamed(t, name).Forms[0].Once(t.Context(), b)
			testrun.OK(t, err)
			testrun.Equal(t, rounds*ops, s.Ops, "%s: operations in %d rounds", name, rounds)
		}
	}
}

// BenchmarkRows runs all rows but those in which a worker sleeps. cmd/ocrbench/profile.sh profiles it.
func BenchmarkRows(b *testing.B) {
	for _, r := range Rows() {
		if r.Name == "hand-off/to=parked" {
			continue
		}
		b.Run(r.Name, func(b *testing.B) {
			bench := onPool(max(1, r.MinWorkers))
			bench.Rounds = b.N
			if _, err := r.Forms[0].Once(b.Context(), bench); err != nil {
				b.Fatal(err)
			}
		})
	}
}
