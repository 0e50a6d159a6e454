package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/suite/suitetest"
	"ocr/internal/measure/testbed"
	"ocr/internal/proof/testrun"
	"ocr/internal/show/report"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// all are the forms that fake has.
var all = []string{trial.EDT, trial.Serial, trial.Pooled}

// fake is an app whose forms take the times that they claim.
type fake struct {
	took     time.Duration
	runs     map[string]int
	threads  int // that Go has in the latest run of a form
	verified int
	wrong    func(f *fake) error

	form string // one more form, "" for none
	unit string // of the work
}

func (f *fake) Main() edt.Func {
	return func(*edt.Ctx, edt.Args) guid.GUID {
		f.runs[trial.EDT]++
		f.took = 10 * time.Millisecond
		return guid.Null
	}
}

func (f *fake) Forms() []trial.Form {
	form := func(name string, took time.Duration) trial.Form {
		return trial.Form{Name: name, Run: func(ctx context.Context, workers int) error {
			f.runs[name]++
			f.took, f.threads = took, goruntime.GOMAXPROCS(0)
			if f.threads != workers {
				return errors.New("other threads than workers")
			}
			return ctx.Err()
		}}
	}
	forms := []trial.Form{form(trial.Serial, 15*time.Millisecond), form(trial.Pooled, 8*time.Millisecond)}
	if f.form != "" {
		forms = append(forms, form(f.form, 20*time.Millisecond))
	}
	return forms
}

func (f *fake) Elapsed() time.Duration { return f.took }

func (f *fake) Work() (float64, string) { return 5e4, f.unit }

func (f *fake) Verify() error {
	f.verified++
	if f.wrong != nil {
		return f.wrong(f)
	}
	return nil
}

// newBed returns a testbed with this number of workers.
func newBed(t *testing.T, workers int) *testbed.Bed {
	return suitetest.Bed(t, workers, bench.Plan{Samples: 3, Warmup: 1, SampleTime: time.Millisecond, Seed: 1})
}

func newConfig(forms ...string) (Config, *fake) {
	app := &fake{runs: map[string]int{}, unit: "nodes"}
	return Config{
		Name: "fake", App: app, Forms: forms,
		Parameters: report.Config{{Key: "tile", Value: 7}, {Key: "text", Value: "a b/c"}, {Key: "seed", Value: uint64(9)}},
	}, app
}

func TestRun(t *testing.T) {
	bed, threads := newBed(t, 3), goruntime.GOMAXPROCS(0)
	cfg, app := newConfig(all...)
	d, err := Run(t.Context(), bed, cfg)
	testrun.OK(t, err)
	runs := map[string]int{trial.EDT: 4, trial.Serial: 4, trial.Pooled: 4}
	if diff := cmp.Diff(runs, app.runs); diff != "" || app.verified != 12 {
		t.Errorf("%d runs verified; runs (-want +got):\n%s", app.verified, diff)
	}
	rest := "/tile=7/text=a_b_c/seed=9/workers=3"
	got := map[string]map[string]float64{}
	for _, r := range d.Results {
		got[r.Name] = map[string]float64{}
		for _, m := range r.Metrics {
			testrun.Equal(t, 3, len(m.Samples), "%s: samples of %s", r.Name, m.Unit)
			got[r.Name][m.Unit] = bench.Summarize(m.Samples).Median
		}
	}
	want := map[string]map[string]float64{
		"fake/edt" + rest:             {"ms/run": 10, "Mnodes/s": 5, "ratio/pool": 1.25},
		"fake/serial" + rest:          {"ms/run": 15, "Mnodes/s": 10. / 3},
		"fake/goroutines-pool" + rest: {"ms/run": 8, "Mnodes/s": 6.25},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(1e-9, 0)); diff != "" {
		t.Errorf("figures (-want +got):\n%s", diff)
	}
	if !d.Verified || d.Baseline != "fake/serial"+rest || len(d.Machine.Placement) != 3 {
		t.Errorf("verified %v, baseline %s, placement %v", d.Verified, d.Baseline, d.Machine.Placement)
	}
	settings := "[{tile 7} {text a b/c} {seed 9} {forms edt,serial,goroutines-pool} {workers 3} "
	if got := fmt.Sprint(d.Config); !strings.HasPrefix(got, settings) || strings.Count(got, "{seed ") != 1 {
		t.Errorf("settings %v, want the app's seed alone", d.Config)
	}
	testrun.Equal(t, threads, goruntime.GOMAXPROCS(0), "GOMAXPROCS afterwards")
}

