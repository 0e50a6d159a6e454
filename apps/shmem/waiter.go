package shmem

import goruntime "runtime"

// A Waiter says how PEs wait. Every wait polls a cell in bursts of 64 loads; a Waiter says what to
// do between two bursts and when to give the processor away, which is what lets
// more PEs than processors finish. The zero Waiter works: it never pauses, and
// yields by the Go scheduler, which for a pinned worker takes 25 to 40 µs. A
// command fills in its system's own calls.
type Waiter struct {
	// Pause executes the processor's spin-wait hint n times; nil: no hint.
	Pause func(n uint32)
	// Yield lets another thread that waits for this processor run; nil:
	// runtime.Gosched.
	Yield func()
	// Polls is the number of fruitless polls before each yield, rounded up to whole
	// bursts of 64. 0: many
	// (DefaultPolls) if each PE has a processor of its own, few
	// (OversubscribedPolls) if PEs share processors.
	Polls int
}

// Defaults of [Waiter.Polls].
const (
	DefaultPolls        = 20_000
	OversubscribedPolls = 64
)

// settled returns w with its defaults filled in; oversubscribed says that PEs share
// processors.
func (w Waiter) settled(oversubscribed bool) Waiter {
	if w.Yield == nil {
		w.Yield = goruntime.Gosched
	}
	if w.Polls <= 0 {
		w.Polls = DefaultPolls
		if oversubscribed {
			w.Polls = OversubscribedPolls
		}
	}
	return w
}
