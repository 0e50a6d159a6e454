package c2c

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	app "ocr/apps/c2c"
	"ocr/apps/trial"
	"ocr/internal/command/cli"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/cbaseline"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/matrix"
)

// run is one run of the suite: what is to be measured, and what was.
type run struct {
	Config
	bed   *testbed.Bed
	pairs []matrix.Pair

	observed *key // what --trace, --graph and --stats are of, see graphOf; nil if there is no graph

	rows []*row
	find map[key]*row
}

// graphOf returns which of some rows stands for all as a graph: the first whose EDTs pass transfers on, else the first
// graph, else -1.
func graphOf[R any](rows []R, form func(R) app.Form) int {
	of := func(f app.Form) int { return slices.IndexFunc(rows, func(row R) bool { return form(row) == f }) }
	if i := of(app.EDT); i >= 0 {
		return i
	}
	return of(app.Polled)
}

// Run measures a configuration. The result is what was measured, also if the user interrupts or a trial fails; nil if
// that is nothing, or if wrong values arrived. A [*trial.ConfigError] says what cannot be measured on this machine.
func Run(ctx context.Context, bed *testbed.Bed, cfg Config) (*Result, error) {
	r := &run{Config: cfg, bed: bed, find: map[key]*row{}}
	if err := r.prepare(); err != nil {
		return nil, err
	}
	defer testbed.SpareProcessor()()
	if err := r.observe(ctx); err != nil && ctx.Err() == nil {
		return nil, err
	}
	return r.end(bed.During(r.cpus(), func() error { return r.measure(ctx) }))
}

// prepare resolves the pairs, and refuses what cannot be.
func (r *run) prepare() error {
	var note string
	var err error
	if r.pairs, note, err = r.resolve(r.bed.Machine); err != nil {
		return err
	}
	if note != "" {
		r.bed.Note(note)
	}
	var keys []key
	for _, p := range r.pairs {
		for _, g := range r.groups(p) {
			keys = append(keys, r.keys(g, p.From != p.To)...)
		}
	}
	if i := graphOf(keys, func(k key) app.Form { return k.form }); i >= 0 {
		r.observed = &keys[i]
	}
	switch {
	case r.Transfers+r.Warmup > app.MaxMade && slices.Contains(r.Forms, app.EDT):
		return refuse("stim-len", r.Transfers, "form edt makes all EDTs of a trial beforehand",
			fmt.Sprintf("at most %d, warm-up included, or with other --forms", app.MaxMade))
	case r.Picture != "" && len(r.cpus()) < 2:
		return refuse(r.Picture, "", "", "with a pair of two processors: both ends are on one")
	case r.observed == nil:
		return r.bed.NeedsGraph(cli.Words(r.Forms)...)
	}
	return nil
}

// cpus returns the processors that are used.
func (r *run) cpus() []int {
	var cpus []int
	for _, p := range r.pairs {
		cpus = append(cpus, p.From, p.To)
	}
	slices.Sort(cpus)
	return slices.Compact(cpus)
}

// observe observes a trial of a graph, as long as the others.
func (r *run) observe(ctx context.Context) error {
	if r.bed.Watch == nil {
		return nil
	}
	x := r.newRow(*r.observed)
	if err := x.calibrate(ctx); err != nil {
		return fmt.Errorf("%s: %w", x.name(), err)
	}
	return r.bed.Observe(ctx, x.name(), func(ctx context.Context, o testbed.RunOptions) error {
		_, err := x.runner(o)(ctx, x.cfg)
		return err
	})
}

