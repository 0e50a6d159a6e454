package runtime

import (
	"context"
	goruntime "runtime"
	"sync"
	"testing"

	"ocr/edt"
)

// keepProcs has GOMAXPROCS as it was when the test ends.
func keepProcs(t *testing.T) {
	before := goruntime.GOMAXPROCS(0)
	automatic := isDefault(before)
	goruntime.GOMAXPROCS(before)
	t.Cleanup(func() {
		goruntime.GOMAXPROCS(before)
		if automatic {
			goruntime.SetDefaultGOMAXPROCS()
		}
	})
}

// TestProcsOfARun: GOMAXPROCS is raised above the number of workers, not lowered, and as
// it was after the run, however that ends.
func TestProcsOfARun(t *testing.T) {
	keepProcs(t)
	for _, tc := range []struct{ before, workers, during int }{{1, 1, 2}, {2, 2, 3}, {2, 8, 9}, {16, 2, 16}} {
		for name, end := range map[string]func(){"well": func() {}, "by a panic": func() {
			panic("no")
		}, "by Goexit": goruntime.Goexit} {
			goruntime.GOMAXPROCS(tc.before)
			_, _ = runMain(t, starting(func(*edt.Ctx) {
				if got := goruntime.GOMAXPROCS(0); got != tc.during {
					t.Errorf("%d workers: GOMAXPROCS is %d, was %d, want %d", tc.workers, got, tc.before, tc.during)
				}
				end()
			}), Workers(tc.workers))
			if got := goruntime.GOMAXPROCS(0); got != tc.before {
				t.Errorf("%d workers, ended %s: GOMAXPROCS is %d afterwards, was %d", tc.workers, name, got, tc.before)
			}
		}
	}
}

// TestProcsChangedByTheProgram: what the program sets during the run stays.
func TestProcsChangedByTheProgram(t *testing.T) {
	keepProcs(t)
	goruntime.GOMAXPROCS(1)
	mustRun(t, starting(func(*edt.Ctx) { goruntime.GOMAXPROCS(7) }), Workers(2))
	if got := goruntime.GOMAXPROCS(0); got != 7 {
		t.Errorf("GOMAXPROCS is %d, the program has set 7", got)
	}
}

// TestProcsOfSeveralRuns: the last of several runs that are on leaves GOMAXPROCS as the first has found it.
func TestProcsOfSeveralRuns(t *testing.T) {
	keepProcs(t)
	goruntime.GOMAXPROCS(1)
	const runs = 3
	var here, left sync.WaitGroup
	var ends [runs]chan bool
	here.Add(runs)
	for k := range ends {
		ends[k] = make(chan bool)
		left.Add(1)
		go func() {
			defer left.Done()
			_ = Run(context.Background(), starting(func(*edt.Ctx) {
				here.Done()
				<-ends[k]
			}), Workers(k+1))
			ends[k] <- true
		}()
	}
	here.Wait()
	for k, end := range ends {
		if got := goruntime.GOMAXPROCS(0); got != runs+1 {
			t.Errorf("with %d runs on GOMAXPROCS is %d, want %d", runs-k, got, runs+1)
		}
		end <- true
		<-end
	}
	left.Wait()
	if got := goruntime.GOMAXPROCS(0); got != 1 {
		t.Errorf("after all runs GOMAXPROCS is %d, was 1", got)
	}
}
