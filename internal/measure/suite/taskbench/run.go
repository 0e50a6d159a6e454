// Package taskbench measures one run, or several, of Task Bench's graphs as EDTs, beside
// the same tasks without a runtime, and writes Task Bench's own text.
package taskbench

import (
	"cmp"
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

// floorTime is about how long one run of the floor may take: it has fewer steps if the graphs take longer.
const floorTime = 200 * time.Millisecond

// Config is what to run.
type Config struct {
	App      taskbench.Config // Verify is the testbed's
	Floor    bool             // measure the floor and the peak too
	Text     bool             // the results are Task Bench's text: a sample is one run
	Nodes    int              // 1: the text says how much stays on the node, which is all
	Counters bool             // the text has the runtime's counters
	Field    int              // -field, which is not used; 0 if it was not given
}

// Validate reports, as the app's error, what cannot be run on this machine.
func (c *Config) Validate() error { return c.App.Validate(taskgraph.Memory()) }

// run is one run of the suite: what was to be measured, and what was.
type run struct {
	bed    *testbed.Bed
	cfg    Config
	app    taskbench.Config // of cfg
	totals taskbench.Totals

	graph testbed.GraphRun
	last  taskbench.Result // of the graphs' latest run
	runs  []taskbench.Result
	err   error // how the run ended

	edt, floor, peak bench.Series     // empty if not measured
	fewer            taskbench.Totals // of the floor, which may be shorter
}

// Run measures the graphs and then the floor and the peak. If the user interrupts or the floor fails the document holds
// what there is; it has no results if a run of the graphs fails or is wrong.
func Run(ctx context.Context, bed *testbed.Bed, cfg Config) (*report.Document, error) {
	r := &run{bed: bed, cfg: cfg, app: cfg.App}
	r.app.Verify = bed.Verify
	bed.Warn(bed.Pool.Warnings...)
	r.err = bed.During(bed.Pool.Used(), func() error { return r.measure(ctx) })
	return r.document(), r.err
}

func (r *run) measure(ctx context.Context) error {
	var err error
	if r.totals, err = r.app.Totals(ctx); err != nil {
		return err
	}
	plan := r.bed.Plan()
	plan.OneRun = r.cfg.Text
	series, err := plan.Run(ctx, r.edtSide())
	if err != nil && ctx.Err() == nil {
		return err
	}
	r.edt = series[0]
	if err == nil { // after what is measured, so that this stays the first and cold run
		err = r.bed.Observe(ctx, r.edt.Side, r.once)
	}
	if err != nil || !r.cfg.Floor {
		return err
	}
	return r.measureFloor(ctx)
}

// measureFloor measures the floor and the peak, and keeps neither if one fails.
func (r *run) measureFloor(ctx context.Context) error {
	var err error
	short := r.shortened()
	if r.fewer, err = short.Totals(ctx); err != nil {
		return err
	}
	plan := r.bed.Plan()
	plan.Warmup, plan.Samples = 1, max(3, plan.Samples)
	p := r.bed.Pool
	floor := bench.Side{Name: r.resultName("floor"), Once: taskgraph.Floor(p, short),
		Figures: taskgraph.Figures(p, r.fewer)}
	series, err := plan.Run(ctx, floor, taskgraph.Peak(Name, p, taskgraph.PeakSteps))
	if err == nil || ctx.Err() != nil {
		r.floor, r.peak = series[0], series[1]
	}
	return err
}

// once runs the graphs as EDTs.
func (r *run) once(ctx context.Context, o testbed.RunOptions) (err error) {
	r.last, r.graph, err = taskgraph.Run(ctx, r.bed.Pool, o, r.app)
	return err
}

func (r *run) edtSide() bench.Side {
	figures := taskgraph.Figures(r.bed.Pool, r.totals)
	return bench.Side{
		Name: r.resultName("edt"),
		Once: func(ctx context.Context) (time.Duration, error) {
			err := r.once(ctx, r.bed.Options)
			if err == nil && r.last.Elapsed <= 0 {
				err = fmt.Errorf("%w: steps of %v: more -steps are needed", bench.ErrTooShort, r.bed.Machine.Clock)
			}
			return r.last.Elapsed, err
		},
		Figures: func(elapsed time.Duration, runs int) []bench.Value {
			r.runs = append(r.runs, r.last)
			return figures(elapsed, runs)
		},
	}
}

// shortened returns the graphs with as many steps as the floor has time for.
func (r *run) shortened() taskbench.Config {
	cfg := r.app
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

// medianRun returns the run with the median time, the quicker of two.
func medianRun(runs []taskbench.Result) (taskbench.Result, bool) {
	if len(runs) == 0 {
		return taskbench.Result{}, false
	}
	sorted := slices.SortedFunc(slices.Values(runs),
		func(a, b taskbench.Result) int { return cmp.Compare(a.Elapsed, b.Elapsed) })
	return sorted[(len(sorted)-1)/2], true
}

func (r *run) document() *report.Document {
	d := r.bed.Document(testbed.About{App: Name, Settings: r.settings(), Asides: r.about(), Graph: &r.graph})
	notes := d.Notes()
	d.Partial = r.err != nil
	for _, s := range []bench.Series{r.edt, r.floor, r.peak} {
		d.Add(s.Side, s)
	}
	d.Baseline = r.floor.Side
	d.Text = r.text(d, notes)
	return d
}

// about is what a reader of the figures has to know.
func (r *run) about() []string {
	var notes []string
	if !r.cfg.Text {
		notes = append(notes, fmt.Sprintf("ns/task is wall time x %d cores / tasks", r.bed.Pool.Cores()),
			taskgraph.Sharing(r.app.Place))
	}
	if len(r.floor.Runs) > 0 && r.fewer.Tasks < r.totals.Tasks {
		notes = append(notes, fmt.Sprintf("the floor is of %d tasks, with fewer steps", r.fewer.Tasks))
	}
	if len(r.floor.Runs)+len(r.peak.Runs) > 0 {
		notes = slices.Concat(notes, []string{"peak and floor are not bound to processors"}, r.bed.Pool.Beside())
	}
	if r.cfg.Field != 0 {
		notes = append(notes,
			fmt.Sprintf("-field %d is not used: a column keeps as many outputs as --window lets it", r.cfg.Field))
	}
	if !r.app.Verify {
		notes = append(notes, taskgraph.Unverified)
	}
	computes := func(g taskbench.Graph) bool {
		kind := g.Kernel.Kind.String()
		return strings.Contains(kind, "compute") || strings.Contains(kind, "load")
	}
	if len(r.peak.Runs) > 0 || slices.ContainsFunc(r.app.Graphs, computes) {
		notes = append(notes, "kernels: "+kernel.Implementation())
	}
	return notes
}

// settings returns the recorded configuration.
func (r *run) settings() report.Config {
	own := append(report.Settings("graphs", len(r.app.Graphs)), graphSettings(r.app.Graphs)...)
	own = own.With("window", r.app.Window, "place", string(r.app.Place))
	return append(own, r.bed.Settings()...)
}

// graphSettings returns the parameters of graphs, those of several joined by a plus if they differ.
func graphSettings(graphs []taskbench.Graph) report.Config {
	var all report.Config
	for _, p := range []struct {
		key string
		of  func(g taskbench.Graph) any
	}{
		{"type", func(g taskbench.Graph) any { return g.Type }},
		{"steps", func(g taskbench.Graph) any { return g.Steps }},
		{"width", func(g taskbench.Graph) any { return g.Width }},
		{"radix", func(g taskbench.Graph) any { return g.Radix }},
		{"period", func(g taskbench.Graph) any { return g.Period }},
		{"fraction", func(g taskbench.Graph) any { return g.Fraction }},
		{"kernel", func(g taskbench.Graph) any { return g.Kernel.Kind }},
		{"iter", func(g taskbench.Graph) any { return g.Kernel.Iterations }},
		{"output", func(g taskbench.Graph) any { return g.Output }},
		{"scratch", func(g taskbench.Graph) any { return g.Scratch }},
		{"sample", func(g taskbench.Graph) any { return g.Kernel.Samples }},
		{"imbalance", func(g taskbench.Graph) any { return g.Kernel.Imbalance }},
	} {
		var values []string
		for _, g := range graphs {
			values = append(values, fmt.Sprint(p.of(g)))
		}
		if len(slices.Compact(slices.Clone(values))) == 1 {
			values = values[:1]
		}
		all = all.With(p.key, strings.Join(values, "+"))
	}
	return all
}

// resultName names a form's result: what is not in it is as by default.
func (r *run) resultName(form string) string {
	name := Name + "/" + form
	standard := graphSettings([]taskbench.Graph{taskbench.DefaultGraph()})
	for i, s := range graphSettings(r.app.Graphs) {
		if s.Key == "type" || s.Key == "steps" || s.Key == "width" || s.Value != standard[i].Value {
			name += fmt.Sprintf("/%s=%v", s.Key, s.Value)
		}
	}
	if n := len(r.app.Graphs); n > 1 {
		name += fmt.Sprintf("/graphs=%d", n)
	}
	d := taskbench.Defaults()
	if r.app.Window != d.Window {
		name += fmt.Sprintf("/window=%d", r.app.Window)
	}
	if r.app.Place != d.Place {
		name += "/place=" + string(r.app.Place)
	}
	return name + "/" + r.bed.Pool.InNames()
}
