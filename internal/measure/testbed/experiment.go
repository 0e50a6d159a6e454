package testbed

import (
	"context"
	"fmt"
	"strings"

	"ocr/apps/trial"
	"ocr/internal/measure/bench"
	"ocr/internal/show/report"
	"ocr/runtime"
)

// Experiment is forms of the same work that are measured in turns.
type Experiment struct {
	App      string
	Settings report.Config // of the app; the common settings follow
	Forms    []Form
	OneRun   bool   // a sample is one run: the forms choose its length
	Counted  string // name of the graph that is observed and whose counters are recorded; "" for the first
}

// Form is a form of an experiment. Its Name is the full name of its result.
type Form struct {
	bench.Side
	Graph  *runtime.Report // of the latest run; nil if the form is no task graph
	Serial bool            // the form uses one processor, and is the baseline of the ratios
}

// Measure samples the forms of an experiment. The document has what was measured also if the error is not nil; it is
// nil if nothing was run.
func (b *Bed) Measure(ctx context.Context, e *Experiment) (*report.Document, error) {
	var graph, serial *Form
	var sides []bench.Side
	for i := range e.Forms {
		f := &e.Forms[i]
		sides = append(sides, f.Side)
		switch {
		case f.Graph == nil && b.Pool.Ranks > 1:
			b.Aside(fmt.Sprintf("forms without EDTs run in one process, on at most %d threads: as many as all ranks have "+
				"workers", b.Pool.Threads()))
		case f.Graph != nil && (graph == nil || f.Name == e.Counted):
			graph = f
		}
		if f.Serial {
			serial = f
		}
	}
	if err := b.begin(ctx, e, graph); err != nil {
		return nil, err
	}
	var series []bench.Series
	err := b.During(b.Pool.Used(), func() (err error) {
		plan := b.Plan
		plan.OneRun, plan.Progress = e.OneRun, b.Tell
		series, err = plan.Run(ctx, sides...)
		return err
	})
	var counted *runtime.Report
	if graph != nil {
		counted = graph.Graph
	}
	settings := e.Settings
	for _, common := range b.Settings() {
		if e.Settings.Text(common.Key) == "" { // an app may have a seed of its own
			settings = append(settings, common)
		}
	}
	d := b.Document(e.App, settings, counted)
	d.Partial = err != nil
	switch {
	case serial != nil:
		d.Baseline = serial.Name
	case len(e.Forms) > 1:
		d.Baseline = e.Forms[0].Name
	}
	if err != nil && ctx.Err() == nil { // a form is wrong: its earlier results are not reliable
		return d, err
	}
	for _, form := range series {
		d.Add(form.Side, form)
	}
	return d, err
}

// begin observes the task graph of an experiment, if asked to. Without a graph it refuses observers and check mode.
func (b *Bed) begin(ctx context.Context, e *Experiment, graph *Form) error {
	if graph == nil {
		var names []string // of forms: the second part of a result's name
		for _, form := range e.Forms {
			names = append(names, strings.Split(form.Name, "/")[1])
		}
		return b.NeedsGraph(strings.Join(names, ", "))
	}
	b.Warn(b.Pool.Warnings...)
	if b.Watch == nil {
		return nil
	}
	err := b.Observed(graph.Name, func() error {
		_, err := graph.Once(ctx)
		if err == nil { // the first run was cold: the trace and the statistics are those of the second
			_, err = graph.Once(ctx)
		}
		return err
	})
	if ctx.Err() != nil { // the results so far are written
		return nil
	}
	return err
}

// NeedsGraph refuses observers and check mode: these forms have no graph.
func (b *Bed) NeedsGraph(forms string) error {
	flag := "check"
	switch {
	case b.Watch != nil:
		flag = b.Watch.Asked()
	case b.Checks == nil:
		return nil
	}
	return &trial.ConfigError{Flag: flag, Allowed: "with a form that is a task graph; " + forms + " is none"}
}
