package overhead

import (
	"context"
	"errors"
	goruntime "runtime"
	"time"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/runtime"
)

// A Pool says on what a graph is to be run.
type Pool struct {
	Workers int
	// Sleepy workers go to sleep as soon as they have nothing to do.
	Sleepy bool
	// Greedy workers steal as often as they can.
	Greedy bool
}

// A Runner runs a graph on a pool until nothing is left of it.
type Runner func(ctx context.Context, main edt.Func, p Pool) (runtime.Counters, error)

// A Bench is how samples are taken.
type Bench struct {
	Run Runner
	// Target is how long the timed part of a sample is to be, at least.
	Target time.Duration
	// Rounds, where not 0, is how many rounds a worker times, in place of Target: then
	// every run of a row does exactly the same.
	Rounds int
	// Tiny makes batches and graphs as small as they can be, for tests.
	Tiny bool
	// NoVerify leaves out what is checked after a run. What EDTs check stays.
	NoVerify bool
	// Yield gives the processor to another thread: EDTs that poll call it now and then.
	Yield func()
	// Barrier makes every thread of the process that runs execute a memory barrier.
	Barrier func()
	// OffHeap returns the bytes of the process's memory that are resident outside of
	// the Go heap. Rows of memory need it.
	OffHeap func() (uint64, error)
	// Miscount, where not nil, changes what was counted, for tests.
	Miscount func(*edt.Counters)
}

// A Sample is what one run tells.
type Sample struct {
	// Ops are the operations that were timed, of all workers together.
	Ops uint64
	// Busy is how long they took: of calls and chains the times of all workers added
	// up, of a graph the time from start to end.
	Busy time.Duration
	// Rate is operations a second, all workers together.
	Rate float64
	// Mallocs and Bytes are heap objects and bytes that were allocated meanwhile, what
	// was done between the timed parts included.
	Mallocs, Bytes uint64
	// Rounds are all operations that Mallocs counts: Ops, and those that the clock
	// was not read for.
	Rounds uint64
	// All are the operations of all rounds, those before the clock was read included.
	All uint64
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
func (s Sample) AllocsPerOp() float64 { return float64(s.Mallocs) / float64(s.Rounds) }

// BytesPerOp is heap bytes an operation.
func (s Sample) BytesPerOp() float64 { return float64(s.Bytes) / float64(s.Rounds) }

// run runs a graph. A wrong value that an EDT has found comes back as itself.
func (b *Bench) run(ctx context.Context, main edt.Func, p Pool) (runtime.Counters, error) {
	counts, err := b.Run(ctx, main, p)
	if cause := context.Cause(ctx); cause != nil {
		return counts, cause
	}
	var wrong *trial.VerifyError
	if errors.As(err, &wrong) {
		return counts, wrong
	}
	if b.Miscount != nil {
		b.Miscount(&counts.Counters)
	}
	return counts, err
}

// enough reports whether a worker's timed rounds are, which took so many ns.
func (b *Bench) enough(rounds int, busy int64) bool {
	if b.Rounds != 0 {
		return rounds >= b.Rounds
	}
	return busy >= b.Target.Nanoseconds()
}

// poll is called by who polls, with how often it has: at times it lets others run.
func (b *Bench) poll(polls int) {
	if polls%1024 == 1023 {
		b.Yield()
	}
}

// sized returns n, or few where batches are to be tiny.
func (b *Bench) sized(n, few int) int {
	if b.Tiny {
		return min(n, few)
	}
	return n
}

// heap is how much a program has allocated so far.
type heap struct{ mallocs, bytes uint64 }

func readHeap() heap {
	var m goruntime.MemStats
	goruntime.ReadMemStats(&m)
	return heap{m.Mallocs, m.TotalAlloc}
}

func (s *Sample) allocated(from, to heap) {
	s.Mallocs, s.Bytes = to.mallocs-from.mallocs, to.bytes-from.bytes
}
