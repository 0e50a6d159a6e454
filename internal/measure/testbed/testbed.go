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

// Bed is what a suite gets: where and how to measure.
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

	conditions *machine.Conditions // of what was measured; nil before
}

// Sampling is how many samples are taken, and how long they are.
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

// Note adds notes to the document: what lessens what its figures say, each once.
func (b *Bed) Note(notes ...string) { addNew(&b.Notes, notes) }

// Aside adds to the document what else a reader may want to know, each once. Short text does without it.
func (b *Bed) Aside(notes ...string) { addNew(&b.Asides, notes) }

func addNew(list *[]string, notes []string) {
	for _, note := range notes {
		if !slices.Contains(*list, note) {
			*list = append(*list, note)
		}
	}
}

// During runs measure, shows on a terminal how far it is, and records what the processors gave meanwhile, for the
// document. cpus are those that are used, each once.
func (b *Bed) During(cpus []int, measure func() error) error {
	if b.Options.Check == nil && b.Options.Schedule == nil { // else times mean nothing
		o := machine.Observe(cpus)
		defer func() { b.conditions = o.End() }()
	}
	b.Note(b.changes(cpus)...)
	err := b.Console.During(measure)
	b.Note(b.changes(cpus)...)
	return err
}

// changes are notes on what the system lets the process use of processors, and on how it has changed that.
func (b *Bed) changes(cpus []int) (notes []string) {
	for _, note := range []string{sys.Throttled(len(cpus), b.Machine.Quota), b.Machine.Changed()} {
		if note != "" {
			notes = append(notes, note)
		}
	}
	return notes
}

// Conditions returns what the processors gave to [Bed.During]; nil before, and if times mean nothing.
func (b *Bed) Conditions() *machine.Conditions { return b.conditions }

// observedRuns is how many times a form is run for its observers. The first run is cold; the trace and the statistics
// are of the second, or of the first if that fails or is interrupted.
const observedRuns = 2

// Observe runs a form for the testbed's observers, which are in the options that once gets, and writes their files.
// Without observers it does nothing. [Output.Write] reports a file that cannot be written, once the results are safe.
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

// ObserveOnly is for a command that has one run, which is not measured: it runs once also without observers.
func (b *Bed) ObserveOnly(ctx context.Context, name string, once func(context.Context, RunOptions) error) error {
	o := b.Options
	o.Observe = b.Watch
	if b.Watch == nil {
		return once(ctx, o)
	}
	return b.Watch.around(b.Console, name, func() error { return once(ctx, o) })
}

// NeedsGraph refuses to observe or to check a run if none of the forms that run is a graph.
func (b *Bed) NeedsGraph(forms ...string) error {
	switch {
	case b.Watch != nil:
		return notAGraph(b.Watch.Asked(), forms)
	case b.Options.Check != nil:
		return notAGraph("check", forms)
	}
	return nil
}

// About is what a suite's document says beside its results.
type About struct {
	App      string
	Settings report.Config // all that are recorded, see Bed.Settings
	Asides   []string      // beside those of Bed.Aside
	Graph    *GraphRun     // whose placement, counters and warnings it has; nil for none
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

// Settings returns the part of the recorded settings that suites have in common.
func (b *Bed) Settings() report.Config {
	all := slices.Concat(b.Pool.settings(), report.Settings(
		"cpus", b.Pool.CPUList(), "bind", b.Pool.Bind.String(), "verify", b.Verify, "seed", b.Seed,
		"samples", b.Samples, "warmup", b.Warmup, "sample-time", b.SampleTime.String()))
	if b.Options.Check != nil {
		all = all.With("check", true)
	}
	return all
}
