package overhead

import (
	"context"
	goruntime "runtime"
	"sync/atomic"
	"time"

	"ocr/apps/trial"
	"ocr/internal/measure/peers"
)

// untimed bounds how long a sample of plain Go takes, with what is not timed: untimed times its target.
const untimed = 4

// loop is plain Go that every worker does at the same time, a goroutine for each: open returns a loop over n
// operations, which returns how many were done.
func loop(name string, n int, open func() func(n int) int) Form {
	return Form{Name: name, Once: func(ctx context.Context, b *Bench) (Sample, error) {
		return rounds(ctx, b, b.Workers, n, open)
	}}
}

// each is a loop whose goroutines need nothing of their own.
func each(name string, n int, do func(n int) int) Form {
	return loop(name, n, func() func(int) int { return do })
}

// whole is plain Go that does once what a graph of parts does: run returns how many it has seen done.
func whole(name string, parts int, run func(parts int) int) Form {
	return Form{Name: name, Once: func(ctx context.Context, b *Bench) (Sample, error) {
		return rounds(ctx, b, 1, parts, func() func(int) int { return run })
	}}
}

// rounds has goroutines do rounds of n operations, with as many processors for Go as there are workers.
func rounds(ctx context.Context, b *Bench, goroutines, n int, open func() func(n int) int) (s Sample, err error) {
	defer goruntime.GOMAXPROCS(goruntime.GOMAXPROCS(b.Workers))
	var stop atomic.Bool
	var ops, busy, missing atomic.Int64
	target := b.Target.Nanoseconds()
	trial.Gang(goroutines, func() {}, func(int) {
		do := open()
		for range warmRounds {
			missing.Add(int64(n - do(n)))
		}
		took := int64(0)
		for first := trial.Now(); !stop.Load() && ctx.Err() == nil; {
			start := trial.Now()
			done := do(n)
			end := trial.Now()
			took += end - start
			ops.Add(int64(n))
			if missing.Add(int64(n-done)) != 0 || took >= target || end-first >= untimed*target {
				stop.Store(true)
			}
		}
		busy.Add(took)
	})
	if short := missing.Load(); short != 0 {
		return s, trial.Wrong("", "operations that were not done", short, 0)
	}
	return Sample{Ops: int(ops.Load()), Elapsed: time.Duration(busy.Load())}, context.Cause(ctx)
}

// A program is a bench of another runtime's program, how it is named, and what it does.
type program struct {
	name    string
	library *peers.Library
	bench   string
	does    string
}

// gridPrograms are the programs for a grid whose cells wait for the one above and the one to the left.
func gridPrograms(bench string) []program {
	return []program{
		{"tbb-flow", peers.TBB, bench + "-once", builtOnce}, {"tbb-flow-light", peers.TBB, bench + "-light", builtOnce},
		{"tbb-flow-each", peers.TBB, bench + "-each", builtEach}, {"tbb-tasks", peers.TBB, bench + "-counted", byHand},
		{"omp-depend", peers.OpenMP, bench, builtEach}, {"gomp-depend", peers.GOMP, bench, builtEach},
		{"omp-doacross", peers.OpenMP, bench + "-doacross", plainLoops},
		{"gomp-doacross", peers.GOMP, bench + "-doacross", plainLoops},
	}
}

// ask are forms that do in other runtimes what a row does: a round of parts with a checksum.
func ask(parts int, sum uint64, sizes []int, programs ...program) (all []Form) {
	for _, p := range programs {
		all = append(all, Form{p.name, p.does, p.library, func(ctx context.Context, b *Bench) (Sample, error) {
			return p.ask(ctx, b, parts, peers.Request{Sizes: sizes, Want: sum})
		}})
	}
	return all
}

// askChains are forms that run a chain of n tasks on each worker, which add up how many are to come. As of a chain of
// EDTs, the times of all workers count.
func askChains(n int, programs ...program) (all []Form) {
	for _, p := range programs {
		all = append(all, Form{p.name, p.does, p.library, func(ctx context.Context, b *Bench) (Sample, error) {
			s, err := p.ask(ctx, b, b.Workers*n, peers.Request{Sizes: []int{n}, Want: uint64(b.Workers) * sumTo(n)})
			s.Elapsed *= time.Duration(b.Workers)
			return s, err
		}})
	}
	return all
}

// sumTo returns 1 + 2 + ... + n.
func sumTo(n int) uint64 { return uint64(n) * uint64(n+1) / 2 }

func (p program) ask(ctx context.Context, b *Bench, parts int, r peers.Request) (Sample, error) {
	running, err := b.Program(ctx, p.library)
	if err != nil {
		return Sample{}, err
	}
	r.Bench, r.Target = p.bench, b.Target
	took, err := running.Run(ctx, r)
	return Sample{Ops: parts * len(took), Elapsed: peers.Sum(took)}, err
}
