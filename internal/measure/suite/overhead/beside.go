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
func each(name string, n int, do func(n int) int) []Form {
	return []Form{{Name: name, Once: func(ctx context.Context, b *Bench) (Sample, error) {
		return rounds(ctx, b, b.Workers, n, do)
	}}}
}

// whole returns a form in plain Go: run runs the parts of a graph, and returns how many it has run.
func whole(name string, parts int, run func(parts int) int) []Form {
	return []Form{{Name: name, Once: func(ctx context.Context, b *Bench) (Sample, error) {
		return rounds(ctx, b, 1, parts, run)
	}}}
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

// A program is a bench of another runtime's program, with the name of its form, and how the bench works.
type program struct {
	name    string
	library *peers.Library
	bench   string
	does    string
}

// gridPrograms are the programs for a grid whose cells wait for the cell above and the cell to the left.
func gridPrograms(bench string, more ...program) []program {
	return append([]program{
		{"tbb-flow", peers.TBB, bench + "-once", builtOnce}, {"tbb-flow-light", peers.TBB, bench + "-light", builtOnce},
		{"tbb-flow-each", peers.TBB, bench + "-each", builtEach},
		{"omp-depend", peers.OpenMP, bench, builtEach}, {"gomp-depend", peers.GOMP, bench, builtEach},
		{"tbb-tasks", peers.TBB, bench + "-counted", byHand},
		{"omp-doacross", peers.OpenMP, bench + "-doacross", plainLoops},
		{"gomp-doacross", peers.GOMP, bench + "-doacross", plainLoops},
	}, more...)
}

// ask returns the forms of a row in other runtimes; parts counts a round's operations, sum is its checksum.
func ask(parts int, sum uint64, sizes []int, programs ...program) (all []Form) {
	for _, p := range programs {
		all = append(all, Form{p.name, p.does, p.library, func(ctx context.Context, b *Bench) (Sample, error) {
			return p.ask(ctx, b, parts, sum, sizes)
		}})
	}
	return all
}

// askChains returns forms that run a chain of n tasks on each worker, each of which adds how many are left, itself
// included. The times of all workers add up, as for a chain of EDTs.
func askChains(n int, programs ...program) (all []Form) {
	for _, p := range programs {
		all = append(all, Form{p.name, p.does, p.library, func(ctx context.Context, b *Bench) (Sample, error) {
			s, err := p.ask(ctx, b, b.Workers*n, uint64(b.Workers)*sumTo(n), []int{n})
			s.Elapsed *= time.Duration(b.Workers)
			return s, err
		}})
	}
	return all
}

// sumTo returns 1 + 2 + ... + n.
func sumTo(n int) uint64 { return uint64(n) * uint64(n+1) / 2 }

func (p program) ask(ctx context.Context, b *Bench, parts int, sum uint64, sizes []int) (Sample, error) {
	running, err := b.Program(ctx, p.library)
	if err != nil {
		return Sample{}, err
	}
	took, err := running.Run(ctx, peers.Request{Bench: p.bench, Sizes: sizes, Target: b.Target, Want: sum})
	return Sample{parts * len(took), peers.Sum(took)}, err
}
