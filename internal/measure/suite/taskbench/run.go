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
	"ocr/apps/taskbench/kernel"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/testbed"
	"ocr/internal/measure/testbed/taskgraph"
	"ocr/internal/show/report"
)

// Name begins the names of all results.
const Name = "taskbench"

// floorTime is about the longest time of a run of the floor: if the graphs take longer, the floor has fewer steps.
const floorTime = 200 * time.Millisecond

// Config is what to run.
type Config struct {
	App   taskbench.Config // Verify is set by the testbed
	Floor bool             // measure the floor and the peak too
	Text  bool             // the results are Task Bench's text: a sample is one run
}

// Validate returns the app's error for a configuration that cannot run on this machine.
func (c *Config) Validate() error { return c.App.Validate(taskgraph.Memory()) }

// run is one run of the suite: what to measure, and the results.
type run struct {
	bed    *testbed.Bed
	cfg    Config
	totals taskbench.Totals

	graph testbed.GraphRun
	last  taskbench.Result // of the graphs' latest run
	err   error            // error of the run

	edt, floor, peak bench.Series     // empty if not measured
	fewer            taskbench.Totals // of the floor, which may be shorter
}

// Run measures the graphs and then the floor and the peak. If the user interrupts or the floor fails the document has
// the results so far; it has none if a run of the graphs fails or is wrong.
func Run(ctx context.Context, bed *testbed.Bed, cfg Config) (*report.Document, error) {
	r := &run{bed: bed, cfg: cfg}
	r.cfg.App.Verify = bed.Verify
	bed.Warn(bed.Pool.Warnings...)
	r.err = bed.During(bed.Pool.Used(), func() error { return r.measure(ctx) })
	return r.document(), r.err
}

func (r *run) measure(ctx context.Context) (err error) {
	if r.totals, err = r.cfg.App.Totals(ctx); err != nil {
		return err
	}
	plan := r.bed.Plan()
	plan.OneRun = r.cfg.Text
	series, err := plan.Run(ctx, bench.Side{
		Name:    r.resultName("edt"),
		Figures: taskgraph.Figures(r.bed.Pool, r.totals),
		Once: func(ctx context.Context) (time.Duration, error) {
			err := r.once(ctx, r.bed.Options)
			if err == nil && r.last.Elapsed <= 0 {
				err = fmt.Errorf("%w: steps of %v: more -steps are needed", bench.ErrTooShort, r.bed.Machine.Clock)
			}
			return r.last.Elapsed, err
		},
	})
	if err != nil && ctx.Err() == nil {
		return err
	}
	r.edt = series[0]
	if err == nil { // after the measured run, which stays the first and cold one
		err = r.bed.Observe(ctx, r.edt.Side, r.once)
	}
	if err != nil || !r.cfg.Floor {
		return err
	}
	return r.measureFloor(ctx)
}

// once runs the graphs as EDTs.
func (r *run) once(ctx context.Context, o testbed.RunOptions) (err error) {
	r.last, r.graph, err = taskgraph.Run(ctx, r.bed.Pool, o, r.cfg.App)
	return err
}

// measureFloor measures the floor and the peak, and keeps neither if one fails.
func (r *run) measureFloor(ctx context.Context) (err error) {
	short := r.shortened()
	if r.fewer, err = short.Totals(ctx); err != nil {
		return err
	}
	plan, p := r.bed.Plan(), r.bed.Pool
	plan.Warmup, plan.Samples = 1, max(3, plan.Samples)
	floor := bench.Side{Name: r.resultName("floor"), Once: taskgraph.Floor(p, short),
		Figures: taskgraph.Figures(p, r.fewer)}
	series, err := plan.Run(ctx, floor, taskgraph.Peak(Name, p))
	if err == nil || ctx.Err() != nil {
		r.floor, r.peak = series[0], series[1]
	}
	return err
}

// shortened returns the graphs with as many steps as take floorTime.
func (r *run) shortened() taskbench.Config {
	cfg := r.cfg.App
	elapsed := r.last.Elapsed
	if elapsed <= floorTime {
		return cfg
	}
	cfg.Graphs = slices.Clone(cfg.Graphs)
	for i := range cfg.Graphs {
		g := &cfg.Graphs[i]
		g.Steps = max(1, int(float64(g.Steps)*float64(floorTime)/float64(elapsed)))
	}
	return cfg
}

func (r *run) document() *report.Document {
	settings := append(report.Settings("graphs", len(r.cfg.App.Graphs)), graphSettings(r.cfg.App.Graphs)...)
	settings = append(settings.With("place", string(r.cfg.App.Place)), r.bed.Settings()...)
	d := r.bed.Document(testbed.About{App: Name, Settings: settings, Asides: r.about(), Graph: &r.graph})
	d.Partial = r.err != nil
	d.Text = r.text(d)
	for _, s := range []bench.Series{r.edt, r.floor, r.peak} {
		d.Add(s.Side, s)
	}
	d.Baseline = r.floor.Side
	return d
}

// about returns notes that a reader of the figures needs.
func (r *run) about() []string {
	notes := []string{taskgraph.Sharing(r.cfg.App.Place)}
	if !r.cfg.Text {
		notes = append(notes, fmt.Sprintf("ns/task is wall time x %d cores / tasks", r.bed.Pool.Cores()))
	}
	if len(r.floor.Runs) > 0 && r.fewer.Tasks < r.totals.Tasks {
		notes = append(notes, fmt.Sprintf("the floor is of %d tasks, with fewer steps", r.fewer.Tasks))
	}
	if len(r.floor.Runs)+len(r.peak.Runs) > 0 {
		notes = slices.Concat(notes, []string{"peak and floor are not bound to processors"}, r.bed.Pool.Beside())
	}
	if !r.bed.Verify {
		notes = append(notes, taskgraph.Unverified)
	}
	return append(notes, "kernels: "+kernel.Implementation())
}

// parameters returns a graph's parameters, under Task Bench's names.
func parameters(g taskbench.Graph) report.Config {
	k := g.Kernel
	return report.Settings("type", g.Type, "steps", g.Steps, "width", g.Width, "radix", g.Radix, "period", g.Period,
		"fraction", g.Fraction, "kernel", k.Kind, "iter", k.Iterations, "output", g.Output, "scratch", g.Scratch,
		"sample", k.Samples, "imbalance", k.Imbalance)
}

// graphSettings returns the parameters of graphs, those of several joined by a plus if they differ.
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

// resultName returns the name of a form's result, without values that are the default.
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
