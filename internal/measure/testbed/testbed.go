package testbed

import (
	"slices"

	"ocr/internal/core/sizes"
	"ocr/internal/core/sys"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/machine"
	"ocr/internal/show/report"
	"ocr/runtime"
)

// Bed is what a suite needs to measure: where and how, and where its results go.
type Bed struct {
	Argv       []string // of the command, for the document
	Machine    *machine.Machine
	Pool       *Pool
	Options    []runtime.Option // of every run of a graph
	Checks     *Checks          // the findings of check mode; nil without
	Watch      *Watch           // observes the runs of Bed.Observed; nil for nothing
	bench.Plan                  // of the samples
	Verify     bool             // each result is checked
	Output
	Notes  []string // of the document, see Note
	Asides []string // of the document, see Aside

	Observing  bool                // the observers see the run
	conditions *machine.Conditions // of the measurement; nil for unknown
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
// the document. cpus are the processors in use, each once. Over several ranks the conditions are unknown: the time of
// other ranks is not this process's, and some may be on other machines.
func (b *Bed) During(cpus []int, measure func() error) error {
	if b.Checks == nil && b.Pool.Ranks == 1 { // in check mode times mean nothing
		where := cpus
		if b.Pool.Bind == runtime.BindNone { // a worker may be on any of them
			where = b.Pool.CPUs
		}
		end := machine.Observe(where)
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

// Observed calls run. The observers see the graphs that it runs, and write their files at its end.
func (b *Bed) Observed(name string, run func() error) error {
	if b.Watch == nil {
		return run()
	}
	b.Observing = true
	defer func() { b.Observing = false }()
	return b.Watch.around(b.Console, name, run)
}

// Document begins the document of a run: its settings and notes, the facts of machine and build, and placement,
// counters and warnings of a graph's run, if graph is not nil. The suite adds the results, and sets Partial.
func (b *Bed) Document(app string, settings report.Config, graph *runtime.Report) *report.Document {
	d := &report.Document{
		App: app, Argv: b.Argv, Config: settings, Conditions: b.conditions, Verified: b.Verify, Asides: b.Asides,
	}
	var placement []int
	notes := b.Notes
	if graph != nil {
		placement, d.Counters = graph.Placement, graph.Counters.Map()
		if len(graph.Ranks) > 0 {
			placement = nil
		}
		for _, r := range graph.Ranks {
			placement = append(placement, r.Placement...)
			d.Ranks = append(d.Ranks, report.Rank{Placement: r.Placement, EDTs: r.Counters.EDTRun})
		}
		notes = slices.Concat(notes, graph.Warnings, b.Checks.marks())
	}
	d.Begin(b.Machine, placement, notes...)
	if b.Watch != nil {
		b.Watch.into(d)
	}
	return d
}

// Settings returns the recorded settings that all suites share. A suite that measures on several numbers of workers
// passes these numbers.
func (b *Bed) Settings(workers ...int) report.Config {
	all := report.Settings("workers", b.Pool.Workers)
	switch len(workers) {
	case 0:
	case 1:
		all[0].Value = workers[0]
	default:
		all[0].Value = sizes.Join(workers)
	}
	if b.Pool.Ranks > 1 {
		all = all.With("ranks", b.Pool.Ranks)
	}
	all = all.With("cpus", b.Pool.CPUList(), "bind", b.Pool.Bind.String(), "verify", b.Verify, "seed", b.Seed,
		"samples", b.Samples, "warmup", b.Warmup, "sample-time", b.SampleTime.String())
	if b.Checks != nil {
		all = all.With("check", true)
	}
	return all
}
