package runtime

import (
	"fmt"
	goruntime "runtime"
	"testing"

	"ocr/edt"
	"ocr/internal/proof/testrun"
)

// tiny is a program of three EDTs, main included.
func tiny(c *edt.Ctx) {
	child := body(c, func(*edt.Ctx) {})
	c.NewEDT(child, nil)
	c.NewEDT(child, nil)
}

// TestTinyRunsAllocateLittle: what a run of few EDTs needs was left behind by the runs
// before it.
func TestTinyRunsAllocateLittle(t *testing.T) {
	if testrun.Race() {
		t.Skip("the race detector's own allocations are counted too")
	}
	run := func() { mustRun(t, starting(tiny), Workers(1)) }
	run()
	const runs, limit = 50, 64 << 10
	var before, after goruntime.MemStats
	goruntime.ReadMemStats(&before)
	for range runs {
		run()
	}
	goruntime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / runs; each > limit {
		t.Errorf("a run allocates %d bytes, want at most %d", each, limit)
	}
}

// BenchmarkRun is a whole run of a tiny program, from start to end.
func BenchmarkRun(b *testing.B) {
	for _, workers := range []int{1, 2, 64, MaxWorkers} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := Run(b.Context(), starting(tiny), Workers(workers)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
