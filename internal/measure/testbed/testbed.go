package testbed

import (
	"context"
	"slices"
	"time"

	"ocr/internal/core/sys"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/machine"
	"ocr/internal/show/report"
)

// Bed is what a suite needs to measure: where, and how.
type Bed struct {
	Argv    []string // of the command, for the document
	Machine *machine.Machine
	Pool    *Pool
	Options RunOptions // of every run that is not observed
	Watch   *Watch     // observes one run, see Bed.Observe; nil for nothing
	Sampling
	*Console
	Notes  []string // of the document, see Note
	Asides []string // of the document, see Aside

	conditions *machine.Conditions // of the measurement; nil for unknown
}

// Sampling is the number of samples, and their length.
type Sampling struct {
	Samples    int // that are kept
	Warmup     int // samples before them
	SampleTime time.Duration
	Seed       uint64
	Verify     bool
}

// Plan returns the plan of samples that last the sample time.
func (b *Bed) Plan() bench.Plan {
	return bench.Plan{
		Warmup: b.Warmup, Samples: b.Samples, Shortest: b.SampleTime,
		Resolution: b.Machine.Clock, Seed: b.Seed, Progress: b.Tell,
	}
}

// Note adds notes to the document, each once: reasons to trust its figures less.
func (b *Bed) Note(notes ...string) { addNew(&b.Notes, notes) }

// Aside adds other notes for readers to the document, each once. Short text leaves them out.
func (b *Bed) Aside(notes ...string) { addNew(&b.Asides, notes) }

func addNew(list *[]string, notes []string) {
	for _, note := range notes {
		if !slices.Contains(*list, note) {
			*list = append(*list, note)
		}
	}
}

// During calls measure, shows its progress, and records the conditions of the processors meanwhile, for
// the document. cpus are the processors in use, each once.
func (b *Bed) During(cpus []int, measure func() error) error {
	if b.Options.Check == nil { // else times mean nothing
		end := machine.Observe(cpus)
		defer func() { b.conditions = end() }()
	}
	b.Note(b.changes(cpus)...)
	err := b.Console.During(measure)
	b.Note(b.changes(cpus)...)
	return err
}

// changes returns notes on limits that the system sets to the use of processors, and on how they have changed.
func (b *Bed) changes(cpus []int) (notes []string) {
	for _, note := range []string{sys.Throttled(len(cpus), b.Machine.Quota), b.Machine.Changed()} {
		if note != "" {
			notes = append(notes, note)
		}
	}
	return notes
}

// observedRuns is how many times a form runs for its observers. The first run is cold; the trace and the statistics are
// those of the second, or of the first if the second fails or is interrupted.
const observedRuns = 2

// Observe runs a form for the testbed's observers, which it passes to once in the options, and writes their files.
// Without observers it does nothing.
func (b *Bed) Observe(ctx context.Context, name string, once func(context.Context, RunOptions) error) error {
	if b.Watch == nil {
		return nil
	}
	return b.ObserveOnly(ctx, name, func(ctx context.Context, o RunOptions) (err error) {
		for run := 0; run < observedRuns && err == nil; run++ {
			err = once(ctx, o)
		}
		return err
	})
}

// ObserveOnly is for a command with one run, which is not measured: it calls once also without observers.
func (b *Bed) ObserveOnly(ctx context.Context, name string, once func(context.Context, RunOptions) error) error {
	o := b.Options
	o.Observe = b.Watch
	if b.Watch == nil {
		return once(ctx, o)
	}
	return b.Watch.around(b.Console, name, func() error { return once(ctx, o) })
}

// NeedsGraph refuses observers and check mode if none of the forms is a graph.
func (b *Bed) NeedsGraph(forms ...string) error {
	switch {
	case b.Watch != nil:
		return notAGraph(b.Watch.Asked(), forms)
	case b.Options.Check != nil:
		return notAGraph("check", forms)
	}
	return nil
}

// About is what a suite's document has beside its results.
type About struct {
	App      string
	Settings report.Config // all that are recorded, see Bed.Settings
	Asides   []string      // beside those of Bed.Aside
	Graph    *GraphRun     // its placement, counters and warnings are in the document; nil for none
}

// Document begins the document of a run: its settings and notes, and the facts of machine and build. The suite adds
// results, and says whether it is partial.
func (b *Bed) Document(a About) *report.Document {
	d := &report.Document{App: a.App, Argv: b.Argv, Config: a.Settings, Conditions: b.conditions, Verified: b.Verify}
	var placement []int
	notes := b.Notes
	d.Asides = slices.Concat(b.Asides, a.Asides)
	if a.Graph != nil {
		placement, d.Counters, d.Ranks = a.Graph.Placement, a.Graph.Counters.Map(), a.Graph.Ranks
		notes = slices.Concat(notes, a.Graph.Warnings)
	}
	d.Begin(b.Machine, placement, notes...)
	b.Watch.into(d)
	return d
}

// Settings returns the recorded settings that all suites share.
func (b *Bed) Settings() report.Config {
	all := slices.Concat(b.Pool.settings(), report.Settings(
		"cpus", b.Pool.CPUList(), "bind", b.Pool.Bind.String(), "verify", b.Verify, "seed", b.Seed,
		"samples", b.Samples, "warmup", b.Warmup, "sample-time", b.SampleTime.String()))
	if b.Options.Check != nil {
		all = all.With("check", true)
	}
	return all
}
