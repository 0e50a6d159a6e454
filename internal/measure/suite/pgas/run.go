package pgas

import (
	"context"
	"slices"

	app "ocr/apps/pgas"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/peers"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/report"
	"ocr/runtime"
)

const name = "pgas"

// run is one run of the suite: what is to be measured, and what was.
type run struct {
	bed  *testbed.Bed
	cfg  Config
	pins []int // processor of each PE; -1 for one that is not pinned

	groups [][]key
	rows   []*row // with a sample at least

	window   int // bytes of each rank, if segments are reached by MPI; else 0
	programs *peers.Set
}

// Run measures. If ctx is cancelled there is a document beside the error, of what was measured before; if a transfer is
// wrong there is none. A [*trial.ConfigError] means that nothing was begun.
func Run(ctx context.Context, bed *testbed.Bed, cfg Config) (*report.Document, error) {
	r, err := newRun(bed, cfg)
	if err != nil {
		return nil, err
	}
	bed.Warn(bed.Pool.Warnings...)
	defer r.programs.Close()
	if err := r.observe(ctx); err != nil && ctx.Err() == nil {
		return nil, err
	}
	err = bed.During(bed.Pool.Used(), func() error { return r.measure(ctx) })
	r.bed.Aside(r.programs.Notes()...)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	d := r.document()
	d.Partial = err != nil
	return d, err
}

// observe runs one key for the observers: the first of form edt, else the first.
func (r *run) observe(ctx context.Context) error {
	graphs := slices.Concat(r.groups...)
	i := max(0, slices.IndexFunc(graphs, func(k key) bool { return k.form == app.EDT }))
	x := r.newRow(graphs[i])
	return r.bed.Observe(ctx, x.name, func(ctx context.Context, o testbed.RunOptions) error {
		_, err := x.once(ctx, o, x.cfg)
		return err
	})
}

func (r *run) measure(ctx context.Context) error {
	for i, g := range r.groups {
		var rows []*row
		for _, k := range g {
			rows = append(rows, r.newRow(k))
		}
		others, err := r.mpiRows(ctx, g)
		if err != nil {
			return err
		}
		rows = append(rows, others...)
		if err := r.takeTurns(ctx, rows, r.bed.TellWithin("group", i, len(r.groups))); err != nil {
			return err
		}
	}
	return nil
}

// takeTurns takes samples of rows in turn. It keeps what was measured also if it ends with an error.
func (r *run) takeTurns(ctx context.Context, rows []*row, tell func(bench.Progress)) error {
	var sides []bench.Side
	for _, x := range rows {
		sides = append(sides, x.side())
	}
	plan := r.bed.Plan()
	plan.OneRun, plan.Progress = true, tell
	series, err := plan.Run(ctx, sides...)
	for i, x := range rows {
		if x.series = series[i]; x.kept > 0 {
			r.rows = append(r.rows, x)
		}
	}
	return err
}

// inGraph runs the app once, without garbage collections.
func (r *run) inGraph(
	ctx context.Context, o testbed.RunOptions, cfg app.Config,
) (app.Result, *testbed.GraphRun, error) {
	cfg.Done = ctx.Done()
	a := app.New(cfg)
	var g testbed.GraphRun
	var err error
	testbed.Uncollected(func() { g, err = r.bed.Pool.Run(ctx, a.Main(), o.With(runtime.Window(r.window)), name) })
	r.bed.Note(g.Warnings...)
	if err != nil {
		return app.Result{}, nil, err
	}
	g.Warnings = nil // which are noted
	result, err := a.Result()
	return result, &g, err
}

// find returns the row of a key, nil if it was not measured.
func (r *run) find(k key) *row {
	if i := slices.IndexFunc(r.rows, func(x *row) bool { return x.key == k }); i >= 0 {
		return r.rows[i]
	}
	return nil
}

// noteTimes notes which rows have fewer samples than was asked for.
func (r *run) noteTimes() {
	var names []string
	for _, x := range r.rows {
		if x.kept < r.bed.Samples && x.spentUp(false) {
			names = append(names, x.key.String())
		}
	}
	r.bed.NoteShort("samples", r.cfg.MaxTime, names)
}

// noteStates notes that medians of rows may be of different states of the machine.
func (r *run) noteStates() {
	if slices.ContainsFunc(r.rows, func(x *row) bool { _, _, apart := x.states(); return apart }) {
		r.bed.Note("the machine was in several states (by sample: the least and the greatest median of a row's " +
			"samples, ns): " +
			"medians of two rows may be of different ones; compare rows by \"times ...\", which is taken round by round")
	}
}

func (r *run) document() *report.Document {
	r.noteTimes()
	r.noteStates()
	about := testbed.About{App: name, Settings: r.settings()}
	if i := slices.IndexFunc(r.rows, func(x *row) bool { return x.graph != nil }); i >= 0 {
		about.Graph = r.rows[i].graph
		about.Asides = append(about.Asides, "counters are of a run of "+r.rows[i].name)
	}
	d := r.bed.Document(about)
	for _, x := range r.rows {
		d.AddLabelled(x.name, r.labels(x), x.series)
	}
	d.Meaning, d.Text = r.meaning(), r.text()
	return d
}
