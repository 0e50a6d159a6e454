// Package taskgraph runs Task Bench's graphs as sides of a measurement, for several suites.
package taskgraph

import (
	"context"
	"fmt"
	goruntime "runtime"
	"time"

	"ocr/apps/taskbench"
	"ocr/apps/taskbench/kernel"
	"ocr/internal/core/sys"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/testbed"
)

// Memory returns how many bytes graphs may use, see [taskbench.Config.Validate].
func Memory() uint64 { return sys.TotalMemory() / 4 * 3 }

// Floor returns a function that runs graphs once in plain loops, without a runtime: on a thread for each processor of
// the workers, pinned to this processor if the workers are pinned.
func Floor(p *testbed.Pool, cfg taskbench.Config) func(context.Context) (time.Duration, error) {
	pins := p.CorePins()
	return func(ctx context.Context) (time.Duration, error) {
		defer goruntime.GOMAXPROCS(goruntime.GOMAXPROCS(len(pins) + 1)) // see trial.Pinned
		return cfg.Floor(ctx, pins)
	}
}

// Figures returns a function that turns the time of a number of runs into the figures of one run: the granularity as
// ns/task, which is wall time x cores / tasks, and the rates of the tasks' work.
func Figures(p *testbed.Pool, t taskbench.Totals) func(elapsed time.Duration, runs int) []bench.Value {
	return func(elapsed time.Duration, runs int) []bench.Value {
		rate := float64(runs) / elapsed.Seconds()
		values := []bench.Value{
			{Unit: "ns/task", Value: 1e9 * float64(p.Cores()) / (float64(t.Tasks) * rate)},
			{Unit: "task/s", Value: float64(t.Tasks) * rate},
		}
		if t.Flops > 0 {
			values = append(values, bench.Value{Unit: "flop/s", Value: float64(t.Flops) * rate})
		}
		if t.Bytes > 0 {
			values = append(values, bench.Value{Unit: "B/s", Value: float64(t.Bytes) * rate})
		}
		return values
	}
}

// The peak's tasks are so long that the rest of a run does not show, and so few that a run takes some ten milliseconds.
const (
	peakIterations = 1 << 14
	peakSteps      = 200
)

// Peak returns a side that measures the peak rate of floating-point operations: compute_bound alone, on as many cores
// as the workers have. A run is the best of three, so that a disturbance of one does not show.
func Peak(app string, p *testbed.Pool) bench.Side {
	g := taskbench.DefaultGraph()
	g.Steps, g.Width = peakSteps, p.Cores()
	g.Kernel = kernel.Kernel{Kind: kernel.ComputeBound, Iterations: peakIterations, Samples: g.Kernel.Samples}
	cfg := taskbench.Defaults()
	cfg.Graphs = []taskbench.Graph{g}
	flops := float64(g.Steps*g.Width) * float64(g.Kernel.Flops(0, 0, 0))
	once := Floor(p, cfg)
	return bench.Side{
		Name: fmt.Sprintf("%s/peak/%s", app, p.InNames()),
		Once: func(ctx context.Context) (best time.Duration, err error) {
			for k := 0; k < 3 && err == nil; k++ {
				var took time.Duration
				if took, err = once(ctx); k == 0 || took < best {
					best = took
				}
			}
			return best, err
		},
		Figures: func(elapsed time.Duration, runs int) []bench.Value {
			return []bench.Value{{Unit: "flop/s", Value: flops * float64(runs) / elapsed.Seconds()}}
		},
	}
}

// Notes returns what a reader of figures of graphs needs to know: the kernels, and what is true of a run without
// verification. For forms without EDTs place is "". For others the first note says which columns share a data block,
// and how this affects edges.
func Notes(place taskbench.Placement, verified bool) []string {
	var notes []string
	sharing := "a data block for each column, every edge between columns is passed with access"
	if place == taskbench.PlaceBound {
		sharing = "the columns of a worker share one data block, edges inside it are passed without access"
	}
	if place != "" {
		notes = append(notes, fmt.Sprintf("place %s: %s", place, sharing))
	}
	notes = append(notes, "kernels: "+kernel.Implementation())
	if !verified {
		notes = append(notes, "a wrong value in an input of an EDT would not have been noticed")
	}
	return notes
}
