package c2c

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	app "ocr/apps/c2c"
	"ocr/internal/core/topo"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/machine"
	"ocr/internal/measure/suite/suitetest"
	"ocr/internal/measure/testbed"
	"ocr/internal/proof/testrun"
	"ocr/internal/show/chart"
	"ocr/internal/show/report"
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

func single(forms ...app.Form) Config {
	return Config{Tests: []app.Test{app.Single}, Forms: forms, Widths: []int{8}}
}

// A fake makes the result of the n-th trial of a row, from 1.
type fake func(x *row, n int, r *app.Result) error

// faked lays out a run over the machine twoCores, whose trials are made up: 100 ns a transfer, and what f changes.
func faked(t *testing.T, cfg Config, samples int, f fake) *run {
	t.Helper()
	bed := suitetest.Bed(t, 2, bench.Plan{Samples: samples, Seed: 1})
	bed.Machine = twoCores()
	bed.Console.Quiet = true
	r, err := prepare(t.Context(), bed, cfg)
	testrun.OK(t, err)
	for _, x := range r.rows {
		n := 0
		x.once = app.Again(func(_ context.Context, cfg app.Config) (app.Result, error) {
			n++
			result := app.Result{Config: cfg}
			for end, cpu := range []int{x.pair.From, x.pair.To} {
				result.Ends[end] = app.End{Elapsed: 100 * time.Duration(cfg.Transfers), CPU: [2]int{cpu, cpu}}
			}
			return result, f(x, n, &result)
		})
	}
	return r
}

func plain(*row, int, *app.Result) error { return nil }

// takes sets the time of a transfer by the clock of A.
func takes(r *app.Result, ns int) { r.Ends[0].Elapsed = time.Duration(ns * r.Config.Transfers) }

func textOf(t *testing.T, f *report.Document) string {
	t.Helper()
	var b strings.Builder
	testrun.OK(t, f.Write(&b, "text"))
	return b.String()
}

// TestPairs: the pairs that are measured, and the refusals.
func TestPairs(t *testing.T) {
	const few = "c2c: --cpus : must be two processors, and the process may use 2 only: allow another (taskset), or put " +
		"both ends on it with --cpus 2,2"
	for _, c := range []struct {
		cfg     Config
		allowed []int
		want    string
	}{
		{Config{}, []int{0, 1, 2, 3}, "[0:1]"}, // cores before threads of one
		{Config{}, []int{0, 2}, "[0:2]"},
		{Config{CPUs: []int{3, 1}}, []int{0, 1, 2, 3}, "[3:1]"},
		{Config{CPUs: []int{2, 2}}, []int{2}, "[2:2]"},
		// rows of the matrix: 0 and its sibling 2, 1 and its sibling 3
		{Config{AllPairs: true}, []int{0, 1, 2, 3}, "[0:2 0:1 0:3 2:1 2:3 1:3]"},
		{Config{CPUs: []int{0, 1}}, []int{0, 2}, "c2c: --cpus 0,1: the process may not use 1: must be within 0,2"},
		{Config{}, []int{2}, few},
		{Config{AllPairs: true}, []int{2}, few},
	} {
		m := twoCores()
		m.Allowed = c.allowed
		pairs, err := c.cfg.pairs(m)
		got := fmt.Sprint(pairs)
		if err != nil {
			got = err.Error()
		}
		testrun.Same(t, c.want, got, "%+v of %v", c.cfg, c.allowed)
	}
}

