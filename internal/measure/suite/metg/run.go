package metg

import (
	"context"
	"fmt"
	"slices"
	"time"

	"ocr/apps/taskbench"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/peers"
	"ocr/internal/measure/testbed"
	"ocr/internal/measure/testbed/taskgraph"
	"ocr/internal/show/report"
)

// What a sweep covers: from more than 90 % of peak to less than a tenth of it, at which the curve of METG(p) ends.
var covered = limits{start: 64, most: 1 << 26, high: 0.94, low: 0.08, perOctave: 2}

const (
	mostSteps = 1_000_000
	trialRuns = 3 // of which the best counts, so that a disturbance does not end a search
)

// run is one run of the suite: what was to be measured, and what was.
type run struct {
	cfg    Config
	bed    *testbed.Bed
	types  [][]*sweep       // the sizes of one type take turns
	peak   bench.Series     // of all types
	graph  testbed.GraphRun // of the latest run, of form EDT if that is measured
	seen   float64          // the best peak that searches saw
	totals map[taskbench.Graph]taskbench.Totals

	programs *peers.Set // of other runtimes
}

// Run measures all types. If the user interrupts, the document holds what there is; if a run fails or is wrong, it
// holds the types before. There is none if the configuration is refused.
func Run(ctx context.Context, bed *testbed.Bed, cfg Config) (*report.Document, error) {
	counts := cfg.Workers
	if len(counts) == 0 {
		counts = []int{bed.Pool.Workers}
	}
	var runs []*run
	for _, n := range counts {
		own := *bed
		if n != bed.Pool.Workers {
			pool, err := testbed.NewPool(bed.Machine, 1, n, bed.Pool.CPUs, bed.Pool.Bind)
			if err != nil {
				return nil, err
			}
			own.Pool = pool
		}
		r, err := begin(&own, cfg)
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	var all *report.Document
	for k, r := range runs {
		d, err := r.measure(ctx)
		if all != nil {
			join(d, all)
		}
		if all = d; k > 0 {
			d.Text = text(runs[:k+1])
		}
		if err != nil {
			return d, err
		}
	}
	return all, nil
}

// join puts what was measured before, on fewer workers, before what d has.
func join(d, before *report.Document) {
	d.Results = append(before.Results, d.Results...)
	for _, w := range before.Warnings {
		d.Warn(w)
	}
	was, now := before.Config.Text("workers"), d.Config.Text("workers")
	for k := range d.Config {
		if d.Config[k].Key == "workers" {
			d.Config[k].Value = was + "," + now
		}
	}
}

// begin returns what is to be measured.
func begin(bed *testbed.Bed, cfg Config) (*run, error) {
	r := &run{cfg: cfg, bed: bed, totals: map[taskbench.Graph]taskbench.Totals{}, programs: peers.NewSet(bed.Announce)}
	if err := r.cfg.resolve(bed); err != nil {
		return nil, err
	}
	for _, pattern := range cfg.Types {
		var sweeps []*sweep
		for _, form := range cfg.Forms {
			sweeps = append(sweeps, &sweep{pattern: pattern, form: form, app: r.cfg.app(pattern, bed.Verify)})
		}
		r.types = append(r.types, sweeps)
	}
	return r, nil
}

func (r *run) measure(ctx context.Context) (*report.Document, error) {
	r.bed.Warn(r.bed.Pool.Warnings...)
	defer r.programs.Close()
	err := r.bed.During(r.bed.Pool.Used(), func() error {
		for i, sweeps := range r.types {
			kept, err := r.there(ctx, sweeps)
			if r.types[i] = kept; err == nil {
				err = r.measureType(ctx, kept, r.bed.TellWithin("type", i, len(r.types)))
			}
			if err != nil && ctx.Err() == nil {
				r.types[i] = nil
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	r.bed.Note(r.programs.Notes()...)
	return r.document(err != nil), err
}

// measureType finds the sizes of each form of a type and then samples them all in turn. It
// keeps what was measured also if it ends with an error.
func (r *run) measureType(ctx context.Context, sweeps []*sweep, tell func(bench.Progress)) error {
	for _, w := range sweeps {
		tell(bench.Progress{Side: r.name(w) + ": looking for sizes", Warmup: true, Total: 1})
		if err := r.findSizes(ctx, w); err != nil {
			return err
		}
	}
	return r.sample(ctx, sweeps, tell)
}

// findSizes decides what to measure of a sweep.
func (r *run) findSizes(ctx context.Context, w *sweep) error {
	try := func(ctx context.Context, size int64) (float64, time.Duration, error) {
		app := sized(w.app, size, w.app.Graphs[0].Steps)
		totals, err := r.totalsOf(ctx, app)
		if err != nil {
			return 0, 0, err
		}
		best, err := r.bestOf(ctx, r.once(w.form, app))
		if err != nil {
			return 0, 0, fmt.Errorf("%s: %w", r.name(w, iter(size)), err)
		}
		if err := r.seePeak(ctx); err != nil {
			return 0, 0, err
		}
		return float64(totals.Flops) / best.Seconds() / r.seen, best, nil
	}
	l := covered
	l.longest = r.cfg.Longest
	rungs, err := chooseSizes(ctx, try, l)
	for _, rung := range rungs {
		app := sized(w.app, rung.size, r.stepsFor(w, rung.took))
		totals, err := r.totalsOf(ctx, app)
		if err != nil {
			return err
		}
		w.points = append(w.points, &point{name: r.name(w, iter(rung.size)), app: app, totals: totals})
	}
	return err
}

// seePeak looks at the peak once more and keeps the best, which is peak as far as a search needs it. It looks as often
// and about as long as a trial does, so that on a busy machine both have the same chance of a quiet moment.
func (r *run) seePeak(ctx context.Context) error {
	side := taskgraph.Peak(Name, r.bed.Pool, taskgraph.PeakSteps/10)
	best, err := r.bestOf(ctx, side.Once)
	if err != nil {
		return err
	}
	r.seen = max(r.seen, side.Figures(best, 1)[0].Value)
	return nil
}

// bestOf returns the quickest of a few runs.
func (r *run) bestOf(ctx context.Context, once func(context.Context) (time.Duration, error)) (time.Duration, error) {
	best := time.Duration(0)
	for i := range trialRuns {
		elapsed, err := once(ctx)
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		if err != nil {
			return 0, err
		}
		if elapsed <= 0 {
			return 0, bench.ErrTooShort
		}
		if i == 0 || elapsed < best {
			best = elapsed
		}
		if best > r.cfg.Longest {
			break
		}
	}
	return best, nil
}

// totalsOf returns the totals of a graph, computed once: forms share their sizes.
func (r *run) totalsOf(ctx context.Context, app taskbench.Config) (taskbench.Totals, error) {
	key := app.Graphs[0]
	if known, ok := r.totals[key]; ok {
		return known, nil
	}
	totals, err := app.Totals(ctx)
	if err == nil {
		r.totals[key] = totals
	}
	return totals, err
}

// sized returns a graph with as many iterations a task and timesteps.
func sized(app taskbench.Config, iterations int64, steps int) taskbench.Config {
	app.Graphs = slices.Clone(app.Graphs)
	app.Graphs[0].Kernel.Iterations, app.Graphs[0].Steps = iterations, steps
	return app
}

// stepsFor returns the steps of a point whose trial took so long: those that were asked
// for, or as many thousands as fill a sample.
func (r *run) stepsFor(w *sweep, took time.Duration) int {
	steps := w.app.Graphs[0].Steps
	if r.cfg.Steps > 0 {
		return steps
	}
	times := (r.bed.SampleTime + took - 1) / took
	return min(steps*int(max(1, times)), mostSteps)
}

func (r *run) once(form Form, app taskbench.Config) func(context.Context) (time.Duration, error) {
	switch form {
	case MPI, OMP:
		return r.ask(form, app)
	case Floor:
		return taskgraph.Floor(r.bed.Pool, app)
	}
	app.Recorded = form == Recorded
	return func(ctx context.Context) (time.Duration, error) {
		result, graph, err := taskgraph.Run(ctx, r.bed.Pool, r.bed.Options, app)
		if form == EDT || !slices.Contains(r.cfg.Forms, EDT) {
			r.graph = graph
		}
		return result.Elapsed, err
	}
}

// sample samples all sizes and the peak in turn.
func (r *run) sample(ctx context.Context, sweeps []*sweep, tell func(bench.Progress)) error {
	plan := r.bed.Plan()
	plan.Progress = tell
	sides := []bench.Side{taskgraph.Peak(Name, r.bed.Pool, taskgraph.PeakSteps)}
	var points []*point
	for _, w := range sweeps {
		for _, p := range w.points {
			points = append(points, p)
			sides = append(sides,
				bench.Side{Name: p.name, Once: r.once(w.form, p.app), Figures: taskgraph.Figures(r.bed.Pool, p.totals)})
		}
	}
	series, err := plan.Run(ctx, sides...)
	if err != nil && ctx.Err() == nil {
		return err
	}
	r.addPeak(series[0])
	for i, p := range points {
		p.series = series[i+1]
	}
	return err
}

// addPeak gathers the samples of the peak of all types.
func (r *run) addPeak(s bench.Series) {
	if len(r.peak.Runs) == 0 {
		r.peak = s
	} else if len(s.Runs) > 0 {
		r.peak.Runs = append(r.peak.Runs, s.Runs...)
		r.peak.Metrics[0].Samples = append(r.peak.Metrics[0].Samples, s.Metrics[0].Samples...)
	}
}

// name names the result of a sweep, or of a size of it.
func (r *run) name(w *sweep, settings ...string) string {
	if r.cfg.Steps > 0 {
		settings = append([]string{fmt.Sprintf("steps=%d", r.cfg.Steps)}, settings...)
	}
	return r.cfg.resultName(r.bed.Pool.Workers, w.pattern, w.form, settings...)
}

func iter(size int64) string { return fmt.Sprintf("iter=%d", size) }
