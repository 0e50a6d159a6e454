// Package app measures an app: its graph of EDTs and the other forms of the same work, in turns.
package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"ocr/apps/trial"
	"ocr/internal/core/sizes"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/report"
	"ocr/runtime"
)

// Config is what to measure.
type Config struct {
	Name       string        // the app's
	Parameters report.Config // the app's parameters, which are part of the names of results
	App        trial.App
	Forms      []string // trial.EDT is the task graph
}

// Run measures the forms of an app. The document has what was measured also if the error is not nil.
func Run(ctx context.Context, bed *testbed.Bed, cfg Config) (*report.Document, error) {
	e := &testbed.Experiment{
		App: cfg.Name, Settings: cfg.Parameters.With("forms", sizes.Join(cfg.Forms)),
	}
	for _, name := range cfg.Forms {
		form, err := cfg.form(name, bed)
		if err != nil {
			return nil, err
		}
		e.Forms = append(e.Forms, form)
	}
	d, err := bed.Measure(ctx, e)
	if d != nil {
		cfg.addRatios(d, e.Forms)
	}
	return d, err
}

// form returns a form of the app that verifies each run.
func (c Config) form(name string, bed *testbed.Bed) (testbed.Form, error) {
	form := testbed.Form{Serial: name == trial.Serial}
	form.Name, form.Figures = c.resultName(name, bed.Pool), c.figures
	main := c.App.Main
	if r, ok := c.App.(trial.Recorder); ok && name == trial.EDTRecorded {
		main = r.MainRecorded
		bed.Aside("edt-recorded: a part of the task graph is recorded once and run again and again (task.Graph)")
	} else if name != trial.EDT {
		main = nil
	}
	run := func(ctx context.Context) error { return bed.RunGraph(ctx, main(), form.Graph, c.Name) }
	if main != nil {
		form.Graph = new(runtime.Report)
	} else {
		forms := c.App.Forms()
		k := slices.IndexFunc(forms, func(f trial.Form) bool { return f.Name == name })
		if k < 0 {
			return form, &trial.ConfigError{Flag: "forms", Value: name, Allowed: "one that " + c.Name + " has"}
		}
		run = func(ctx context.Context) error {
			return bed.OnThreads(func(threads int) error { return forms[k].Run(ctx, threads) })
		}
	}
	form.Once = func(ctx context.Context) (time.Duration, error) {
		err := run(ctx)
		if err == nil && bed.Verify {
			if long, is := c.App.(trial.LongVerifier); is {
				err = long.VerifyUntil(ctx)
			} else {
				err = c.App.Verify()
			}
		}
		return c.App.Elapsed(), err
	}
	return form, nil
}

// figures returns the time of a run, and the rate of its work.
func (c Config) figures(elapsed time.Duration, runs int) []bench.Value {
	amount, unit := c.App.Work()
	seconds := elapsed.Seconds() / float64(runs)
	return []bench.Value{
		{Unit: perRun, Value: seconds * 1e3}, {Unit: "M" + word(unit) + "/s", Value: amount / seconds / 1e6},
	}
}

const perRun = "ms/run"

// addRatios gives the task graph a metric for each other form, except serial: the ratio of the graph's time to the
// form's time, round by round. It leaves out a form that lacks a round, as in an interrupted run.
func (c Config) addRatios(d *report.Document, forms []testbed.Form) {
	at := slices.IndexFunc(d.Results, func(r report.Result) bool {
		k := slices.Index(c.Forms, trial.EDT)
		return k >= 0 && r.Name == forms[k].Name
	})
	if at < 0 {
		return
	}
	graph := &d.Results[at]
	times := graph.Metrics.Samples(perRun)
	for k, form := range c.Forms {
		other := d.Metrics(forms[k].Name).Samples(perRun)
		if form == trial.EDT || form == trial.Serial || len(other) != len(times) {
			continue
		}
		ratios := make([]float64, len(times))
		for i := range ratios {
			ratios[i] = times[i] / other[i]
		}
		unit := "ratio/" + word(strings.TrimPrefix(form, "goroutines-"))
		graph.Metrics = append(graph.Metrics, bench.Metric{Unit: unit, Samples: ratios})
	}
}

func (c Config) resultName(form string, pool *testbed.Pool) string {
	name := c.Name + "/" + word(form)
	for _, s := range c.Parameters {
		name += fmt.Sprintf("/%s=%s", s.Key, word(fmt.Sprint(s.Value)))
	}
	return name + "/" + pool.InNames()
}

// word turns any text into a part of a name, or of a unit.
func word(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '/' || r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return '_'
		}
		return r
	}, strings.Join(strings.Fields(text), "_"))
}