// TestNames: results keep their names, on which programs and saved results depend.
func TestNames(t *testing.T) {
	cfg := Config{Tests: app.Tests(), Forms: []app.Form{app.Polled, app.EDT}, Widths: []int{1}, CPUs: []int{1, 0}}
	var got []string
	for _, x := range faked(t, cfg, 1, plain).rows {
		got = append(got, x.name(x.form))
	}
	testrun.Same(t, []string{
		"c2c/single/polled/width=1/layout=same/cpus=1,0", "c2c/single/edt/width=1/layout=same/cpus=1,0",
		"c2c/dual/polled/width=1/layout=separate/cpus=1,0", "c2c/dual/edt/width=1/layout=separate/cpus=1,0",
		"c2c/array/polled/width=1/layout=same/length=64/cpus=1,0", "c2c/array/edt/width=1/layout=same/length=64/cpus=1,0",
		"c2c/array/polled/width=1/layout=same/length=512/cpus=1,0", "c2c/array/edt/width=1/layout=same/length=512/cpus=1,0",
	}, got, "names")
	alone := Config{Tests: []app.Test{app.Array}}
	testrun.Same(t, 13, len(alone.lengths(app.Array)), "lengths of the array test alone")
	alone.Lengths = []int{3}
	testrun.Same(t, []int{3}, alone.lengths(app.Array), "lengths that are given")
}

// TestTrials: trials use places in memory in turn; three more trials find the number of transfers. The pair of
// processors changes its state amid two rounds of trials: ratios are of trials in the same round, while the medians of
// two forms are of different states.
func TestTrials(t *testing.T) {
	var used []int
	ns := map[app.Form][]int{app.EDT: {180, 180, 180, 180, 900}, app.Polled: {60, 60, 300, 300, 300}}
	r := faked(t, single(app.Polled, app.EDT), 25, func(x *row, n int, r *app.Result) error {
		if n > 3 {
			takes(r, ns[x.form][(n-4)%5])
		}
		if n > 3 && x.form == app.EDT {
			used = append(used, r.Config.Line)
		}
		return nil
	})
	f, err := r.measure(t.Context())
	testrun.OK(t, err)
	for k, line := range used {
		testrun.Same(t, k%lines, line, "trial %d used line", k)
	}
	edt := f.Results[1]
	testrun.Same(t, 25, len(edt.Metrics[0].Samples), "samples")
	testrun.Same(t, 180.0, f.Metric(edt.Name, timeUnit).Median, "ns one way")
	testrun.Same(t, 360.0, f.Metric(edt.Name, tripUnit).Median, "ns to and fro")
	testrun.Same(t, 3.0, timesPolled(f, r.rows[1]), "ratio")
	testrun.Same(t, 0.0, timesPolled(f, r.rows[0]), "ratio to itself")
	for key, want := range map[string]string{"test": "single", "form": "edt", "transfers": "20000", "placement": "0,1",
		"doubted": "0"} {
		testrun.Same(t, want, edt.Labels.Text(key), "label %s", key)
	}
	testrun.Contains(t, textOf(t, f), "form    p50 trial  p99 trial  times polled   n\n",
		"single, ns one way: polled ", "c2c: verified")
}

// TestRowsThatEnd: a row whose trials fail ends with a note, and the others go on. Wrong values, and an error of a
// graph, end the run without results.
func TestRowsThatEnd(t *testing.T) {
	cfg := app.Defaults()
	other := errors.New("no more threads")
	for _, c := range []struct {
		form  app.Form
		err   error
		after int // trials, three of which find the number of transfers
		kept  int // -1: no results
	}{
		{app.Polled, app.ErrTooSlow, 8, 5}, {app.EDT, app.ErrNoMeeting, 0, 0}, {app.Goroutines, other, 8, 5},
		{app.Goroutines, cfg.WrongElements(1), 8, -1}, {app.Polled, cfg.WrongElements(1), 8, -1}, {app.EDT, other, 8, -1},
	} {
		r := faked(t, single(app.Polled, app.Goroutines, app.EDT), 12, func(x *row, n int, _ *app.Result) error {
			if x.form == c.form && n > c.after {
				return c.err
			}
			return nil
		})
		f, err := r.measure(t.Context())
		if c.kept < 0 {
			if f != nil || !errors.Is(err, c.err) || !strings.HasPrefix(err.Error(), "c2c/single/"+string(c.form)+"/") {
				t.Errorf("%s, %v: %v, want no results, and the error of the row", c.form, c.err, err)
			}
			continue
		}
		testrun.OK(t, err)
		for _, x := range r.rows {
			want := 12
			if x.form == c.form {
				want = c.kept
			}
			testrun.Same(t, want, f.Metric(x.name(x.form), timeUnit).N, "%s ends: samples of %s", c.form, x.form)
		}
		testrun.Contains(t, textOf(t, f), "partial: not all samples were taken")
		testrun.Contains(t, strings.Join(f.Warnings, "\n"),
			fmt.Sprintf("ended after %d of 12 trials: c2c/single/%s/width=8/layout=same/cpus=0,1: %v", c.kept, c.form, c.err))
	}
	r := faked(t, single(app.Goroutines), 1, func(*row, int, *app.Result) error { return other })
	if _, err := r.measure(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "c2c: nothing was measured: ") ||
		!strings.Contains(err.Error(), "no more threads") {
		t.Errorf("error %v, want that nothing was measured, and why", err)
	}
}

