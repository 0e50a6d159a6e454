package synchp2p

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	app "ocr/apps/synchp2p"
	"ocr/apps/trial"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/report"
	"ocr/runtime"
)

// Run measures the forms of a configuration. The document has what was measured also if the error is not nil.
func Run(ctx context.Context, bed *testbed.Bed, cfg Config) (*report.Document, error) {
	var last app.Result
	d, err := bed.Measure(ctx, experiment(bed, cfg, &last))
	if d != nil && len(d.Results) > 0 {
		d.Meaning, d.Checked = meaning(d, cfg, bed.Pool), checked(last, cfg.Problem, bed.Verify)
	}
	return d, err
}

// checked says what the check of the latest result has found.
func checked(last app.Result, p app.Config, verify bool) string {
	text := fmt.Sprintf("checksum %v, expected %v", last.Checksum, p.CornerAfter(p.Timesteps))
	if verify {
		text += fmt.Sprintf("; all %d points right", p.GridRows()*p.GridColumns())
	}
	return text
}

// meaning says how long a block of the grid takes in each form.
func meaning(d *report.Document, cfg Config, pool *testbed.Pool) string {
	took := func(form app.Form) string {
		for _, unit := range []string{"ns/edt", "ns/block"} {
			if s := d.Metric(cfg.resultName(form, pool), unit); s.N > 0 {
				return report.Short(s.Median)
			}
		}
		return ""
	}
	var forms []string
	for _, form := range cfg.Forms {
		if ns := took(form); ns != "" && form != Serial {
			forms = append(forms, ns+" ns in form "+string(form))
		}
	}
	if len(forms) == 0 {
		return ""
	}
	text := "A block of the grid takes " + strings.Join(forms, ", ")
	if serial := took(Serial); serial != "" {
		text += "; a plain loop sweeps it in " + serial + " ns"
	}
	return text + "."
}

// experiment lays out the forms. latest receives the result of every run without an error.
func experiment(bed *testbed.Bed, cfg Config, latest *app.Result) *testbed.Experiment {
	p := cfg.Problem
	e := &testbed.Experiment{App: Name, Settings: cfg.settings()}
	counted := slices.IndexFunc(cfg.Forms, app.Form.IsGraph)
	if seed := slices.Index(cfg.Forms, app.EDT); seed >= 0 {
		counted = seed
	}
	for k, form := range cfg.Forms {
		f := measured(form, bed.Verify, runner(form, bed, p), latest)
		f.Name = cfg.resultName(form, bed.Pool)
		e.Forms = append(e.Forms, f)
		note := string(form) + ": " + about[form]
		if k == counted {
			e.Counted = f.Name
			note += "; the counters are of this form"
		}
		if form.IsGraph() {
			bed.Aside(note)
		}
	}
	if p.RowsPerBlock > 1 {
		bed.Aside(fmt.Sprintf("rows grouped B=%d: PRK's rated figure uses B=1", p.RowsPerBlock))
	}
	if p.Timesteps == 1 {
		bed.Note("T=1: the only timestep is timed, cold")
	}
	return e
}

// A run runs a form once. It sets g if the form is a task graph.
type run func(ctx context.Context, g *runtime.Report) (app.Result, error)

// measured returns a form of the measurement. latest receives the result of every run without an error.
func measured(form app.Form, verify bool, once run, latest *app.Result) testbed.Form {
	var last app.Result
	f := testbed.Form{Serial: form == Serial}
	f.Figures = func(elapsed time.Duration, runs int) []bench.Value {
		r := last
		r.Elapsed, r.TimedTimesteps = elapsed, last.TimedTimesteps*runs
		return figures(form, r)
	}
	if form.IsGraph() {
		f.Graph = new(runtime.Report)
	}
	f.Once = func(ctx context.Context) (time.Duration, error) {
		r, err := once(ctx, f.Graph)
		if _, wrong := errors.AsType[*trial.VerifyError](err); wrong && !verify {
			err = nil
		}
		if last = r; err == nil {
			*latest = r
		}
		return r.Elapsed, err
	}
	return f
}

func runner(form app.Form, bed *testbed.Bed, p app.Config) run {
	if form.IsGraph() {
		p.Form, p.Channels = form, p.Channels && form.HasEvents()
	}
	return func(ctx context.Context, g *runtime.Report) (r app.Result, err error) {
		switch form {
		case Serial:
			return app.Serial(ctx, p)
		case Goroutines:
			err = bed.OnThreads(func(int) (err error) {
				r, err = app.Goroutines(ctx, p)
				return err
			})
			return r, err
		}
		a := app.New(p)
		if err := bed.RunGraph(ctx, a.Main(), g, Name); err != nil {
			return r, err
		}
		return a.Result()
	}
}

// figures returns the figures of a run. The time of a block of the grid is ns/edt if an EDT sweeps it, else ns/block.
func figures(form app.Form, r app.Result) []bench.Value {
	block := "ns/block"
	if form.IsGraph() {
		block = "ns/edt"
	}
	values := []bench.Value{
		{Unit: block, Value: r.NsPerEDT()},
		{Unit: "us/timestep", Value: r.NsPerEDT() * float64(r.Config.Strips*r.Config.Phases) / 1e3},
	}
	if r.Config.Flops() > 0 {
		values = append(values, bench.Value{Unit: "Mflop/s", Value: r.MFlops()})
	}
	return values
}
