package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ocr/internal/bench"
	"ocr/internal/machine"
	"ocr/internal/report"
)

// experiment is what an app wants measured: its settings, and the forms to set
// against each other.
type experiment struct {
	app      string
	settings report.Config // of the app; the common ones follow
	forms    []bench.Side  // named by full result names
	baseline string        // name of the form that ratios are against; may be empty
	notes    []string      // what a reader of the figures has to know
	graph    *graphRun     // of one form, for placement and counters; may be nil
	observed string        // name of the form that --trace, --dot and --stats are of: the one of graph
}

// graphRun is what the runtime tells of the latest run of one form.
type graphRun struct {
	placement []int
	counters  map[string]uint64
	warnings  []string
}

// testbed is where a run takes place.
type testbed struct {
	machine *machine.Machine
	pool    *pool
	sink    *sink
	watch   *watch // nil for nothing
}

// begin says that the arguments are right.
func (s *session) begin() { s.started = true }

// prepare resolves the common flags of a command that measures.
func (s *session) prepare(cmd *cobra.Command) (*testbed, error) {
	m, err := s.readMachine()
	if err != nil {
		return nil, err
	}
	p, err := s.pool(cmd, m)
	if err != nil {
		return nil, err
	}
	k, err := s.sink(cmd)
	if err != nil {
		return nil, err
	}
	w, err := s.watch(cmd, k)
	if err != nil {
		return nil, err
	}
	return &testbed{machine: m, pool: p, sink: k, watch: w}, nil
}

func (s *session) readMachine() (*machine.Machine, error) {
	m, err := machine.Read()
	if err != nil {
		s.begin() // not the fault of the arguments
	}
	return m, err
}

func (s *session) sink(cmd *cobra.Command) (*sink, error) {
	k, err := newSink(s.options.output, s.stdio.out)
	if err != nil {
		return nil, usagef("%s %s: %v", s.source(cmd, "output"), plain(s.options.output), err)
	}
	return k, nil
}

// measure samples the forms of an experiment and writes the document. It
// writes what there is where the user interrupts, and nothing where a form fails.
func (s *session) measure(ctx context.Context, bed *testbed, e *experiment) error {
	if e.observed == "" && bed.watch != nil {
		return bed.watch.noGraph(e.formNames())
	}
	if e.observed == "" && checkOf(ctx) != nil {
		return noGraphToCheck(e.formNames())
	}
	s.begin()
	if e.graph != nil {
		s.warn(bed.pool.warnings)
	}
	if err := s.observeForm(ctx, bed.watch, e); err != nil && ctx.Err() == nil {
		return err
	}
	plan := bench.Plan{
		Warmup: s.options.warmup, Samples: s.options.samples,
		Shortest: s.options.sampleTime, Resolution: bed.machine.Clock, Seed: s.options.seed,
	}
	var series []bench.Series
	err := s.progress(func(tell func(bench.Progress)) (err error) {
		plan.Progress = tell
		series, err = plan.Run(ctx, e.forms...)
		return err
	})
	if err != nil && ctx.Err() == nil {
		return err
	}
	d := s.document(bed, e, series)
	d.Partial = err != nil
	var b bytes.Buffer
	if werr := d.Write(&b, s.options.format); werr != nil {
		return werr
	}
	if werr := bed.sink.commit(b.Bytes()); werr != nil {
		return werr
	}
	return err
}

func (s *session) document(bed *testbed, e *experiment, series []bench.Series) *report.Document {
	d := &report.Document{
		App: e.app, Argv: s.args,
		Config: slices.Concat(e.settings, s.options.settings(bed.pool)),
		Build:  machine.ReadBuild(), Baseline: e.baseline,
		Warnings: slices.Concat(e.notes, bed.machine.Topology.Warnings),
	}
	var placement []int
	if e.graph != nil {
		placement, d.Counters = e.graph.placement, e.graph.counters
		d.Warnings = append(d.Warnings, e.graph.warnings...)
	}
	d.Machine = bed.machine.Facts(placement)
	for _, form := range series {
		d.Add(form.Side, form)
	}
	d.Verified = !s.options.noVerify && len(d.Results) > 0
	bed.watch.into(d)
	return d
}

// observeForm runs the form of an experiment that is to be observed.
func (s *session) observeForm(ctx context.Context, w *watch, e *experiment) error {
	k := slices.IndexFunc(e.forms, func(form bench.Side) bool { return form.Name == e.observed })
	if k < 0 {
		return nil
	}
	return s.observe(ctx, w, e.observed, func(ctx context.Context) error {
		_, err := e.forms[k].Once(ctx)
		return err
	})
}

// formNames returns the forms without the settings of their names.
func (e *experiment) formNames() []string {
	var names []string
	for _, form := range e.forms {
		_, rest, _ := strings.Cut(form.Name, "/")
		name, _, _ := strings.Cut(rest, "/")
		names = append(names, name)
	}
	return names
}

// warn tells on standard error what a reader of a file of results would miss.
func (s *session) warn(warnings []string) {
	if s.options.quiet {
		return
	}
	for _, w := range warnings {
		fmt.Fprintf(s.stdio.err, "ocrbench: warning: %s\n", w)
	}
}