func (r *run) measure(ctx context.Context) error {
	for i, p := range r.pairs {
		if err := r.measurePair(ctx, p, r.bed.TellWithin("pair", i, len(r.pairs))); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) measurePair(ctx context.Context, p matrix.Pair, tell func(bench.Progress)) error {
	withC, err := r.hasC(ctx, p)
	if err != nil {
		return err
	}
	for _, groups := range turns(r.groups(p)) {
		var rows []*row
		for _, g := range groups {
			for _, k := range r.keys(g, withC) {
				rows = append(rows, r.newRow(k))
			}
		}
		if err := r.takeTurns(ctx, rows, tell); err != nil {
			return err
		}
	}
	return nil
}

// hasC reports whether form c is run for a pair: if it is asked for, and can be had, which a note says.
func (r *run) hasC(ctx context.Context, p matrix.Pair) (bool, error) {
	if !slices.Contains(r.Forms, C) {
		return false, nil
	}
	if p.From == p.To {
		r.bed.Note("skipped: form c with both ends on one processor: its threads poll without giving way, for 4 ms " +
			"and more a transfer")
		return false, nil
	}
	err := cbaseline.Prepare(ctx)
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	if err != nil {
		r.bed.Note(fmt.Sprintf("skipped: form c: %v", err))
	}
	return err == nil, nil
}

// takeTurns keeps what was measured also if it ends with an error.
func (r *run) takeTurns(ctx context.Context, rows []*row, tell func(bench.Progress)) error {
	var sides []bench.Side
	var taken []*row
	for _, x := range rows {
		tell(bench.Progress{Side: x.name(), Warmup: true, Total: 1})
		err := x.calibrate(ctx)
		if err != nil && ctx.Err() == nil {
			err = r.failed(x, err)
		}
		switch {
		case err == nil:
			taken, sides = append(taken, x), append(sides, x.side(r.failed))
		case ctx.Err() != nil:
			return err
		case !errors.Is(err, bench.ErrOver):
			return fmt.Errorf("%s: %w", x.name(), err)
		}
	}
	plan := bench.Plan{
		Samples: r.bed.Samples, OneRun: true,
		Resolution: r.bed.Machine.Clock, Seed: r.bed.Seed, Progress: tell,
	}
	series, err := plan.Run(ctx, sides...)
	for i, x := range taken {
		if x.kept > 0 {
			r.add(x, series[i])
		}
	}
	return err
}

// failed says how a row ends whose trial has failed. Of a peer, which is not of this runtime, a note says so, and the
// other rows go on, unless it is wrong values that arrived.
func (r *run) failed(x *row, err error) error {
	var wrong *trial.VerifyError
	if isGraph(x.form) || errors.As(err, &wrong) {
		return err
	}
	r.bed.Note(fmt.Sprintf("ended after %d of %d trials: %s: %v", x.kept, r.bed.Samples, x.name(), err))
	return bench.ErrOver
}

// end makes the result of what was measured, unless that is nothing or wrong; err is how the measuring ended.
func (r *run) end(err error) (*Result, error) {
	var wrong *trial.VerifyError
	switch {
	case len(r.rows) > 0 && !errors.As(err, &wrong):
		return r.result(err != nil), err
	case err == nil:
		err = fmt.Errorf("c2c: nothing was measured: %s", strings.Join(r.bed.Notes, "; "))
	}
	return nil, err
}

// result makes the document and the matrices.
func (r *run) result(partial bool) *Result {
	r.noteTimes()
	all := r.matrices(partial)
	if len(all) == 0 && r.Picture != "" {
		r.bed.Note("--svg and --matrix wrote nothing: no result of two processors")
	}
	about := testbed.About{App: Name, Settings: r.settings(r.bed, r.pairs[0])}
	graph := graphOf(r.rows, func(x *row) app.Form { return x.form })
	if graph >= 0 {
		about.Graph = &r.rows[graph].graph
	}
	if len(r.pairs) > 1 && graph >= 0 {
		r.bed.Aside("the workers' processors above are those of the first graph, of one pair: each result has its own " +
			"as its placement")
	}
	d := r.bed.Document(about)
	d.Partial = partial
	if graph < 0 || r.rows[graph].form != app.EDT {
		d.Counters = nil
	}
	for _, row := range r.rows {
		d.AddLabelled(row.name(), row.labels(), row.series)
		for _, doubt := range row.doubts {
			d.Warn(doubt)
		}
	}
	d.Text, d.Meaning = r.text(all), r.meaning()
	return &Result{Document: d, Matrices: all}
}

// add keeps a row that was measured, and what the runtime reports of its latest trial.
func (r *run) add(x *row, series bench.Series) {
	x.series, x.class = series, r.bed.Machine.Topology.Distance(x.pair.From, x.pair.To)
	r.rows = append(r.rows, x)
	r.find[x.key] = x
	r.bed.Note(x.graph.Warnings...)
}
