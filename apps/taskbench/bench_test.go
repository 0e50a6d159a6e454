package taskbench

import (
	"fmt"
	"math"
	"testing"
	"time"

	"ocr/runtime"
)

// benchGraph is the shape in which Task Bench's implementations were measured.
func benchGraph(p Pattern) Graph {
	g := shape(p, 8, 1000)
	if p == Nearest {
		g.Radix = 5
	}
	return g
}

// BenchmarkTask reports nanoseconds of a worker a task, the shortest of several runs,
// with an empty kernel: ns/task of the EDT form, and of the floor and of goroutines
// in the same run.
func BenchmarkTask(b *testing.B) {
	for p := range numPatterns {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%v/workers=%d", p, workers), func(b *testing.B) {
				cfg := one(benchGraph(p))
				totals, err := cfg.Totals(b.Context())
				if err != nil {
					b.Fatal(err)
				}
				scale := float64(workers) / float64(totals.Tasks)
				best := map[string]float64{"ns/task": math.Inf(1), "floor-ns/task": math.Inf(1), "goroutines-ns/task": math.Inf(1)}
				note := func(unit string, elapsed time.Duration, err error) {
					if err != nil {
						b.Fatal(err)
					}
					best[unit] = min(best[unit], float64(elapsed)*scale)
				}
				app := New(cfg)
				for b.Loop() {
					if err := runtime.Run(b.Context(), app.Main(), runtime.Workers(workers)); err != nil {
						b.Fatal(err)
					}
					r, err := app.Result()
					note("ns/task", r.Elapsed, err)
					elapsed, err := cfg.Floor(b.Context(), workers)
					note("floor-ns/task", elapsed, err)
					elapsed, err = cfg.Goroutines(b.Context(), workers)
					note("goroutines-ns/task", elapsed, err)
				}
				for unit, value := range best {
					b.ReportMetric(value, unit)
				}
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
