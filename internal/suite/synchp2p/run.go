package synchp2p

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"time"

	app "ocr/apps/synchp2p"
	"ocr/apps/trial"
	"ocr/internal/bench"
	"ocr/internal/report"
	"ocr/internal/testbed"
)

// Run measures the forms of a configuration. The document holds what was measured also if
// the error is not nil.
func Run(ctx context.Context, bed *testbed.Bed, cfg Config) (*report.Document, error) {
	return bed.Measure(ctx, experiment(bed, cfg))
}

// experiment lays out the forms.
func experiment(bed *testbed.Bed, cfg Config) *testbed.Experiment {
	p := cfg.Problem
	e := &testbed.Experiment{App: Name, Settings: cfg.settings()}
	var (
		last     app.Result
		observed Form
	)
	e.Checked = func() string {
		checked := fmt.Sprintf("checksum %v, expected %v", last.Checksum, p.CornerAfter(p.Timesteps))
		switch points := p.PointsCompared(); {
		case !bed.Verify:
			return checked
		case points == 0:
			return checked + "; the grid is large and was not compared: --check-grid does"
		default:
			return fmt.Sprintf("%s; all %d points right", checked, points)
		}
	}
	for _, form := range cfg.sides() {
		name := cfg.resultName(form, bed.Pool)
		once := reference(form, bed.Pool, p)
		if form == Serial {
			e.Baseline, e.Serial = name, true
		}
		if once != nil {
			e.Notes = bed.Pool.Beside()
		} else {
			graph := graphForm(form, bed.Pool, p)
			g := new(testbed.GraphRun)
			once = func(ctx context.Context) (app.Result, error) { return graph(ctx, bed.Options, g) }
			if e.Graph == nil || observed.GoesOn() && !form.GoesOn() { // the counters are those of the seed's form
				observed, e.Graph, e.Observed = form, g, name
				e.Once = func(ctx context.Context, o testbed.RunOptions) error {
					_, err := graph(ctx, o, g)
					return err
				}
			}
		}
		e.Forms = append(e.Forms, measured(name, form, once, bed.Verify, &last))
	}
	for _, form := range cfg.sides() {
		switch {
		case form == observed:
			e.Notes = append(e.Notes, fmt.Sprintf("%s: %s; the counters are of this form", form, graphs[form].about))
		case form.IsGraph():
			e.Notes = append(e.Notes, fmt.Sprintf("%s: %s", form, graphs[form].about))
		}
	}
	if e.Baseline == "" && len(e.Forms) > 1 {
		e.Baseline = e.Forms[0].Name
	}
	if p.RowsPerBlock > 1 {
		e.Notes = append(e.Notes, fmt.Sprintf("rows grouped B=%d: PRK's rated figure uses B=1", p.RowsPerBlock))
	}
	if p.Timesteps == 1 {
		e.Notes = append(e.Notes, "T=1: the only timestep is timed, cold")
	}
	return e
}

// reference returns what runs a form that is not a task graph; nil if it is one.
func reference(form Form, pool *testbed.Pool, p app.Config) func(context.Context) (app.Result, error) {
	switch form {
	case Serial:
		return func(ctx context.Context) (app.Result, error) { return app.Serial(ctx, p) }
	case Goroutines:
		return func(ctx context.Context) (app.Result, error) {
			defer goruntime.GOMAXPROCS(goruntime.GOMAXPROCS(pool.Threads()))
			return app.Goroutines(ctx, p)
		}
	}
	return nil
}

// graphForm returns what runs the task graph once; it fills in what the runtime tells.
func graphForm(form Form, pool *testbed.Pool, p app.Config) func(context.Context, testbed.RunOptions,
	*testbed.GraphRun) (app.Result, error) {
	p.Events, p.Clone = graphs[form].events, graphs[form].clone
	return func(ctx context.Context, o testbed.RunOptions, g *testbed.GraphRun) (app.Result, error) {
		a := app.New(p)
		run, err := pool.Run(ctx, a.Main(), o, Name)
		if err != nil {
			return app.Result{}, err
		}
		*g = run
		return a.Result()
	}
}

// measured makes the side of a measurement for a form. What a block of the grid costs is ns/edt if an EDT sweeps
// it, else ns/block. latest gets the result of every run that ended well.
func measured(name string, form Form, once func(context.Context) (app.Result, error), verify bool, latest *app.Result) bench.Side {
	var last app.Result
	return bench.Side{
		Name: name,
		Once: func(ctx context.Context) (time.Duration, error) {
			r, err := once(ctx)
			var wrong *trial.VerifyError
			if !verify && errors.As(err, &wrong) {
				err = nil
			}
			last = r
			if err == nil {
				*latest = r
			}
			return r.Elapsed, err
		},
		Figures: func(elapsed time.Duration, runs int) []bench.Value {
			r := last
			r.Elapsed, r.TimedTimesteps = elapsed, last.TimedTimesteps*runs
			block := "ns/block"
			if form.IsGraph() {
				block = "ns/edt"
			}
			values := []bench.Value{
				{Unit: block, Value: r.NsPerEDT()},
				{Unit: "us/timestep", Value: r.NsPerEDT() * float64(r.Config.Ranks*r.Config.Phases) / 1e3},
			}
			if r.Config.Flops() > 0 {
				values = append(values, bench.Value{Unit: "Mflop/s", Value: r.MFlops()})
			}
			return values
		},
	}
}
