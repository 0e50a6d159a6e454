package testbed

import (
	"context"
	"time"

	"ocr/internal/bench"
	"ocr/internal/machine"
)

// Bed is what a suite is given: where and how to measure.
type Bed struct {
	Argv    []string // of the command, for the document
	Env     []string // NAME=VALUE of the variables that have set something
	Machine *machine.Machine
	Pool    *Pool
	Options RunOptions // of every run that is not observed
	Watch   *Watch     // what observes one run, see Bed.Observe; nil for nothing
	Sampling
	*Console

	conditions *machine.Conditions // of what was measured; nil before
}

// Sampling is how often and how long is measured.
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

// During measures: it runs measure, shows on a terminal how far that is, and takes note
// of what the processors gave meanwhile, for the document. cpus are those that are used,
// each once.
func (b *Bed) During(cpus []int, measure func() error) error {
	if b.Options.Check != nil || b.Options.Schedule != nil { // times mean nothing
		return b.Console.During(measure)
	}
	o := machine.Observe(cpus)
	defer func() { b.conditions = o.End() }()
	return b.Console.During(measure)
}

// Conditions returns what the processors gave to what [Bed.During] has measured; nil
// before, and if times mean nothing.
func (b *Bed) Conditions() *machine.Conditions { return b.conditions }

// observedRuns is how often a form is run for its observers: the first run is cold, and
// the trace and the statistics are of the second, or of the first if that fails or is
// interrupted.
const observedRuns = 2

// Observe runs a form for the testbed's observers, which are in the options that once is
// given, and writes their files. Without observers it does nothing. A file that cannot be
// written is no error: [Output.Write] reports it, once the results are safe.
func (b *Bed) Observe(ctx context.Context, name string, once func(context.Context, RunOptions) error) error {
	if b.Watch == nil {
		return nil
	}
	return b.ObserveOnly(ctx, name, func(ctx context.Context, o RunOptions) error {
		for range observedRuns {
			if err := once(ctx, o); err != nil {
				return err
			}
		}
		return nil
	})
}

// ObserveOnly is for a command that has one run, which is not measured: it runs once also
// if nothing is to be observed.
func (b *Bed) ObserveOnly(ctx context.Context, name string, once func(context.Context, RunOptions) error) error {
	o := b.Options
	o.Observe = b.Watch
	if b.Watch == nil {
		return once(ctx, o)
	}
	return b.Watch.around(b.Console, name, func() error { return once(ctx, o) })
}

// NeedsGraph refuses to observe or to check a run if nothing that runs is a graph: forms
// are what runs.
func (b *Bed) NeedsGraph(forms ...string) error {
	switch {
	case b.Watch != nil:
		return notAGraph(b.Watch.Asked, forms)
	case b.Options.Check != nil:
		return notAGraph("check", forms)
	}
	return nil
}
