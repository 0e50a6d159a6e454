package c2c

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	app "ocr/apps/c2c"
	"ocr/apps/trial"
	"ocr/internal/measure/cbaseline"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/matrix"
	"ocr/internal/show/report"
	"ocr/runtime"
)

// run is one run of the suite: what to measure, and the results.
type run struct {
	Config
	bed      *testbed.Bed
	pairs    []matrix.Pair
	rows     []*row
	baseline *cbaseline.Program // nil if form c is not asked for, or cannot run here
	partial  bool               // a row has ended early
}

// Run measures a configuration. It returns a document with the results, also if the user interrupts; nil if there are
// none, or if wrong values arrived. A [*trial.ConfigError] says what cannot be measured on this machine.
func Run(ctx context.Context, bed *testbed.Bed, cfg Config) (*report.Document, error) {
	r, err := prepare(ctx, bed, cfg)
	if err != nil {
		return nil, err
	}
	if r.baseline != nil {
		defer r.baseline.Close()
	}
	defer testbed.SpareProcessor()()
	return r.measure(ctx)
}

// prepare lays out the rows, and refuses what cannot be measured.
func prepare(ctx context.Context, bed *testbed.Bed, cfg Config) (r *run, err error) {
	r = &run{Config: cfg, bed: bed}
	if r.pairs, err = cfg.pairs(bed.Machine); err != nil {
		return nil, err
	}
	if slices.Contains(cfg.Forms, C) {
		if r.baseline, err = cbaseline.Build(ctx); ctx.Err() != nil {
			return nil, context.Cause(ctx)
		} else if err != nil {
			bed.Note(fmt.Sprintf("skipped: form c: %v", err))
		}
	}
	var cpus []int
	for _, p := range r.pairs {
		for _, cpu := range []int{p.From, p.To} {
			if !slices.Contains(cpus, cpu) {
				cpus = append(cpus, cpu)
			}
		}
		for _, width := range cfg.Widths {
			for _, test := range cfg.Tests {
				for _, length := range cfg.lengths(test) {
					r.addRows(p, test, width, length)
				}
			}
		}
	}
	if !slices.ContainsFunc(r.rows, (*row).isGraph) {
		if err := bed.NeedsGraph(trial.Names(cfg.Forms)); err != nil {
			return nil, err
		}
	}
	bed.Pool = &testbed.Pool{Ranks: 1, Workers: max(2, len(cpus)), CPUs: cpus, Bind: runtime.BindListed}
	bed.Warmup, bed.SampleTime = 0, 0 // a trial has its own warm-up and length
	return r, nil
}

// addRows adds the rows of all forms, which are compared with each other. A note says if form c is left out.
func (r *run) addRows(p matrix.Pair, test app.Test, width, length int) {
	for _, form := range r.Forms {
		if form == C && p.From == p.To {
			r.bed.Note("skipped: form c with both ends on one processor: its threads poll without giving way, for 4 ms " +
				"and more a transfer")
			continue
		}
		if form == C && r.baseline == nil {
			continue
		}
		x := &row{pair: p, form: form, cfg: app.Defaults(), baseline: r.baseline}
		x.cfg.Test, x.cfg.Form, x.cfg.Width, x.cfg.Length = test, form, width, length
		x.cfg.Transfers, x.cfg.Warmup = r.Transfers, r.Warmup
		x.once = x.runner(r.bed)
		r.rows = append(r.rows, x)
	}
}

// measure runs the trials of all rows in turns.
func (r *run) measure(ctx context.Context) (*report.Document, error) {
	e := &testbed.Experiment{App: Name, Settings: r.settings(r.pairs), OneRun: true}
	for _, x := range r.rows {
		e.Forms = append(e.Forms, x.experiment(r.bed, r.ended))
		if x.form == app.EDT && e.Counted == "" {
			e.Counted = x.name(x.form)
		}
	}
	d, err := r.bed.Measure(ctx, e)
	var wrong *trial.VerifyError
	switch {
	case d == nil || errors.As(err, &wrong):
		return nil, err
	case len(d.Results) == 0 && err == nil:
		return nil, fmt.Errorf("c2c: nothing was measured: %s", strings.Join(r.bed.Notes, "; "))
	case len(d.Results) == 0:
		return nil, err
	}
	d.Baseline, d.Partial = "", d.Partial || r.partial
	if r.AllPairs {
		d.CPUs = r.bed.Machine.Allowed
	}
	r.label(d)
	d.Text, d.Meaning = r.text(d), r.meaning(d)
	return d, err
}

// ended notes that a row has no more trials.
func (r *run) ended(x *row, why error) {
	r.partial = true
	r.bed.Note(fmt.Sprintf("ended after %d of %d trials: %s: %v", x.kept, r.bed.Samples, x.name(x.form), why))
}

// label adds to each result the facts beside its figures, and to the document reasons to doubt it.
func (r *run) label(d *report.Document) {
	for _, x := range r.rows {
		name := x.name(x.form)
		k := slices.IndexFunc(d.Results, func(found report.Result) bool { return found.Name == name })
		if k < 0 {
			continue
		}
		d.Results[k].Labels = report.Settings("test", string(x.cfg.Test), "form", string(x.form),
			"class", r.bed.Machine.Topology.Distance(x.pair.From, x.pair.To).String(),
			"transfers", x.cfg.Transfers, "warmup-transfers", x.cfg.Warmup,
			"placement", strings.Join(x.placements, " "), "doubted", x.doubted)
		for _, doubt := range x.doubts {
			d.Warn(doubt)
		}
	}
}
