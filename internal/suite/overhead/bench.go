package overhead

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/internal/peers"
	"ocr/internal/sys"
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
	// Rounds, if not 0, is how many rounds a worker times, in place of Target: then
	// every run of a row does exactly the same.
	Rounds int

	events   []counted      // that samples count
	counters []*sys.Counter // theirs, during a sample
	// others returns the program of another runtime with as many threads as there are workers. Others of rows need it.
	others func(ctx context.Context, l *peers.Library) (*peers.Program, error)

	tiny     bool                // batches and graphs are as small as they can be, for tests
	noVerify bool                // leaves out what is checked after a run; what EDTs check stays
	miscount func(*edt.Counters) // if not nil, changes what was counted, for tests
}

// A Sample is the result of one run.
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
	// Events are how often each of the bench's events happened meanwhile.
	Events []uint64
	// Unaccounted samples know of no allocations and events.
	Unaccounted bool
	// Rounds are all operations that Mallocs and Events count: Ops, and those that the clock was not read for.
	Rounds uint64
	// All are the operations of all rounds, those before the clock was read included.
	All uint64
	// Latencies are the times of the single operations in nanoseconds, of rows that are about those; else nil.
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
	if b.miscount != nil {
		b.miscount(&counts.Counters)
	}
	return counts, err
}

// verify compares what the runtime counted with what a run should have come to.
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

// wrong is something that did not happen as often as it should have, or a value that did
// not arrive. The row that it is about is added later.
func wrong(what string, got, want uint64) *trial.VerifyError { return trial.Wrong("", what, got, want) }

// expect ends the run if a value is not what it should be.
func expect(what string, want, got uint64) {
	if want != got {
		panic(wrong(what, got, want))
	}
}

// times returns n times the counts.
func times(c edt.Counters, n uint64) edt.Counters {
	return edt.Counters{
		EDTCreated: c.EDTCreated * n, EDTRun: c.EDTRun * n, EDTDestroyed: c.EDTDestroyed * n,
		EventCreated: c.EventCreated * n, EventDestroyed: c.EventDestroyed * n, EventSatisfied: c.EventSatisfied * n,
		BlockCreated: c.BlockCreated * n, BlockDestroyed: c.BlockDestroyed * n,
		TemplateCreated: c.TemplateCreated * n, TemplateDestroyed: c.TemplateDestroyed * n,
		DependenceAdded: c.DependenceAdded * n,
	}
}

// ran counts n EDTs that are created and run.
func ran(n uint64) edt.Counters { return edt.Counters{EDTCreated: n, EDTRun: n} }

// anEvent counts one that is created and destroyed.
var anEvent = edt.Counters{EventCreated: 1, EventDestroyed: 1}

// plus adds counts up.
func plus(all ...edt.Counters) edt.Counters {
	var sum edt.Counters
	for i := range all {
		sum.Add(&all[i])
	}
	return sum
}

// enough reports whether a worker has timed enough rounds; busy is their time in ns.
func (b *Bench) enough(rounds int, busy int64) bool {
	if b.Rounds != 0 {
		return rounds >= b.Rounds
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

// repeats is how many times a graph with that number of parts is run between two readings of the clock.
func (b *Bench) repeats(parts int) int { return b.sized(max(1, roundParts/parts), 1) }

// patience is after how many polls await gives up.
const patience = 1 << 32

// await polls until something holds, or the run is cancelled. At times it lets another thread run.
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
