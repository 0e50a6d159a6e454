package trial

import (
	"context"
	"time"

	"ocr/edt"
)

// An App is a problem for one Config, with its data, as EDTs and in other forms of the same work. It does
// one run at a time, of any form, and may do many: each begins with the same input.
type App interface {
	// Main returns the main EDT of a run as EDTs. The run's clock goes from what the
	// graph is first made of to its result.
	Main() edt.Func

	// Forms are the others, each without this runtime.
	Forms() []Form

	// Verify checks the result of the latest run, in the time it needs. The error is a
	// [*VerifyError], or [ErrIncomplete] if that run did not come to its end.
	Verify() error

	// Elapsed is what the clock measured in the latest run.
	Elapsed() time.Duration

	// Work is how much a run does, in what: 4130071 "nodes". Rates are of that.
	Work() (amount float64, unit string)
}

// A Form is an App's work done without EDTs.
type Form struct {
	Name string // "serial", "goroutines-naive", "goroutines-pool"
	// Run does the work by as many goroutines that compute at a time as there are workers; one form may not care.
	Run func(ctx context.Context, workers int) error
}

// The names of forms that most Apps have.
const (
	EDT    = "edt" // the task graph, which is Main
	Serial = "serial"
	Naive  = "goroutines-naive" // a goroutine a task
	Pooled = "goroutines-pool"  // as many as there are workers, and no goroutine a task
)

// A Clock times one run: an App embeds it. Main or a form calls Begin when input is ready and the
// work begins, and whoever has the result calls End.
type Clock struct {
	begun, took int64
	ended       bool
}

// Begin starts the clock for a new run.
func (k *Clock) Begin() { *k = Clock{begun: Now()} }

// End stops the clock.
func (k *Clock) End() { k.took, k.ended = Now()-k.begun, true }

// Ended reports whether the latest run came to its end.
func (k *Clock) Ended() bool { return k.ended }

// Elapsed is what the clock measured.
func (k *Clock) Elapsed() time.Duration { return time.Duration(k.took) }
