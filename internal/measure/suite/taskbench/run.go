// Package taskbench measures Task Bench's graphs, one or several at a time, as EDTs and without a runtime, and writes
// Task Bench's own text.
package taskbench

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"ocr/apps/taskbench"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/testbed"
	"ocr/internal/measure/testbed/taskgraph"
	"ocr/internal/show/report"
	"ocr/runtime"
)

// Name begins the names of all results.
const Name = "taskbench"

// Config is what to run.
type Config struct {
	App   taskbench.Config // Verify is set by the testbed
	Floor bool             // measure the floor and the peak too
	Text  bool             // the results are Task Bench's text: a sample is one run
}

// Validate returns the app's error for a configuration that cannot run on this machine.
func (c *Config) Validate() error { return c.App.Validate(taskgraph.Memory()) }

// run is one run of the suite: what to measure, and the latest result of the graphs.
type run struct {
	bed    *testbed.Bed
	cfg    Config
	totals taskbench.Totals
	last   taskbench.Result
}

// Run measures the graphs, and in turns with them the floor and the peak. The document has what was measured also if
// the error is not nil; it is nil if nothing was run.
func Run(ctx context.Context, bed *testbed.Bed, cfg Config) (*report.Document, error) {
	r := &run{bed: bed, cfg: cfg}
	r.cfg.App.Verify = bed.Verify
	r.totals = r.cfg.App.Totals()
	bed.Aside(r.about()...)
	d, err := bed.Measure(ctx, r.experiment())
	if d != nil {
		d.Text, d.Baseline = r.text(d), r.resultName("floor")
	}
	return d, err
}

func (r *run) experiment() *testbed.Experiment {
	settings := append(report.Settings("graphs", len(r.cfg.App.Graphs)), graphSettings(r.cfg.App.Graphs)...)
	e := &testbed.Experiment{
		App: Name, Settings: settings.With("place", string(r.cfg.App.Place)), OneRun: r.cfg.Text,
	}
	p, figures := r.bed.Pool, taskgraph.Figures(r.bed.Pool, r.totals)
	graphs := testbed.Form{Graph: new(runtime.Report)}
	graphs.Name, graphs.Figures = r.resultName("edt"), figures
	graphs.Once = func(ctx context.Context) (time.Duration, error) {
		a := taskbench.New(r.cfg.App)
		err := r.bed.RunGraph(ctx, a.Main(), graphs.Graph, Name)
		if err == nil {
			r.last, err = a.Result()
		}
		if err == nil && r.last.Elapsed <= 0 {
			err = fmt.Errorf("%w: steps of %v: more --steps are needed", bench.ErrTooShort, r.bed.Machine.Clock)
		}
		return r.last.Elapsed, err
	}
	e.Forms = []testbed.Form{graphs}
	if r.cfg.Floor {
		floor := bench.Side{Name: r.resultName("floor"), Figures: figures, Once: taskgraph.Floor(p, r.cfg.App)}
		e.Forms = append(e.Forms, testbed.Form{Side: floor}, testbed.Form{Side: taskgraph.Peak(Name, p)})
	}
	return e
}

// about returns notes that a reader of the figures needs.
func (r *run) about() []string {
	notes := taskgraph.Notes(r.cfg.App.Place, r.bed.Verify)
	if !r.cfg.Text {
		notes = append(notes, fmt.Sprintf("ns/task is wall time x %d cores / tasks", r.bed.Pool.Cores()))
	}
	return notes
}

// parameters returns a graph's parameters, under Task Bench's names.
func parameters(g taskbench.Graph) report.Config {
	k := g.Kernel
	return report.Settings("type", g.Type, "steps", g.Steps, "width", g.Width, "radix", g.Radix, "period", g.Period,
		"fraction", g.Fraction, "kernel", k.Kind, "iter", k.Iterations, "output", g.Output, "scratch", g.Scratch,
		"sample", k.Samples, "imbalance", k.Imbalance)
}

// graphSettings returns the parameters of graphs. The values of a parameter in which graphs differ are joined by "+".
func graphSettings(graphs []taskbench.Graph) (all report.Config) {
	for k, s := range parameters(graphs[0]) {
		var values []string
		for _, g := range graphs {
			values = append(values, fmt.Sprint(parameters(g)[k].Value))
		}
		if len(slices.Compact(slices.Clone(values))) == 1 {
			values = values[:1]
		}
		all = all.With(s.Key, strings.Join(values, "+"))
	}
	return all
}

// resultName returns the name of a form's result: with type, steps and width, and with other values that are not the
// default.
func (r *run) resultName(form string) string {
	name := Name + "/" + form
	standard := graphSettings([]taskbench.Graph{taskbench.DefaultGraph()})
	for i, s := range graphSettings(r.cfg.App.Graphs) {
		if s.Key == "type" || s.Key == "steps" || s.Key == "width" || s.Value != standard[i].Value {
			name += fmt.Sprintf("/%s=%v", s.Key, s.Value)
		}
	}
	if n := len(r.cfg.App.Graphs); n > 1 {
		name += fmt.Sprintf("/graphs=%d", n)
	}
	if place := r.cfg.App.Place; place != taskbench.Defaults().Place {
		name += "/place=" + string(place)
	}
	return name + "/" + r.bed.Pool.InNames()
}
