package taskgraph

import (
	"context"
	goruntime "runtime"
	"sync/atomic"
	"testing"
	"time"

	"ocr/apps/taskbench"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/testbed"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

func TestFigures(t *testing.T) {
	p := &testbed.Pool{Ranks: 1, Workers: 4, CPUs: []int{0, 1}} // two cores
	got := Figures(p, taskbench.Totals{Tasks: 4000, Flops: 1e6})(3*time.Millisecond, 2)
	want := []bench.Value{{Unit: "ns/task", Value: 750}, {Unit: "task/s", Value: 8000 / 0.003},
		{Unit: "flop/s", Value: 2e6 / 0.003}}
	for i := range got {
		got[i].Value = float64(int64(got[i].Value + 0.5))
		want[i].Value = float64(int64(want[i].Value + 0.5))
	}
	testrun.Same(t, want, got, "3 ms for two runs of 4000 tasks")
}

// TestPeak: the peak uses as many cores as the workers have, and counts the operations of compute_bound.
func TestPeak(t *testing.T) {
	side := Peak("metg", &testbed.Pool{Ranks: 1, Workers: 4, CPUs: []int{0, 1}, Bind: runtime.BindNone})
	if elapsed, err := side.Once(t.Context()); err != nil || elapsed <= 0 {
		t.Errorf("%v, %v", elapsed, err)
	}
	if got, want := side.Figures(time.Second, 1)[0].Value,
		peakSteps*2*(128*float64(peakIterations)+64); side.Name != "metg/peak/workers=4" || got != want {
		t.Errorf("%s: %v flop in a second, want %v", side.Name, got, want)
	}
}

// threads is a context that records GOMAXPROCS when it is used.
type threads struct {
	context.Context
	seen *atomic.Int64
}

func (c threads) Done() <-chan struct{} {
	c.seen.Store(int64(goruntime.GOMAXPROCS(0)))
	return c.Context.Done()
}

// TestFloorThreads: loops on two cores have two threads and Go one more, whatever GOMAXPROCS is in the environment.
func TestFloorThreads(t *testing.T) {
	defer goruntime.GOMAXPROCS(goruntime.GOMAXPROCS(1))
	var seen atomic.Int64
	pool := &testbed.Pool{Ranks: 1, Workers: 2, CPUs: []int{0, 1}, Bind: runtime.BindNone}
	_, err := Peak("metg", pool).Once(threads{t.Context(), &seen})
	if after := goruntime.GOMAXPROCS(0); err != nil || seen.Load() != 3 || after != 1 {
		t.Errorf("GOMAXPROCS=%d meanwhile, want 3, and %d after it, want 1; error %v", seen.Load(), after, err)
	}
}
