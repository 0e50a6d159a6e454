package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	taskbenchapp "ocr/apps/taskbench"
	"ocr/apps/taskbench/kernel"
	"ocr/internal/bench"
	"ocr/internal/harness"
	"ocr/internal/metg"
	"ocr/internal/report"
)

// Forms of Task Bench's graphs, by the names of their results; formEDT and
// formGoroutines are the others.
const (
	formFloor = "floor" // plain loops without a runtime
	formPeak  = "peak"  // kernels alone
)

// floorTime is about how long one run of the floor may take: it has fewer steps where
// the graphs take longer.
const floorTime = 200 * time.Millisecond

// taskbenchRun is one run of taskbench: what is to be measured, and what was.
type taskbenchRun struct {
	*commonFlags
	bed    *harness.Testbed
	out    *harness.Output
	flags  *taskbenchFlags
	cfg    taskbenchapp.Config
	totals taskbenchapp.Totals

	graph harness.GraphRun
	last  taskbenchapp.Result // of the graphs' latest run
	runs  []taskbenchapp.Result

	edt   bench.Series
	floor *bench.Series // nil where not measured
	peak  *bench.Series
	short taskbenchapp.Config // of the floor
	fewer taskbenchapp.Totals // of short

	ending string // why the results are partial
}

// measure runs the graphs and then the floor and the peak, and writes the results:
// those there are where the user interrupts or a later one fails, none where a run of
// the graphs fails or is wrong.
func (r *taskbenchRun) measure(ctx context.Context) error {
	r.console.Warn(r.bed.Pool.Warnings...)
	err := r.bed.During(r.bed.Pool.Used(), func() error { return r.measureAll(ctx, r.console.Tell) })
	r.ending = "interrupted"
	if err != nil && ctx.Err() == nil {
		if len(r.edt.Runs) == 0 {
			return err
		}
		r.ending = "failed"
	}
	return r.write(err)
}

func (r *taskbenchRun) measureAll(ctx context.Context, tell func(bench.Progress)) error {
	var err error
	if r.totals, err = r.cfg.Totals(ctx); err != nil {
		return err
	}
	plan := r.plan(tell)
	plan.Warmup, plan.Samples, plan.OneRun = r.sampling.Warmup, r.sampling.Samples, r.format == "text"
	series, err := plan.Run(ctx, r.edtSide())
	if err != nil && ctx.Err() == nil {
		return err
	}
	r.edt = series[0]
	if err == nil {
		err = r.observeGraphs(ctx)
	}
	if err != nil || r.flags.noFloor {
		return err
	}
	return r.measureFloor(ctx, tell)
}

// measureFloor measures the floor and the peak, and keeps neither where one fails.
func (r *taskbenchRun) measureFloor(ctx context.Context, tell func(bench.Progress)) error {
	var err error
	r.short = r.shortened()
	if r.fewer, err = r.short.Totals(ctx); err != nil {
		return err
	}
	plan := r.plan(tell)
	plan.Warmup, plan.Samples = 1, max(3, r.sampling.Samples)
	series, err := plan.Run(ctx, r.floorSide(), peakSide(taskbenchName, r.bed.Pool, peakSteps))
	if err == nil || ctx.Err() != nil {
		r.floor, r.peak = taken(series[0]), taken(series[1])
	}
	return err
}

// observeGraphs runs the graphs for --trace, --dot and --stats: after they are measured,
// so that the measured run stays the first and cold one.
func (r *taskbenchRun) observeGraphs(ctx context.Context) error {
	return r.bed.Observe(ctx, r.resultName(formEDT), func(ctx context.Context, o harness.RunOptions) error {
		_, err := runTaskbench(ctx, r.bed.Pool, o, r.cfg, &r.graph)
		return err
	})
}

// taken is nil where a series has no sample.
func taken(s bench.Series) *bench.Series {
	if len(s.Runs) == 0 {
		return nil
	}
	return &s
}