// TestWords: whatever an app calls its forms, its unit and its parameters, the results can be read back.
func TestWords(t *testing.T) {
	cfg, app := newConfig("with  a pool", trial.EDT)
	app.form, app.unit = "with  a pool", "tree\tnodes"
	cfg.Parameters = report.Config{{Key: "text", Value: "a\x01b\xff \n/c"}, {Key: "seed", Value: -1}}
	d, err := Run(t.Context(), newBed(t, 2), cfg)
	testrun.OK(t, err)
	var file bytes.Buffer
	testrun.OK(t, d.Write(&file, "json"))
	read, err := report.Parse(file.Bytes())
	testrun.OK(t, err)
	for k, form := range []string{"with_a_pool", trial.EDT} {
		r := read.Results[k]
		if want := "fake/" + form + "/text=a_b___c/seed=-1/workers=2"; r.Name != want ||
			r.Metrics.Samples("Mtree_nodes/s") == nil {
			t.Errorf("%s with %v, want %s", r.Name, r.Metrics, want)
		}
	}
	if read.Results[1].Metrics.Samples("ratio/with_a_pool") == nil {
		t.Errorf("no ratio in %v", read.Results[1].Metrics)
	}
	testrun.Same(t, "-1", read.Config.Text("seed"), "seed")
}

// TestWrongResult: a wrong result of any form ends the measurement, unless results are not verified.
func TestWrongResult(t *testing.T) {
	for _, form := range all {
		bed := newBed(t, 1)
		cfg, app := newConfig(all...)
		app.wrong = func(f *fake) error {
			if f.runs[form] == 3 {
				return trial.Wrong("fake", "sum", 1, 2)
			}
			return nil
		}
		d, err := Run(t.Context(), bed, cfg)
		want := "fake/" + form + "/tile=7/text=a_b_c/seed=9/workers=1: fake: wrong result: sum: got 1, expected 2"
		if err == nil || err.Error() != want || len(d.Results) != 0 {
			t.Errorf("error %v, want %s; results %v", err, want, d.Results)
		}
		bed.Verify = false
		cfg, app = newConfig(form)
		if d, err := Run(t.Context(), bed, cfg); err != nil || d.Verified || app.verified != 0 {
			t.Errorf("not to verify: %v, %d runs were", err, app.verified)
		}
	}
}

// A long is a fake that can be interrupted while it verifies.
type long struct {
	*fake
	interrupt func()
}

func (l long) VerifyUntil(ctx context.Context) error {
	l.interrupt()
	return context.Cause(ctx)
}

// TestInterruptedVerify: a check that may take long gets the context.
func TestInterruptedVerify(t *testing.T) {
	cfg, app := newConfig(trial.EDT)
	ctx, cancel := context.WithCancelCause(t.Context())
	cfg.App = long{app, func() { cancel(testbed.ErrInterrupted) }}
	_, err := Run(ctx, newBed(t, 1), cfg)
	testrun.Is(t, err, testbed.ErrInterrupted)
	testrun.Equal(t, 0, app.verified, "checks without the context")
}

// TestInterrupted: a form that lacks a round has no ratio, whichever form is first.
func TestInterrupted(t *testing.T) {
	ratios := map[bool]int{}
	for seed := range uint64(8) {
		cfg, app := newConfig(trial.EDT, trial.Pooled)
		ctx, cancel := context.WithCancelCause(t.Context())
		app.wrong = func(f *fake) error {
			if f.runs[trial.Pooled] == 3 {
				cancel(testbed.ErrInterrupted)
			}
			return nil
		}
		bed := newBed(t, 1)
		bed.Seed = seed
		d, err := Run(ctx, bed, cfg)
		if !errors.Is(err, testbed.ErrInterrupted) || !d.Partial {
			t.Errorf("error %v, partial %v", err, d.Partial)
		}
		graph, pool := d.Results[0].Metrics, d.Results[1].Metrics
		whole, ratio := len(graph.Samples(perRun)) == len(pool.Samples(perRun)), len(graph.Samples("ratio/pool"))
		testrun.Equal(t, map[bool]int{true: 1}[whole], ratio, "seed %d: %v and %v", seed, graph, pool)
		ratios[whole]++
	}
	testrun.Equal(t, 2, len(ratios), "rounds of the task graph: %v", ratios)
}

func TestNoSuchForm(t *testing.T) {
	cfg, _ := newConfig(trial.EDT, "mpi")
	_, err := Run(t.Context(), newBed(t, 1), cfg)
	bad := testrun.As[*trial.ConfigError](t, err)
	testrun.Equal(t, "--forms mpi: must be one that fake has", bad.Line(bad.Value), "error")
}
