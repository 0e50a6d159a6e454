package testbed

import (
	"context"
	"strings"

	"ocr/internal/bench"
	"ocr/internal/report"
)

// Experiment is forms that are set against each other in turns.
type Experiment struct {
	App      string
	Settings report.Config // the app's; the common ones follow
	Forms    []bench.Side  // named by full result names
	Baseline string        // name of the form that ratios are against; may be empty
	Serial   bool          // the baseline uses one processor: efficiencies are against it
	Notes    []string      // what a reader of the figures has to know

	// Complete adds to the samples what needs those of several forms; may be nil.
	Complete func([]bench.Series)
	// Checked says, after a run, how its check came out; may be nil.
	Checked func() string

	// Graph is the latest run of the form that is observed, for placement and counters.
	// nil if no form is a task graph.
	Graph *GraphRun
	// Observed is the name of that form, and Once runs it with the options given.
	Observed string
	Once     func(context.Context, RunOptions) error
}

// Measure samples the forms of an experiment. The document holds what was measured also if
// the error is not nil; there is none if nothing was begun.
func (b *Bed) Measure(ctx context.Context, e *Experiment) (*report.Document, error) {
	if e.Observed == "" {
		if err := b.NeedsGraph(e.formNames()...); err != nil {
			return nil, err
		}
	} else {
		b.Warn(b.Pool.Warnings...)
		if err := b.Observe(ctx, e.Observed, e.Once); err != nil && ctx.Err() == nil {
			return nil, err
		}
	}
	var series []bench.Series
	err := b.During(b.Pool.Used(), func() (err error) {
		series, err = b.Plan().Run(ctx, e.Forms...)
		return err
	})
	d := b.Document(About{App: e.App, Settings: append(e.Settings, b.Settings()...), Notes: e.Notes, Graph: e.Graph})
	d.Baseline, d.Partial = e.Baseline, err != nil
	if err == nil || ctx.Err() != nil { // else a form is wrong, and what it gave before worth nothing
		if e.Complete != nil {
			e.Complete(series)
		}
		for _, form := range series {
			d.Add(form.Side, form)
		}
		if e.Serial {
			d.AddEfficiency()
		}
		if e.Checked != nil && len(d.Results) > 0 {
			d.Checked = e.Checked()
		}
	}
	return d, err
}

// formNames returns the forms without the settings of their names.
func (e *Experiment) formNames() []string {
	var names []string
	for _, form := range e.Forms {
		_, rest, _ := strings.Cut(form.Name, "/")
		name, _, _ := strings.Cut(rest, "/")
		names = append(names, name)
	}
	return names
}
