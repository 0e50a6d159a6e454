// Package app measures an app: its graph of EDTs against the other forms of the same work, in turns.
package app

import (
	"context"
	"fmt"
	goruntime "runtime"
	"slices"
	"strings"
	"time"
	"unicode"

	"ocr/apps/trial"
	"ocr/internal/bench"
	"ocr/internal/report"
	"ocr/internal/sizes"
	"ocr/internal/testbed"
)

// Config is what is measured.
type Config struct {
	Name       string        // the app's
	Parameters report.Config // the app's, which are in the names of results
	App        trial.App
	Forms      []string // trial.EDT is the task graph
}

// Run measures the forms of an app. The document holds what was measured also if the error is
// not nil.
func Run(ctx context.Context, bed *testbed.Bed, cfg Config) (*report.Document, error) {
	e, err := experiment(bed, cfg)
	if err != nil {
		return nil, err
	}
	d, err := bed.Measure(ctx, e)
	cfg.recordSeed(d)
	return d, err
}

// recordSeed records an app's seed as it was given: it may be negative.
func (c Config) recordSeed(d *report.Document) {
	if d == nil {
		return
	}
	for _, p := range c.Parameters {
		if k := slices.IndexFunc(d.Config, func(s report.Setting) bool { return s.Key == p.Key }); p.Key == "seed" && k >= 0 {
			d.Config[k].Value = p.Value
		}
	}
}

// experiment lays out the forms.
func experiment(bed *testbed.Bed, cfg Config) (*testbed.Experiment, error) {
	e := &testbed.Experiment{App: cfg.Name, Complete: cfg.addRatios}
	for _, p := range cfg.Parameters {
		if p.Key == "seed" { // of an app that draws: a common setting
			bed.Seed = seed(p.Value)
		} else {
			e.Settings = append(e.Settings, p)
		}
	}
	e.Settings = append(e.Settings, report.Setting{Key: "forms", Value: sizes.Join(cfg.Forms)})
	for _, form := range cfg.Forms {
		name := cfg.resultName(form, bed.Pool)
		once, err := cfg.once(form, bed, e)
		if err != nil {
			return nil, err
		}
		switch form {
		case trial.EDT:
			e.Observed, e.Once = name, once
		case trial.Serial:
			e.Baseline, e.Serial = name, true
		}
		if form != trial.EDT {
			e.Notes = bed.Pool.Beside()
		}
		e.Forms = append(e.Forms, bench.Side{
			Name: name,
			Once: func(ctx context.Context) (time.Duration, error) {
				err := once(ctx, bed.Options)
				return cfg.App.Elapsed(), err
			},
			Figures: cfg.figures,
		})
	}
	if e.Baseline == "" && len(e.Forms) > 1 {
		e.Baseline = e.Forms[0].Name
	}
	return e, nil
}

// seed returns an app's seed, which is the one for the order of the forms too.
func seed(value any) uint64 {
	if n, ok := value.(int); ok {
		return uint64(n)
	}
	return value.(uint64)
}

// once returns what runs a form once and verifies its result.
func (c Config) once(form string, bed *testbed.Bed, e *testbed.Experiment) (func(context.Context, testbed.RunOptions) error, error) {
	run, err := c.reference(form, bed.Pool)
	if form == trial.EDT {
		e.Graph = new(testbed.GraphRun)
		run, err = func(ctx context.Context, o testbed.RunOptions) error {
			g, err := bed.Pool.Run(ctx, c.App.Main(), o, c.Name)
			if err == nil {
				*e.Graph = g
			}
			return err
		}, nil
	}
	return func(ctx context.Context, o testbed.RunOptions) error {
		err := run(ctx, o)
		if err == nil && bed.Verify {
			err = c.App.Verify()
		}
		return err
	}, err
}

// reference returns what runs a form that is not the task graph, on as many threads as the
// task graph has workers.
func (c Config) reference(form string, pool *testbed.Pool) (func(context.Context, testbed.RunOptions) error, error) {
	forms := c.App.Forms()
	named := func(f trial.Form) bool { return f.Name == form }
	k := slices.IndexFunc(forms, named)
	if k < 0 {
		return nil, &trial.ConfigError{Flag: "forms", Value: form, Allowed: "one that " + c.Name + " has"}
	}
	return func(ctx context.Context, _ testbed.RunOptions) error {
		defer goruntime.GOMAXPROCS(goruntime.GOMAXPROCS(pool.Threads()))
		return forms[k].Run(ctx, pool.Threads())
	}, nil
}

// figures are the time of a run, and the rate at which it did its work.
func (c Config) figures(elapsed time.Duration, runs int) []bench.Value {
	amount, unit := c.App.Work()
	seconds := elapsed.Seconds() / float64(runs)
	return []bench.Value{{Unit: perRun, Value: seconds * 1e3}, {Unit: "M" + word(unit) + "/s", Value: amount / seconds / 1e6}}
}

const perRun = "ms/run"

// addRatios gives the task graph a metric for each form of goroutines: its time by that form's, round
// by round, which had the same weather. A form that lacks a round, as one that was interrupted, has none.
func (c Config) addRatios(series []bench.Series) {
	at := slices.Index(c.Forms, trial.EDT)
	if at < 0 {
		return
	}
	graph := &series[at]
	times := graph.Metrics.Samples(perRun)
	for k, form := range c.Forms {
		other := series[k].Metrics.Samples(perRun)
		if k == at || form == trial.Serial || len(other) != len(times) || len(times) == 0 {
			continue
		}
		ratios := make([]float64, len(times))
		for i := range ratios {
			ratios[i] = times[i] / other[i]
		}
		graph.Metrics = append(graph.Metrics, bench.Metric{Unit: "ratio/" + word(strings.TrimPrefix(form, "goroutines-")), Samples: ratios})
	}
}

// resultName names a form's result.
func (c Config) resultName(form string, pool *testbed.Pool) string {
	name := c.Name + "/" + word(form)
	for _, s := range c.Parameters {
		name += fmt.Sprintf("/%s=%s", s.Key, word(fmt.Sprint(s.Value)))
	}
	return name + "/" + pool.InNames()
}

// word makes a part of a name, or of a unit, of any text.
func word(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '/' || r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return '_'
		}
		return r
	}, strings.Join(strings.Fields(text), "_"))
}
