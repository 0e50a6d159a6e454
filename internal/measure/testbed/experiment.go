package testbed

import (
	"context"
	goruntime "runtime"
	"strings"
	"time"

	"ocr/edt"
	"ocr/internal/measure/bench"
	"ocr/internal/show/report"
)

// Experiment is forms of the same work that are measured in turns.
type Experiment struct {
	App      string
	Settings report.Config // the app's; the common ones follow
	Forms    []Form
	OneRun   bool   // a sample is one run: the forms choose its length
	Counted  string // name of the graph that is observed and whose counters are recorded; "" for the first

	Complete func([]bench.Series) // adds metrics that need the samples of several forms; may be nil
	Checked  func() string        // returns, after the runs, the outcome of their check; may be nil
}

// Form is a form of an experiment.
type Form struct {
	Name string // full name of its result
	// Once runs the form, with these options if it is a task graph, and returns the time of its timed part. It fails if
	// the result is wrong.
	Once    func(context.Context, RunOptions) (time.Duration, error)
	Figures func(elapsed time.Duration, runs int) []bench.Value
	Graph   *GraphRun // of the latest run; nil if the form is no task graph
	Serial  bool      // it uses one processor: the others' ratios are relative to it
}

// RunGraph runs a task graph of an app once, and sets g if the run succeeds.
func (b *Bed) RunGraph(ctx context.Context, app string, main edt.Func, o RunOptions, g *GraphRun) error {
	run, err := b.Pool.Run(ctx, main, o, app)
	if err == nil {
		*g = run
	}
	return err
}

// OnThreads runs a form without EDTs; Go has as many threads as the pool has workers.
func (b *Bed) OnThreads(run func(threads int) error) error {
	threads := b.Pool.Threads()
	defer goruntime.GOMAXPROCS(goruntime.GOMAXPROCS(threads))
	return run(threads)
}

// Measure samples the forms of an experiment. The document has what was measured also if the error is not nil; it is
// nil if nothing was run.
func (b *Bed) Measure(ctx context.Context, e *Experiment) (*report.Document, error) {
	var graph, serial *Form
	var sides []bench.Side
	for i := range e.Forms {
		f := &e.Forms[i]
		sides = append(sides, bench.Side{Name: f.Name, Figures: f.Figures,
			Once: func(ctx context.Context) (time.Duration, error) {
				return f.Once(ctx, b.Options)
			}})
		switch {
		case f.Graph == nil:
			b.Aside(b.Pool.Beside()...)
		case graph == nil || f.Name == e.Counted:
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
		plan := b.Plan()
		plan.OneRun = e.OneRun
		series, err = plan.Run(ctx, sides...)
		return err
	})
	about := About{App: e.App, Settings: append(e.Settings, b.Settings()...)}
	if graph != nil {
		about.Graph = graph.Graph
	}
	d := b.Document(about)
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
	if e.Complete != nil {
		e.Complete(series)
	}
	for _, form := range series {
		d.Add(form.Side, form)
	}
	if e.Checked != nil && len(d.Results) > 0 {
		d.Checked = e.Checked()
	}
	return d, err
}

// begin observes the task graph of an experiment, or refuses to if it has none.
func (b *Bed) begin(ctx context.Context, e *Experiment, graph *Form) error {
	if graph == nil {
		var names []string // of forms: the second part of a result's name
		for _, form := range e.Forms {
			names = append(names, strings.Split(form.Name, "/")[1])
		}
		return b.NeedsGraph(names...)
	}
	b.Warn(b.Pool.Warnings...)
	err := b.Observe(ctx, graph.Name, func(ctx context.Context, o RunOptions) error {
		_, err := graph.Once(ctx, o)
		return err
	})
	if ctx.Err() != nil { // the results so far are written
		return nil
	}
	return err
}