func (r *taskbenchRun) plan(tell func(bench.Progress)) bench.Plan {
	return bench.Plan{Shortest: r.sampling.SampleTime, Resolution: r.bed.Machine.Clock, Seed: r.sampling.Seed, Progress: tell}
}

func (r *taskbenchRun) edtSide() bench.Side {
	return bench.Side{
		Name: r.resultName(formEDT),
		Once: func(ctx context.Context) (time.Duration, error) {
			result, err := runTaskbench(ctx, r.bed.Pool, r.bed.Options, r.cfg, &r.graph)
			if err == nil && result.Elapsed <= 0 {
				err = fmt.Errorf("%w: steps of %v: more -steps are needed", bench.ErrTooShort, r.bed.Machine.Clock)
			}
			r.last = result
			return result.Elapsed, err
		},
		Figures: func(elapsed time.Duration, runs int) []bench.Value {
			r.runs = append(r.runs, r.last)
			return taskFigures(r.totals, r.bed.Pool, elapsed, runs)
		},
	}
}

// runTaskbench runs graphs once on the runtime.
func runTaskbench(ctx context.Context, p *harness.Pool, o harness.RunOptions, cfg taskbenchapp.Config, g *harness.GraphRun) (taskbenchapp.Result, error) {
	a := taskbenchapp.New(cfg)
	var err error
	if *g, err = p.Run(ctx, a.Main(), o, taskbenchName); err != nil {
		return taskbenchapp.Result{}, err
	}
	return a.Result()
}

func (r *taskbenchRun) floorSide() bench.Side {
	return bench.Side{
		Name: r.resultName(formFloor),
		Once: func(ctx context.Context) (time.Duration, error) { return r.short.Floor(ctx, r.bed.Pool.Cores()) },
		Figures: func(elapsed time.Duration, runs int) []bench.Value {
			return taskFigures(r.fewer, r.bed.Pool, elapsed, runs)
		},
	}
}

// shortened returns the graphs with as many steps as the floor has time for.
func (r *taskbenchRun) shortened() taskbenchapp.Config {
	cfg := r.cfg
	elapsed := r.last.Elapsed
	if elapsed <= floorTime {
		return cfg
	}
	cfg.Graphs = slices.Clone(cfg.Graphs)
	for i := range cfg.Graphs {
		g := &cfg.Graphs[i]
		g.Steps = max(1, int(float64(g.Steps)*float64(floorTime)/float64(elapsed)))
	}
	return cfg
}

// taskFigures turns the time of a number of runs into figures of a run: the granularity
// as ns/task, and rates of what the tasks do.
func taskFigures(t taskbenchapp.Totals, p *harness.Pool, elapsed time.Duration, runs int) []bench.Value {
	rate := float64(runs) / elapsed.Seconds()
	values := []bench.Value{
		{Unit: "ns/task", Value: metg.Granularity(elapsed, p.Cores(), t.Tasks*int64(runs))},
		{Unit: "task/s", Value: float64(t.Tasks) * rate},
	}
	if t.Flops > 0 {
		values = append(values, bench.Value{Unit: "flop/s", Value: float64(t.Flops) * rate})
	}
	if t.Bytes > 0 {
		values = append(values, bench.Value{Unit: "B/s", Value: float64(t.Bytes) * rate})
	}
	return values
}

// The peak's tasks are so long that what surrounds them does not show, and few, so
// that a run takes some ten milliseconds.
const (
	peakIterations = 1 << 14
	peakSteps      = 200
)

