package overhead

import (
	"context"
	goruntime "runtime"
	"sync/atomic"
	"time"

	"ocr/apps/trial"
	"ocr/internal/measure/peers"
)

// each returns a form in plain Go: in each round a goroutine for each worker calls do, all at the same time. Function
// do carries out n operations, and returns how many were done.
func each(name string, n int, do func(n int) int) Form {
	return Form{Name: name, Once: func(ctx context.Context, b *Bench) (Sample, error) {
		return rounds(ctx, b, b.Workers, n, do)
	}}
}

// whole returns a form in plain Go: run runs the parts of a graph, and returns how many it has run.
func whole(name string, parts int, run func(parts int) int) Form {
	return Form{Name: name, Once: func(ctx context.Context, b *Bench) (Sample, error) {
		return rounds(ctx, b, 1, parts, run)
	}}
}

// rounds runs rounds of n operations on goroutines, with as many processors for Go as there are workers.
func rounds(ctx context.Context, b *Bench, goroutines, n int, do func(n int) int) (Sample, error) {
	defer goruntime.GOMAXPROCS(goruntime.GOMAXPROCS(b.Workers))
	var ops, busy, missing atomic.Int64
	trial.Gang(goroutines, func() {}, func(int) {
		done, asked, took := do(n), n, int64(0)
		start := trial.Now()
		for ; done == asked && took < b.Target.Nanoseconds() && ctx.Err() == nil; took = trial.Now() - start {
			done, asked = done+do(n), asked+n
		}
		ops.Add(int64(asked - n)) // the first round is not timed
		busy.Add(took)
		missing.Add(int64(asked - done))
	})
	if short := missing.Load(); short != 0 {
		return Sample{}, trial.Wrong("", "operations that were not done", short, 0)
	}
	return Sample{int(ops.Load()), time.Duration(busy.Load())}, context.Cause(ctx)
}

// program returns the form of a row in another runtime.
func program(name string, l *peers.Library, bench, does string) Form {
	return Form{Name: name, Does: does, Library: l, bench: bench}
}

// gridPrograms are the programs for a grid whose cells wait for the cell above and the cell to the left.
func gridPrograms(bench string, more ...Form) []Form {
	return append([]Form{
		program("tbb-flow", peers.TBB, bench+"-once", builtOnce),
		program("tbb-flow-light", peers.TBB, bench+"-light", builtOnce),
		program("tbb-flow-each", peers.TBB, bench+"-each", builtEach),
		program("omp-depend", peers.OpenMP, bench, builtEach), program("gomp-depend", peers.GOMP, bench, builtEach),
		program("tbb-tasks", peers.TBB, bench+"-counted", byHand),
		program("omp-doacross", peers.OpenMP, bench+"-doacross", plainLoops),
		program("gomp-doacross", peers.GOMP, bench+"-doacross", plainLoops),
	}, more...)
}

// programs adds forms in other runtimes. A round of theirs has these sizes; parts counts its operations, sum checks it.
func (r *Row) programs(parts int, sum uint64, sizes []int, forms ...Form) *Row {
	r.parts, r.sum, r.sizes, r.Forms = parts, sum, sizes, append(r.Forms, forms...)
	return r
}

// chains adds forms that run a chain of n tasks on each worker. Each task adds how many tasks are left, including it.
func (r *Row) chains(n int, forms ...Form) *Row {
	r.lanes = true
	return r.programs(n, sumTo(n), []int{n}, forms...)
}

// sumTo returns 1 + 2 + ... + n.
func sumTo(n int) uint64 { return uint64(n) * uint64(n+1) / 2 }

func (r *Row) take(ctx context.Context, b *Bench, f Form) (Sample, error) {
	if f.Once != nil {
		return f.Once(ctx, b)
	}
	program, err := b.Program(ctx, f.Library)
	if err != nil {
		return Sample{}, err
	}
	lanes := 1
	if r.lanes { // as with chains of EDTs, the times of all workers add up
		lanes = b.Workers
	}
	took, err := program.Run(ctx,
		peers.Request{Bench: f.bench, Sizes: r.sizes, Target: b.Target, Want: uint64(lanes) * r.sum})
	return Sample{lanes * r.parts * len(took), time.Duration(lanes) * peers.Sum(took)}, err
}