// TestInterrupted: the results so far are returned, marked as partial.
func TestInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancelCause(t.Context())
	r := faked(t, single(app.Polled), 1000, func(_ *row, n int, _ *app.Result) error {
		if n == 6 {
			interrupt(testbed.ErrInterrupted)
		}
		return nil
	})
	f, err := r.measure(ctx)
	if !errors.Is(err, testbed.ErrInterrupted) || f == nil || !f.Partial || len(f.Results) != 1 {
		t.Errorf("%+v, error %v, want the trials before the interrupt", f, err)
	}
	if f, err := faked(t, single(app.Polled), 1, plain).measure(ctx); f != nil || !errors.Is(err, testbed.ErrInterrupted) {
		t.Errorf("interrupted at once: %+v, %v", f, err)
	}
}

// TestDoubts: a trial whose ends shared a processor, or that ran again, is counted, and reported once.
func TestDoubts(t *testing.T) {
	r := faked(t, single(app.Polled), 4, func(_ *row, n int, r *app.Result) error {
		if n == 5 {
			return app.ErrNoMeeting
		}
		if r.Config.Line != 1 {
			r.Ends[1].CPU = [2]int{0, 0}
		}
		return nil
	})
	f, err := r.measure(t.Context())
	testrun.OK(t, err)
	text := textOf(t, f)
	testrun.Contains(t, strings.Join(strings.Fields(text), " "), "doubted ran on n polled", " 4 0,0 0,1 4 ")
	testrun.Same(t, 1, strings.Count(text, "both ends ran on processor 0"), "reports in\n%s", text)
}

// TestAllPairs: a run of all pairs has a summary by distance and a heat map of each test. The heat map is of form
// polled, or else of the first form. Curves over lengths are of one pair.
func TestAllPairs(t *testing.T) {
	cfg := Config{AllPairs: true, Tests: []app.Test{app.Single, app.Array}, Forms: []app.Form{app.EDT, app.Polled},
		Widths: []int{8}}
	r := faked(t, cfg, 1, func(x *row, _ int, r *app.Result) error {
		takes(r, 10*x.pair.From+x.pair.To+50)
		if x.form == app.EDT {
			takes(r, 777)
		}
		return nil
	})
	f, err := r.measure(t.Context())
	testrun.OK(t, err)
	text := textOf(t, f)
	const single = "c2c single, polled layout=same width=8 (ns/oneway)"
	testrun.Contains(t, text, single, "c2c array, polled layout=same length=64 width=8 (ns/oneway)",
		"\nsmt        2 ", "\nl3         4 ")
	testrun.Same(t, 2, strings.Count(text, "-byte elements: ns one way"), "tables of pairs in\n%s", text)
	var svg strings.Builder
	testrun.OK(t, chart.Draw(&svg, f))
	testrun.Contains(t, svg.String(), ">"+single+"<", "framed: both CPUs are threads of one core",
		">c2c array: ns/oneway by length<", ">edt<")
	if !slices.Equal(f.CPUs, []int{0, 1, 2, 3}) || strings.Contains(svg.String(), "cpus=0,1") {
		t.Errorf("processors %v, curves of each pair in %s", f.CPUs, svg.String())
	}
}
