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
	"ocr/internal/measure/peers"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// onPool returns a bench of one timed round on a pool.
func onPool(workers int) *Bench {
	return &Bench{Workers: workers, Rounds: 1, Target: 20 * time.Microsecond,
		Run: func(ctx context.Context, main edt.Func) (runtime.Counters, error) {
			var report runtime.Report
			err := runtime.Run(ctx, main, runtime.Workers(workers), runtime.Into(&report))
			return report.Counters, err
		}}
}

func checkSample(t *testing.T, s Sample, err error) {
	t.Helper()
	testrun.OK(t, err)
	if s.Ops == 0 || s.Elapsed <= 0 {
		t.Errorf("sample %+v", s)
	}
}

// TestRows measures rows, in this runtime and in plain Go, with the least number of workers of a row and one more; with
// -short it leaves out large graphs. A bench with a number of rounds times exactly that number, so every run does the
// same.
func TestRows(t *testing.T) {
	for _, r := range Rows() {
		if testing.Short() && regexp.MustCompile(`0000|fib|sweep|stencil`).MatchString(r.Name) {
			continue
		}
		least := max(1, r.MinWorkers)
		for _, f := range r.Forms {
			for workers := least; workers <= least+1 && f.Library == nil; workers++ {
				t.Run(fmt.Sprintf("%s/%s/workers=%d", r.Name, f.Name, workers), func(t *testing.T) {
					b := onPool(workers)
					one, err := f.Once(t.Context(), b)
					checkSample(t, one, err)
					b.Rounds, b.Target = 3, 1
					three, err := f.Once(t.Context(), b)
					checkSample(t, three, err)
					if f.Name == "" && workers == 1 {
						testrun.Equal(t, 3*one.Ops, three.Ops, "operations in three rounds")
					}
				})
			}
		}
	}
}

// absent matches the errors of a missing compiler or library. A program that runs must give right results.
var absent = regexp.MustCompile(`file not found|No such file|mpirun`)

// TestOthers runs every bench of a program that can run here, beside the first, smallest row of an operation, and
// compares its checksum with the row's.
func TestOthers(t *testing.T) {
	testrun.NeedsTools(t)
	// By default a waiting thread of libomp yields its processor. Beside busy processes this costs, for each task, a time
	// slice of each of them, and fib has 65 670 tasks.
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
					s, err := r.take(t.Context(), b, f)
					if missing := new(peers.Missing); errors.As(err, &missing) && absent.MatchString(missing.Error()) {
						t.Skipf("not run: %v", missing)
					}
					checkSample(t, s, err)
				})
			}
		}
	}
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
			b.Run = func(ctx context.Context, main edt.Func) (runtime.Counters, error) {
				got, err := right(ctx, main)
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
	rows, _ := Select([]string{name})
	if len(rows) != 1 {
		t.Fatalf("%d rows %s", len(rows), name)
	}
	return rows[0]
}

// TestWrongResultsAreFound: an object that is left, a wrong value, and plain Go that does half its work are errors.
func TestWrongResultsAreFound(t *testing.T) {
	left := scoped(3, func(c *edt.Ctx) { c.NewBlock(8) })
	value := scoped(3, func(*edt.Ctx) { expect("answer", 42, 41) })
	for want, f := range map[string]Form{
		"r: wrong result: blocks destroyed: got 0, expected 3":                 left.as(""),
		"r: wrong result: answer: got 41, expected 42":                         value.as(""),
		"r, f: wrong result: operations that were not done: got 1, expected 0": whole("f", 3, func(int) int { return 2 }),
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