// peakSide measures the peak rate of floating-point operations: compute_bound alone, on
// as many cores as the workers have.
func peakSide(app string, p *harness.Pool, steps int) bench.Side {
	g := taskbenchapp.DefaultGraph()
	g.Steps, g.Width = steps, p.Cores()
	g.Kernel = kernel.Kernel{Kind: kernel.ComputeBound, Iterations: peakIterations, Samples: g.Kernel.Samples}
	cfg := taskbenchapp.Defaults()
	cfg.Graphs = []taskbenchapp.Graph{g}
	flops := int64(g.Steps*g.Width) * g.Kernel.Flops(0, 0, 0)
	return bench.Side{
		Name: fmt.Sprintf("%s/%s/workers=%d", app, formPeak, p.Workers),
		Once: func(ctx context.Context) (time.Duration, error) { return cfg.Floor(ctx, p.Cores()) },
		Figures: func(elapsed time.Duration, runs int) []bench.Value {
			return []bench.Value{{Unit: "flop/s", Value: float64(flops) * float64(runs) / elapsed.Seconds()}}
		},
	}
}

// resultName names a form's result: what is not in it is as by default.
func (r *taskbenchRun) resultName(form string) string {
	name := taskbenchName + "/" + form
	standard := graphSettings([]taskbenchapp.Graph{taskbenchapp.DefaultGraph()})
	for i, s := range graphSettings(r.cfg.Graphs) {
		if s.Key == "type" || s.Key == "steps" || s.Key == "width" || s.Value != standard[i].Value {
			name += fmt.Sprintf("/%s=%v", s.Key, s.Value)
		}
	}
	if n := len(r.cfg.Graphs); n > 1 {
		name += fmt.Sprintf("/graphs=%d", n)
	}
	d := taskbenchapp.Defaults()
	if r.cfg.Window != d.Window {
		name += fmt.Sprintf("/window=%d", r.cfg.Window)
	}
	if r.cfg.Place != d.Place {
		name += "/place=" + string(r.cfg.Place)
	}
	return fmt.Sprintf("%s/workers=%d", name, r.bed.Pool.Workers)
}

// write writes the results.
func (r *taskbenchRun) write(end error) error {
	d := r.document(end != nil)
	return r.out.WriteAs(d, func(w io.Writer) error {
		if r.format != "text" {
			return d.Write(w, r.format)
		}
		var b bytes.Buffer
		r.text(&b, d)
		_, err := w.Write(b.Bytes())
		return err
	}, end)
}

func (r *taskbenchRun) document(partial bool) *report.Document {
	d := r.bed.Document(harness.About{App: taskbenchName, Settings: r.settings(), Notes: r.notes(), Graph: &r.graph})
	d.Partial = partial
	d.Add(r.edt.Side, r.edt)
	if r.floor != nil {
		d.Add(r.floor.Side, *r.floor)
		d.Baseline = r.floor.Side
	}
	if r.peak != nil {
		d.Add(r.peak.Side, *r.peak)
	}
	return d
}

// notes are what a reader of the figures has to know.
func (r *taskbenchRun) notes() []string {
	var notes []string
	if r.format != "text" {
		notes = append(notes, fmt.Sprintf("ns/task is wall time x %d cores / tasks", r.bed.Pool.Cores()), sharingPolicy(r.cfg.Place)+r.crossing())
	}
	if r.floor != nil && r.fewer.Tasks < r.totals.Tasks {
		notes = append(notes, fmt.Sprintf("the floor is of %d tasks, with fewer steps", r.fewer.Tasks))
	}
	if r.floor != nil || r.peak != nil {
		notes = append(notes, "peak and floor are not bound to processors")
	}
	if r.flags.field != "" {
		notes = append(notes, fmt.Sprintf("-field %s is not used: a column keeps as many outputs as --window lets it", report.Plain(r.flags.field)))
	}
	if r.noVerify {
		notes = append(notes, "tasks did not check their inputs")
	}
	if kinds := r.kernels(); strings.Contains(kinds, "compute") || strings.Contains(kinds, "load") || r.peak != nil {
		notes = append(notes, "kernels: "+kernel.Implementation())
	}
	return notes
}

func (r *taskbenchRun) kernels() string {
	var kinds []string
	for _, g := range r.cfg.Graphs {
		kinds = append(kinds, g.Kernel.Kind.String())
	}
	return strings.Join(kinds, ",")
}
