package overhead

import (
	"context"
	"errors"
	"fmt"
	"slices"
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

// Config is what is measured.
type Config struct {
	Rows    []*Row // see Select
	Workers []int  // numbers of workers, in turn; none for 1 and as many as the testbed's pool has
	Others  bool   // other runtimes take turns with the rows that have them
}

// run is one run of the suite.
type run struct {
	*testbed.Bed
	cfg       Config
	pools     []*testbed.Pool // one for each number of workers
	programs  *peers.Set
	results   []result
	placement []int // of the latest run on most workers
}

// A result is what was sampled of a form of a row.
type result struct {
	row     *Row
	form    Form
	workers int
	series  bench.Series
	own     *bench.Series // of the row's own form
}

// name returns the result's full name.
func (x *result) name() string {
	name := Name + "/" + x.row.Name
	if x.form.Name != "" {
		name += "/peer=" + x.form.Name
	}
	return fmt.Sprintf("%s/workers=%d", name, x.workers)
}

// Run measures all rows. The document holds what was measured also if the error is not nil: of the rows before the one
// that failed, and of all so far if the run was interrupted.
func Run(ctx context.Context, bed *testbed.Bed, cfg Config) (*report.Document, error) {
	r := &run{Bed: bed, cfg: cfg, programs: peers.NewSet(bed.Announce)}
	defer r.programs.Close()
	if err := r.makePools(); err != nil {
		return nil, err
	}
	most := slices.MaxFunc(r.pools, func(a, b *testbed.Pool) int { return a.Workers - b.Workers })
	if err := r.leaveOut(most.Workers); err != nil {
		return nil, err
	}
	err := r.During(most.Used(), func() error { return r.measureAll(ctx) })
	r.Aside(r.programs.Notes()...)
	return r.document(err != nil), err
}

// makePools makes a pool for each number of workers.
func (r *run) makePools() error {
	if len(r.cfg.Workers) == 0 {
		r.cfg.Workers = slices.Compact([]int{1, r.Pool.Workers})
	}
	for _, n := range r.cfg.Workers {
		p, err := testbed.NewPool(r.Machine, 1, n, r.Pool.CPUs, r.Pool.Bind)
		if err != nil {
			return err
		}
		r.Warn(p.Warnings...)
		r.pools = append(r.pools, p)
	}
	return nil
}

// leaveOut drops rows that need more workers than there are at most, with a note.
func (r *run) leaveOut(most int) error {
	first := r.cfg.Rows[0]
	r.cfg.Rows = slices.DeleteFunc(slices.Clone(r.cfg.Rows), func(row *Row) bool {
		if row.MinWorkers <= most {
			return false
		}
		r.Note(fmt.Sprintf("left out: %s: needs %d workers", row.Name, row.MinWorkers))
		return true
	})
	if len(r.cfg.Rows) > 0 {
		return nil
	}
	return &trial.ConfigError{Flag: "workers", Value: sizes.Join(r.cfg.Workers),
		Allowed: fmt.Sprintf("%d or more for row %s", first.MinWorkers, first.Name)}
}

func (r *run) measureAll(ctx context.Context) error {
	for k, row := range r.cfg.Rows {
		for i, p := range r.pools {
			if p.Workers < row.MinWorkers {
				continue
			}
			part := k*len(r.pools) + i
			kept, err := r.measure(ctx, row, p, r.TellWithin("row", part, len(r.cfg.Rows)*len(r.pools)))
			if err == nil || ctx.Err() != nil { // a row that failed goes with what stands beside it
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
	b := &Bench{Workers: p.Workers, Target: r.SampleTime, Run: r.runner(p),
		Program: func(ctx context.Context, l *peers.Library) (*peers.Program, error) {
			return r.programs.Program(ctx, l, p.Pins())
		}}
	forms, err := r.forms(ctx, *b, row)
	if err != nil {
		return nil, err
	}
	var all []result
	var turns []bench.Side
	for _, f := range forms {
		x := result{row: row, form: f, workers: p.Workers}
		all = append(all, x)
		var last Sample
		turns = append(turns, bench.Side{
			Name: x.name(),
			Once: func(ctx context.Context) (elapsed time.Duration, err error) {
				last, err = f.sample(ctx, b, row)
				return last.Elapsed, err
			},
			Figures: func(time.Duration, int) []bench.Value { return []bench.Value{{Unit: "ns/op", Value: last.NsPerOp()}} },
		})
	}
	plan := r.Plan()
	plan.OneRun, plan.Progress = true, tell // the bench sees to the length of a sample
	series, err := plan.Run(ctx, turns...)
	for k := range series {
		all[k].series, all[k].own = series[k], &series[0]
	}
	return slices.DeleteFunc(all, func(x result) bool { return len(x.series.Runs) == 0 }), err
}

// sample takes a sample; a wrong result is an error that names row and form.
func (f Form) sample(ctx context.Context, b *Bench, row *Row) (Sample, error) {
	s, err := f.Once(ctx, b)
	var wrong *trial.VerifyError
	if errors.As(err, &wrong) && wrong.App == "" {
		wrong.App = row.Name
		if f.Name != "" {
			wrong.App += ", " + f.Name
		}
		return s, wrong
	}
	return s, err
}

// forms returns those of a row that are measured: ours, plain Go, and if they are asked for those in other runtimes
// whose programs can be had here. Each of these is tried once; what is left out is noted.
func (r *run) forms(ctx context.Context, b Bench, row *Row) (there []Form, _ error) {
	b.Target = time.Nanosecond
	for _, f := range row.Forms {
		if f.Library != nil {
			if !r.cfg.Others {
				continue
			}
			_, err := f.sample(ctx, &b, row)
			note, fatal := peers.LeftOut(ctx, f.Name+" beside "+row.Name, err)
			if fatal != nil {
				return nil, fatal
			}
			if note != "" {
				r.Note(note)
				continue
			}
		}
		there = append(there, f)
	}
	return there, nil
}

// runner returns what runs graphs on a pool.
func (r *run) runner(p *testbed.Pool) func(context.Context, edt.Func, ...runtime.Option) (runtime.Counters, error) {
	return func(ctx context.Context, main edt.Func, more ...runtime.Option) (runtime.Counters, error) {
		graph, err := p.Run(ctx, main, r.Options.With(more...), Name)
		r.Note(graph.Warnings...)
		if len(graph.Placement) >= len(r.placement) {
			r.placement = graph.Placement
		}
		return graph.Counters, err
	}
}

func (r *run) document(partial bool) *report.Document {
	rows := "default"
	if len(r.cfg.Rows) != len(Rows()) {
		rows = sizes.Join(r.cfg.Rows)
	}
	settings := append(report.Settings("rows", rows, "peers", r.cfg.Others), r.Settings()...)
	for i := range settings {
		if settings[i].Key == "workers" {
			settings[i].Value = sizes.Join(r.cfg.Workers)
		}
	}
	d := r.Document(testbed.About{App: Name, Settings: settings, Graph: &testbed.GraphRun{Placement: r.placement}})
	d.Text, d.Partial = text(r.results), partial
	for _, x := range r.results {
		d.AddLabelled(x.name(), report.Settings("section", x.row.Section, "row", x.row.Name, "row-workers", x.workers,
			"peer", x.form.Name, "does", x.form.Does), x.series)
	}
	return d
}
