package trial

import (
	"context"
	"time"

	"ocr/edt"
)

// An App is a problem for one Config, with its data, as EDTs and in other forms of the same work. It does one run at a
// time, of any form, and may do many: each begins with the same input.
type App interface {
	// Main returns the main EDT of a run as EDTs. The clock runs from the first EDT of the graph to its result.
	Main() edt.Func

	// Forms are the others, each without this runtime.
	Forms() []Form

	// Verify checks the result of the latest run. The error is a [*VerifyError], or [ErrIncomplete] if that run did not
	// come to its end.
	Verify() error

	// Elapsed is what the clock measured in the latest run.
	Elapsed() time.Duration

	// Work is how much a run does, in what: 4130071 "nodes". Rates are of that.
	Work() (amount float64, unit string)
}

// A Recorder is an App with the form [EDTRecorded].
type Recorder interface {
	App
	// MainRecorded is Main for a graph that is recorded once and run again and again.
	MainRecorded() edt.Func
}

// A Form is an App's work done without EDTs.
type Form struct {
	Name string // "serial", "goroutines-pool"
	// Run does the work with as many goroutines as there are workers; [Serial] has one.
	Run func(ctx context.Context, workers int) error
}

// Forms returns the two forms that an App of the gallery has beside its EDTs.
func Forms(serial, pooled func(ctx context.Context, workers int) error) []Form {
	return []Form{{Serial, serial}, {Pooled, pooled}}
}

// The names of forms that most Apps have.
const (
	EDT    = "edt" // the task graph, which is Main
	Serial = "serial"
	Pooled = "goroutines-pool" // as many goroutines as there are workers

	EDTRecorded = "edt-recorded" // the task graph of a Recorder
)

// A Clock times one run: an App embeds it. Main or a form calls Begin when the input is ready and the work begins, and
// End when it has the result.
type Clock struct {
	begun, took int64
	ended       bool
}

// Begin starts the clock for a new run.
func (k *Clock) Begin() { *k = Clock{begun: Now()} }

// End stops the clock.
func (k *Clock) End() { k.took, k.ended = Now()-k.begun, true }

// EndUnless stops the clock of a form, unless ctx is done: it returns the cause then, and the run has no result.
func (k *Clock) EndUnless(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	k.End()
	return nil
}

// Ended reports whether the latest run came to its end.
func (k *Clock) Ended() bool { return k.ended }

// Elapsed is what the clock measured.
func (k *Clock) Elapsed() time.Duration { return time.Duration(k.took) }
