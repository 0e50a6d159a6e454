package observe

import (
	"io"
	"os"

	"ocr/edt"
	"ocr/internal/watch/trace"
	"ocr/runtime"
)

// DefaultEvents is how many records a [Trace] keeps of each worker by default: 65 536, which are 3.5 MiB.
const DefaultEvents = trace.DefaultEvents

// A Trace records what the workers of a run do, for ui.perfetto.dev: a track for each worker with a slice for each EDT,
// idle and parked time between them, and an arrow from the satisfaction of an EDT to its beginning. One run at a time
// can use it.
type Trace struct {
	Title string // "" for the program's name
	// records of 56 bytes kept of each worker, the latest: two an EDT or so, with arrows; 0 for DefaultEvents
	Events int
	// NoArrows saves the records of arrows.
	NoArrows bool

	runs  recording[trace.Recorder]
	about trace.About
}

// Option has a run traced.
func (t *Trace) Option() runtime.Option { return option(traces, t, t.runs.use, t.Observe, t.End) }

var traces = runtime.NewObserverKind("ocr/observe.Trace", func(config string) func(*edt.Worker) edt.Observer {
	return configured(new(Trace), config).Observe
})

// Observe returns the observer of a worker. It is for other hosts than package runtime, which Option is for: edttest's.
func (t *Trace) Observe(w *edt.Worker) edt.Observer {
	return t.runs.begin(w, func(workers int) *trace.Recorder {
		events := t.Events
		if events <= 0 {
			events = DefaultEvents
		}
		return trace.New(workers, trace.Config{Events: events, Flows: !t.NoArrows})
	}).Observe(w)
}

// End says that the run has ended. It is for other hosts, too.
func (t *Trace) End(run runtime.Report, err error) {
	if t.runs.now == nil {
		return
	}
	t.runs.now.Stop()
	t.runs.end()
	t.about = trace.About{Argv: os.Args, CPUs: run.Placement}
	if len(run.Ranks) > 1 {
		t.about.CPUs = nil
		for _, r := range run.Ranks {
			t.about.CPUs = append(t.about.CPUs, r.Placement...)
		}
	}
	if err != nil {
		t.about.Ending = err.Error()
	}
}

// Write writes the trace of the latest run that has ended, as Chrome's trace-event JSON.
func (t *Trace) Write(w io.Writer) error {
	if t.runs.latest == nil {
		return ErrNoRun
	}
	about := t.about
	about.Process = titled(t.Title)
	return t.runs.latest.Write(w, about)
}

// Missing returns how many records of each worker of that run are missing, its oldest: Events was too small for them.
// Over ranks there is one more for each rank, behind all workers: its records of what others have sent.
func (t *Trace) Missing() []uint64 {
	if t.runs.latest == nil {
		return nil
	}
	return t.runs.latest.Counts().Dropped
}
