package overhead

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/internal/core/sys"
	"ocr/internal/measure/peers"
	"ocr/runtime"
)

// A Pool is the workers that a graph runs on.
type Pool struct {
	Workers int
	Sleepy  bool // they sleep as soon as they have nothing to do
	Greedy  bool // they steal as often as they can
}

// A Runner runs a graph on a pool until nothing is left of it.
type Runner func(ctx context.Context, main edt.Func, p Pool) (runtime.Counters, error)

// A Bench says how samples are taken.
type Bench struct {
	Run Runner
	// Target is the least time that the timed part of a sample takes.
	Target time.Duration
	// Rounds, if not 0, is how many rounds a worker times, in place of Target: then
	// every run of a row does exactly the same.
	Rounds int

	// others returns the program of another runtime with a thread for each worker.
	// Peers that have a library need it.
	others func(ctx context.Context, l *peers.Library) (*peers.Program, error)

	tiny     bool                // batches and graphs are as small as they can be, for tests
	noVerify bool                // leaves out what is checked after a run; what EDTs check stays
	miscount func(*edt.Counters) // if not nil, changes what was counted, for tests
}

// A Sample is what one run has measured.
type Sample struct {
	// Ops are the operations that were timed, of all workers together.
	Ops uint64
	// All are the operations of all rounds, those before the timed part included; 0 of peers.
	All uint64
	// Busy is how long Ops took: of calls and chains the times of all workers added
	// up, of a graph the time from start to end.
	Busy time.Duration
	// Rate is operations a second, all workers together.
	Rate float64
	Spent
	// Unaccounted samples know nothing of Spent.
	Unaccounted bool
	// Latencies are the times of the single operations in nanoseconds, of rows that
	// are about those; else nil.
	Latencies []float64
	// Counts are the runtime's; zero of peers.
	Counts runtime.Counters
}

// NsPerOp is how long an operation takes a worker, in nanoseconds; of a graph, the
// time from start to end for each of its parts.
func (s Sample) NsPerOp() float64 { return float64(s.Busy.Nanoseconds()) / float64(s.Ops) }

// AllocsPerOp is heap objects an operation.
func (s Sample) AllocsPerOp() float64 { return float64(s.Mallocs) / float64(s.Ops) }

// BytesPerOp is heap bytes an operation.
func (s Sample) BytesPerOp() float64 { return float64(s.Bytes) / float64(s.Ops) }

// run runs a graph. If an EDT has found a wrong value, its error is returned as it is.
func (b *Bench) run(ctx context.Context, main edt.Func, p Pool) (runtime.Counters, error) {
	counts, err := b.Run(ctx, main, p)
	if cause := context.Cause(ctx); cause != nil {
		return counts, cause
	}
	var wrong *trial.VerifyError
	if errors.As(err, &wrong) {
		return counts, wrong
	}
	if b.miscount != nil {
		b.miscount(&counts.Counters)
	}
	return counts, err
}

// verify compares what the runtime has counted with what a run comes to.
func (b *Bench) verify(got, want edt.Counters) error {
	if b.noVerify {
		return nil
	}
	counted, due := got.Map(), want.Map()
	for _, what := range slices.Sorted(maps.Keys(due)) {
		if counted[what] != due[what] {
			return wrong(what, counted[what], due[what])
		}
	}
	return nil
}

// wrong is the error of a count, or of a value that arrived. The row's name is added later.
func wrong(what string, got, want uint64) *trial.VerifyError { return trial.Wrong("", what, got, want) }

// expect ends the run if a value is not what it must be.
func expect(what string, want, got uint64) {
	if want != got {
		panic(wrong(what, got, want))
	}
}

// enough reports whether a worker has timed enough rounds, which took busy ns.
func (b *Bench) enough(rounds uint64, busy int64) bool {
	if b.Rounds != 0 {
		return rounds >= uint64(b.Rounds)
	}
	return busy >= b.Target.Nanoseconds()
}

// sized returns n, or few if batches are to be tiny.
func (b *Bench) sized(n, few int) int {
	if b.tiny {
		return min(n, few)
	}
	return n
}

// repeats is how often a graph is run for a reading of the clock.
func (b *Bench) repeats(parts int) int { return b.sized(max(1, roundParts/parts), 1) }

// patience is the number of polls after which await gives up.
const patience = 1 << 32

// await polls until a condition holds, or the run is cancelled. Now and then it gives the
// processor to another thread.
func await(ctx context.Context, what string, holds func() bool) {
	for polls := 0; !holds() && ctx.Err() == nil; polls++ {
		if polls > patience {
			expect(what, 1, 0)
		}
		if polls%1024 == 1023 {
			sys.Yield()
		}
	}
}
