package trial

import (
	"context"
	"time"

	"ocr/edt"
	"ocr/task"
)

// An App is a problem for one Config, with its data, as EDTs and in other forms of the same work. It runs one form at a
// time, and may run many times: each run begins with the same input.
type App interface {
	// Main returns the main EDT of a run as EDTs. The clock runs from the first EDT of the graph to its result.
	Main() edt.Func

	// Forms are the other forms, without this runtime.
	Forms() []Form

	// Verify checks the result of the latest run. The error is a [*VerifyError], or [ErrIncomplete] if the run has no
	// result.
	Verify() error

	// Elapsed is the time that the clock measured in the latest run.
	Elapsed() time.Duration

	// Work is the amount of a run's work, and its unit: 4130071 "nodes". Rates are in this unit a second.
	Work() (amount float64, unit string)
}

// A Recorder is an App with the form [EDTRecorded].
type Recorder interface {
	App
	// MainRecorded is Main for a graph that is recorded once and run many times.
	MainRecorded() edt.Func
}

// A LongVerifier is an App whose check may take minutes.
type LongVerifier interface {
	App
	// VerifyUntil is Verify, but returns the cause of ctx soon after ctx is done.
	VerifyUntil(ctx context.Context) error
}

// A Form is a way to do an App's work without EDTs.
type Form struct {
	Name string // "serial", "goroutines-pool"
	// Run does the work with this number of goroutines; [Serial] uses one.
	Run func(ctx context.Context, workers int) error
}

// Forms returns the two other forms of an App of the gallery: run with one goroutine, and with one for each worker.
func Forms(run func(ctx context.Context, workers int) error) []Form {
	return []Form{{Serial, func(ctx context.Context, _ int) error { return run(ctx, 1) }}, {Pooled, run}}
}

// Names of forms that most Apps have.
const (
	EDT    = "edt" // the task graph, which is Main
	Serial = "serial"
	Pooled = "goroutines-pool" // as many goroutines as there are workers

	EDTRecorded = "edt-recorded" // the task graph of a Recorder
)

// A Clock times one run: an App embeds it. Main or a form calls Begin when the input is ready and the work begins, and
// End when the result is ready.
type Clock struct {
	begun, took int64
	ended       bool
}

// Main makes the main EDT of a new run, which has no result yet.
func (k *Clock) Main(body func(c *edt.Ctx)) edt.Func {
	*k = Clock{}
	return task.Main(body)
}

// Begin starts the clock for a new run.
func (k *Clock) Begin() { *k = Clock{begun: Now()} }

// End stops the clock.
func (k *Clock) End() { k.took, k.ended = Now()-k.begun, true }

// EndUnless stops the clock of a form. If ctx is done it returns the cause instead, and the run has no result.
func (k *Clock) EndUnless(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	k.End()
	return nil
}

// Ended reports whether the latest run has a result.
func (k *Clock) Ended() bool { return k.ended }

// Elapsed is the time that the clock measured.
func (k *Clock) Elapsed() time.Duration { return time.Duration(k.took) }
