package c2c

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	app "ocr/apps/c2c"
	"ocr/internal/core/topo"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/machine"
	"ocr/internal/measure/testbed"
	"ocr/internal/proof/testrun"
	"ocr/internal/show/matrix"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// twoCores is a machine of two cores with two threads each: 0 and 2, 1 and 3.
func twoCores() *machine.Machine {
	var cpus []topo.CPU
	for id := range 4 {
		core := id % 2
		cpus = append(cpus, topo.CPU{ID: id, Core: core, L2: core, Siblings: []int{core, core + 2}})
	}
	return &machine.Machine{
		Topology: &topo.Topology{CPUs: cpus, Nodes: []topo.Node{{CPUs: []int{0, 1, 2, 3}}}},
		Allowed:  []int{0, 1, 2, 3}, Clock: 20 * time.Nanosecond,
	}
}

// testRun returns a run of these trials over the machine twoCores, with no results yet.
func testRun(cfg Config, samples int, pairs ...matrix.Pair) *run {
	console := testbed.NewConsole("ocrbench", io.Discard)
	console.Quiet = true
	return &run{Config: cfg, pairs: pairs, find: map[key]*row{}, bed: &testbed.Bed{
		Machine: twoCores(), Console: console, Sampling: testbed.Sampling{Samples: samples, Seed: 1, Verify: true},
	}}
}

// single is a configuration of test single in two forms.
func single() Config {
	cfg := Defaults()
	cfg.Tests, cfg.Forms = []app.Test{app.Single}, []app.Form{app.Polled, app.Goroutines}
	return cfg
}

var zeroOne = matrix.Pair{From: 0, To: 1}

func groupOf(test app.Test, length, from, to int) group {
	return group{pair: matrix.Pair{From: from, To: to}, test: test, width: 8, length: length}
}

// trialOf returns a trial that took ns for each transfer, on processors 0 and 1.
func trialOf(cfg app.Config, ns float64) app.Result {
	r := app.Result{Config: cfg, Transfers: cfg.Transfers}
	for k := range r.Ends {
		r.Ends[k] = app.End{Elapsed: time.Duration(ns * float64(cfg.Transfers)), CPU: [2]int{k, k}}
	}
	return r
}

// rowOf returns a row of test single whose trials take ns for a transfer.
func rowOf(form app.Form, ns float64) *row {
	x := &row{key: key{groupOf(app.Single, 1, 0, 1), form}, cfg: app.Defaults()}
	x.cfg.Form = form
	x.once = func(_ context.Context, cfg app.Config) (app.Result, error) { return trialOf(cfg, ns), nil }
	return x
}

// failing makes those trials of x fail that fails chooses by their number, from 1. Trials
// are taken again as the suite does it.
func failing(x *row, err error, fails func(trial int) bool) *row {
	once, trial := x.once, 0
	x.once = app.Again(func(ctx context.Context, cfg app.Config) (app.Result, error) {
		if trial++; fails(trial) {
			return app.Result{}, err
		}
		return once(ctx, cfg)
	})
	return x
}

// measured measures a group and returns the error.
func (r *run) measured(t *testing.T, sides ...*row) error {
	t.Helper()
	return r.takeTurns(t.Context(), sides, func(bench.Progress) {})
}

// put adds a row whose trials took ns for each transfer.
func (r *run) put(g group, form app.Form, ns ...float64) {
	x := &row{key: key{g, form}, cfg: app.Defaults()}
	x.cfg.Test, x.cfg.Form, x.cfg.Width, x.cfg.Length = g.test, form, g.width, g.length
	series := bench.Series{Side: x.name()}
	for _, v := range ns {
		trial := trialOf(x.cfg, v)
		for end, cpu := range []int{g.pair.From, g.pair.To} {
			trial.Ends[end].CPU = [2]int{cpu, cpu}
		}
		x.see(trial)
		series.Runs = append(series.Runs, 1)
		for i, figure := range figures(trial) {
			if i == len(series.Metrics) {
				series.Metrics = append(series.Metrics, bench.Metric{Unit: figure.Unit})
			}
			series.Metrics[i].Samples = append(series.Metrics[i].Samples, figure.Value)
		}
	}
	r.add(x, series)
}

// written returns the text of what was measured.
func written(t *testing.T, r *run) string {
	t.Helper()
	result := r.result(false)
	return textOf(t, result)
}

func textOf(t *testing.T, result *Result) string {
	t.Helper()
	var b strings.Builder
	testrun.OK(t, result.Write(&b, "text"))
	return b.String()
}

// contains checks which parts a text has, and which it has not.
func contains(t *testing.T, name, text string, has, lacks []string) {
	t.Helper()
	testrun.Contains(t, text, has...)
	for _, part := range lacks {
		if strings.Contains(text, part) {
			t.Errorf("%s: %q in\n%s", name, part, text)
		}
	}
}

// names returns the names of the results of a pair.
func (c Config) names(p matrix.Pair) []string {
	var names []string
	for _, g := range c.groups(p) {
		for _, k := range c.keys(g, false) {
			names = append(names, k.name())
		}
	}
	return names
}

func words[T any](values ...T) string { return strings.Trim(fmt.Sprint(values), "[]") }
