package runtime

import (
	"context"
	goruntime "runtime"
	"sync"
	"testing"

	"ocr/edt"
	"ocr/internal/proof/testrun"
)

// keepProcs restores GOMAXPROCS at the end of the test.
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

// TestProcsOfARun: a run raises GOMAXPROCS above the number of workers, never lowers it, and restores it at the end,
// however the run ends.
func TestProcsOfARun(t *testing.T) {
	keepProcs(t)
	for _, tc := range []struct{ before, workers, during int }{{1, 1, 2}, {2, 2, 3}, {2, 8, 9}, {16, 2, 16}} {
		for name, end := range map[string]func(){"well": func() {}, "by a panic": func() {
			panic("no")
		}, "by Goexit": goruntime.Goexit} {
			goruntime.GOMAXPROCS(tc.before)
			_, _ = runMain(t, starting(func(*edt.Ctx) {
				testrun.Equal(t, tc.during, goruntime.GOMAXPROCS(0),
					"%d workers: GOMAXPROCS, before %d", tc.workers, tc.before)
				end()
			}), Workers(tc.workers))
			testrun.Equal(t, tc.before, goruntime.GOMAXPROCS(0),
				"%d workers, ended %s: GOMAXPROCS afterwards", tc.workers, name)
		}
	}
}

// TestProcsChangedByTheProgram: a value that the program sets during the run is kept.
func TestProcsChangedByTheProgram(t *testing.T) {
	keepProcs(t)
	goruntime.GOMAXPROCS(1)
	mustRun(t, starting(func(*edt.Ctx) { goruntime.GOMAXPROCS(7) }), Workers(2))
	testrun.Equal(t, 7, goruntime.GOMAXPROCS(0), "GOMAXPROCS, which the program has set")
}

// TestProcsOfSeveralRuns: GOMAXPROCS counts the workers of all concurrent runs. The last run restores the value from
// before the first.
func TestProcsOfSeveralRuns(t *testing.T) {
	keepProcs(t)
	goruntime.GOMAXPROCS(1)
	const runs = 3
	var here, left sync.WaitGroup
	var ends [runs]chan bool
	here.Add(runs)
	for k := range ends {
		ends[k] = make(chan bool)
		left.Go(func() {
			_ = Run(context.Background(), starting(func(*edt.Ctx) {
				here.Done()
				<-ends[k]
			}), Workers(k+1))
			ends[k] <- true
		})
	}
	here.Wait()
	for k, end := range ends {
		testrun.Equal(t, 1+2+3+1, goruntime.GOMAXPROCS(0), "with %d runs on GOMAXPROCS", runs-k)
		end <- true
		<-end
	}
	left.Wait()
	testrun.Equal(t, 1, goruntime.GOMAXPROCS(0), "GOMAXPROCS after all runs")
}
