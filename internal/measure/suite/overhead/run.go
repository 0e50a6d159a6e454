package overhead

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/internal/core/sizes"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/peers"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/report"
	"ocr/runtime"
)

// Name is the suite's.
const Name = "overhead"

// Config is what to measure.
type Config struct {
	Rows    []*Row // see Select
	Workers []int  // numbers of workers, in turn; none: 1, and the number of the testbed's pool
	Others  bool   // other runtimes take turns with the rows that have them
}

type run struct {
	*testbed.Bed
	cfg       Config
	programs  *peers.Set
	results   []result
	placement []int // of the latest run on the most workers
}

// A result is the samples of a form of a row.
type result struct {
	row     *Row
	form    Form
	workers int
	series  bench.Series
	own     *bench.Series // of this runtime's form
}

func (x *result) name() string {
	name := Name + "/" + x.row.Name
	if x.form.Name != "" {
		name += "/peer=" + x.form.Name
	}
	return fmt.Sprintf("%s/workers=%d", name, x.workers)
}

// Run measures all rows. The document has the results also if the error is not nil: of the rows before a row that
// failed, or of all rows so far if the run was interrupted.
func Run(ctx context.Context, bed *testbed.Bed, cfg Config) (*report.Document, error) {
	if len(cfg.Workers) == 0 {
		cfg.Workers = slices.Compact([]int{1, bed.Pool.Workers})
	}
	r := &run{Bed: bed, cfg: cfg, programs: peers.NewSet(bed.Announce)}
	defer r.programs.Close()
	pools, most, err := bed.Pools(cfg.Workers)
	if err != nil {
		return nil, err
	}
	r.cfg.Rows = nil
	for _, row := range cfg.Rows {
		if row.MinWorkers <= most.Workers {
			r.cfg.Rows = append(r.cfg.Rows, row)
		} else {
			bed.Note(fmt.Sprintf("left out: %s: needs %d workers", row.Name, row.MinWorkers))
		}
	}
	if len(r.cfg.Rows) == 0 {
		return nil, &trial.ConfigError{Flag: "workers", Value: sizes.Join(cfg.Workers),
			Allowed: fmt.Sprintf("%d or more for row %s", cfg.Rows[0].MinWorkers, cfg.Rows[0].Name)}
	}
	err = bed.During(most.Used(), func() error { return r.measureAll(ctx, pools) })
	bed.Aside(r.programs.Notes()...)
	return r.document(err != nil), err
}

func (r *run) measureAll(ctx context.Context, pools []*testbed.Pool) error {
	for k, row := range r.cfg.Rows {
		for i, p := range pools {
			if p.Workers < row.MinWorkers {
				continue
			}
			kept, err := r.measure(ctx, row, p, r.TellWithin("row", k*len(pools)+i, len(r.cfg.Rows)*len(pools)))
			if err == nil || ctx.Err() != nil { // a row that failed has no results, in any form
				r.results = append(r.results, kept...)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// measure samples the forms of a row on a pool in turn.
func (r *run) measure(ctx context.Context, row *Row, p *testbed.Pool, tell func(bench.Progress)) ([]result, error) {
	b := &Bench{Workers: p.Workers, Target: r.SampleTime,
		Run: func(ctx context.Context, main edt.Func) (runtime.Counters, error) {
			var graph runtime.Report
			err := r.RunOn(ctx, p, main, &graph, Name)
			r.Note(graph.Warnings...)
			if len(graph.Placement) >= len(r.placement) {
				r.placement = graph.Placement
			}
			return graph.Counters, err
		},
		Program: func(ctx context.Context, l *peers.Library) (*peers.Program, error) {
			return r.programs.Program(ctx, l, p.Pins())
		}}
	var all []result
	var turns []bench.Side
	for _, f := range row.Forms {
		if f.Library != nil && !r.cfg.Others {
			continue
		}
		x := result{row: row, form: f, workers: p.Workers}
		all = append(all, x)
		var ops int
		turns = append(turns, bench.Side{
			Name: x.name(),
			Once: func(ctx context.Context) (time.Duration, error) {
				s, err := r.sample(ctx, b, row, f)
				ops = s.Ops
				return s.Elapsed, err
			},
			Figures: func(elapsed time.Duration, _ int) []bench.Value {
				return []bench.Value{{Unit: "ns/op", Value: float64(elapsed) / float64(ops)}}
			},
		})
	}
	plan := r.Plan
	plan.OneRun, plan.Progress = true, tell // the bench chooses the length of a sample
	series, err := plan.Run(ctx, turns...)
	for k := range series {
		all[k].series, all[k].own = series[k], &series[0]
	}
	return slices.DeleteFunc(all, func(x result) bool { return len(x.series.Runs) == 0 }), err
}

// sample takes a sample. A wrong result is an error that names row and form. A program of another runtime that cannot
// run here, or fails, takes no more samples; a note says so.
func (r *run) sample(ctx context.Context, b *Bench, row *Row, f Form) (Sample, error) {
	s, err := row.take(ctx, b, f)
	if wrong := new(trial.VerifyError); errors.As(err, &wrong) {
		if wrong.App == "" {
			wrong.App = strings.TrimSuffix(row.Name+", "+f.Name, ", ")
		}
		return s, wrong
	}
	if err == nil || f.Library == nil {
		return s, err
	}
	return s, peers.LeftOut(ctx, r.Note, fmt.Sprintf("%s beside %s, workers=%d", f.Name, row.Name, b.Workers), err)
}

func (r *run) document(partial bool) *report.Document {
	rows := "default"
	if len(r.cfg.Rows) != len(Rows()) {
		rows = sizes.Join(r.cfg.Rows)
	}
	settings := append(report.Settings("rows", rows, "peers", r.cfg.Others), r.Settings(r.cfg.Workers...)...)
	d := r.Document(Name, settings, &runtime.Report{Placement: r.placement})
	d.Text, d.Partial = text(r.results), partial
	for _, x := range r.results {
		d.AddLabelled(x.name(), report.Settings("section", x.row.Section, "row", x.row.Name, "row-workers", x.workers,
			"peer", x.form.Name, "does", x.form.Does), x.series)
	}
	return d
}
