package main

import (
	"context"
	"fmt"
	goruntime "runtime"
	"slices"
	"strings"
	"time"

	taskbenchapp "ocr/apps/taskbench"
	"ocr/apps/taskbench/kernel"
	"ocr/internal/bench"
	"ocr/internal/metg"
)

// What a sweep covers: from more than 90 % of peak to less than a tenth of it, which
// the curve of METG(p) ends at.
const (
	metgStart       = 64
	metgMost        = 1 << 26
	metgHigh        = 0.94
	metgLow         = 0.08
	metgMaxSteps    = 1_000_000
	trialRuns       = 3 // of which the best counts, so that a disturbance does not end a search
	probeTimesSteps = 4
)

// metgGroup is the sweeps of one type, whose sizes take turns.
type metgGroup struct {
	pattern taskbenchapp.Pattern
	sweeps  []*metgSweep
	probes  []*metgProbe
}

// metgSweep is one type in one form.
type metgSweep struct {
	pattern taskbenchapp.Pattern
	form    string
	cfg     taskbenchapp.Config // without iterations
	points  []*metgPoint        // by falling size
}

// metgPoint is a size of a sweep and what it gave.
type metgPoint struct {
	size   int64
	cfg    taskbenchapp.Config
	totals taskbenchapp.Totals
	series bench.Series // ns/task and flop/s; empty where it was not measured
}

// metgProbe is the cost of an empty task by the number of steps.
type metgProbe struct {
	form        string
	fewer, more *metgPoint
}

func (r *metgRun) newGroup(pattern taskbenchapp.Pattern, cfg taskbenchapp.Config) *metgGroup {
	g := &metgGroup{pattern: pattern}
	for _, form := range metgForms() {
		if slices.Contains(strings.Split(r.flags.forms, ","), form) {
			g.sweeps = append(g.sweeps, &metgSweep{pattern: pattern, form: form, cfg: cfg})
		}
	}
	return g
}

// measureGroup finds the sizes of each form and then samples them all in turn. It
// keeps what was measured also where it ends with an error.
func (r *metgRun) measureGroup(ctx context.Context, g *metgGroup, tell func(bench.Progress)) error {
	for _, w := range g.sweeps {
		tell(bench.Progress{Side: r.resultName(g.pattern, w.form) + ": looking for sizes", Warmup: true, Total: 1})
		if err := r.findSizes(ctx, w); err != nil {
			return err
		}
		if w.form != formFloor && !r.flags.noProbe {
			probe, err := r.newProbe(ctx, w)
			if err != nil {
				return err
			}
			g.probes = append(g.probes, probe)
		}
	}
	return r.sampleGroup(ctx, g, tell)
}

// seePeak looks at the peak once more and keeps the best, which is peak as far as a
// search needs it. It looks as often and about as long as a trial does, so that on a
// busy machine both have the same chance of a quiet moment.
func (r *metgRun) seePeak(ctx context.Context) error {
	side := peakSide(metgName, r.bed.Pool, peakSteps/10)
	best, err := r.bestOf(ctx, side.Once)
	if err != nil {
		return err
	}
	r.seen = max(r.seen, side.Figures(best, 1)[0].Value)
	return nil
}

// findSizes decides what to measure of a sweep.
func (r *metgRun) findSizes(ctx context.Context, w *metgSweep) error {
	try := func(ctx context.Context, size int64) (float64, time.Duration, error) {
		cfg := sized(w.cfg, size, w.cfg.Graphs[0].Steps)
		totals, err := r.totalsOf(ctx, cfg)
		if err != nil {
			return 0, 0, err
		}
		best, err := r.bestOf(ctx, r.once(w.form, cfg))
		if err != nil {
			return 0, 0, fmt.Errorf("%s: %w", r.pointName(w, size), err)
		}
		if err := r.seePeak(ctx); err != nil {
			return 0, 0, err
		}
		return float64(totals.Flops) / best.Seconds() / r.seen, best, nil
	}
	rungs, err := metg.Search(ctx, try, metg.Limits{
		Start: metgStart, Most: metgMost, Longest: r.flags.longest,
		High: max(metgHigh, float64(r.flags.threshold)/100), Low: min(metgLow, float64(r.flags.threshold)/200),
		PerOctave: r.flags.perOctave,
	})
	for _, rung := range rungs {
		p, err := r.newPoint(ctx, sized(w.cfg, rung.Size, r.stepsFor(w, rung.Took)))
		if err != nil {
			return err
		}
		w.points = append(w.points, p)
	}
	return err
}

func (r *metgRun) newPoint(ctx context.Context, cfg taskbenchapp.Config) (*metgPoint, error) {
	totals, err := r.totalsOf(ctx, cfg)
	return &metgPoint{size: cfg.Graphs[0].Kernel.Iterations, cfg: cfg, totals: totals}, err
}

// totalsOf returns the totals of graphs, each computed once: with load_imbalance they
// take time with the number of tasks.
func (r *metgRun) totalsOf(ctx context.Context, cfg taskbenchapp.Config) (taskbenchapp.Totals, error) {
	key := cfg.Graphs[0] // the others are equal
	if known, ok := r.totals[key]; ok {
		return known, nil
	}
	totals, err := cfg.Totals(ctx)
	if err == nil {
		if r.totals == nil {
			r.totals = map[taskbenchapp.Graph]taskbenchapp.Totals{}
		}
		r.totals[key] = totals
	}
	return totals, err
}

// bestOf returns the quickest of a few runs.
func (r *metgRun) bestOf(ctx context.Context, once func(context.Context) (time.Duration, error)) (time.Duration, error) {
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
		if best > r.flags.longest {
			break
		}
	}
	return best, nil
}

// sized returns graphs with as many iterations a task and timesteps.
func sized(cfg taskbenchapp.Config, iterations int64, steps int) taskbenchapp.Config {
	cfg.Graphs = slices.Clone(cfg.Graphs)
	for i := range cfg.Graphs {
		cfg.Graphs[i].Kernel.Iterations, cfg.Graphs[i].Steps = iterations, steps
	}
	return cfg
}

// stepsFor returns the steps of a point whose trial took so long: those that were
// asked for, or as many thousands as fill a sample.
func (r *metgRun) stepsFor(w *metgSweep, took time.Duration) int {
	steps := w.cfg.Graphs[0].Steps
	if r.flags.steps > 0 {
		return steps
	}
	times := (r.sampling.SampleTime + took - 1) / took
	return min(steps*int(max(1, times)), metgMaxSteps)
}

// newProbe asks what an empty task costs with the steps of the smallest size, and with
// a multiple of them.
func (r *metgRun) newProbe(ctx context.Context, w *metgSweep) (*metgProbe, error) {
	empty := sized(w.cfg, 0, w.points[len(w.points)-1].cfg.Graphs[0].Steps)
	for i := range empty.Graphs {
		empty.Graphs[i].Kernel.Kind = kernel.Empty
	}
	more := sized(empty, 0, probeTimesSteps*empty.Graphs[0].Steps)
	p := &metgProbe{form: w.form}
	var err error
	if p.fewer, err = r.newPoint(ctx, empty); err == nil {
		p.more, err = r.newPoint(ctx, more)
	}
	return p, err
}

// once returns what runs graphs in a form.
func (r *metgRun) once(form string, cfg taskbenchapp.Config) func(context.Context) (time.Duration, error) {
	cores := r.bed.Pool.Cores()
	switch form {
	case formFloor:
		return func(ctx context.Context) (time.Duration, error) { return cfg.Floor(ctx, cores) }
	case formGoroutines:
		return func(ctx context.Context) (time.Duration, error) {
			defer goruntime.GOMAXPROCS(goruntime.GOMAXPROCS(cores))
			return cfg.Goroutines(ctx, r.bed.Pool.Workers)
		}
	}
	return func(ctx context.Context) (time.Duration, error) {
		began := time.Now()
		result, err := runTaskbench(ctx, r.bed.Pool, r.bed.Options, cfg, &r.graph)
		if beside := time.Since(began) - result.Elapsed - result.Build; err == nil && (r.around == 0 || beside < r.around) {
			r.around = beside
		}
		return result.Elapsed, err
	}
}

// sampleGroup samples all sizes, the probes and the peak of a group in turn.
func (r *metgRun) sampleGroup(ctx context.Context, g *metgGroup, tell func(bench.Progress)) error {
	o := r.sampling
	plan := bench.Plan{
		Warmup: o.Warmup, Samples: o.Samples, Shortest: o.SampleTime,
		Resolution: r.bed.Machine.Clock, Seed: o.Seed, Progress: tell,
	}
	sides := []bench.Side{peakSide(metgName, r.bed.Pool, peakSteps)}
	var points []*metgPoint
	add := func(name, form string, p *metgPoint) {
		points = append(points, p)
		sides = append(sides, bench.Side{Name: name, Once: r.once(form, p.cfg), Figures: func(elapsed time.Duration, runs int) []bench.Value {
			return taskFigures(p.totals, r.bed.Pool, elapsed, runs)
		}})
	}
	for _, w := range g.sweeps {
		for _, p := range w.points {
			add(r.pointName(w, p.size), w.form, p)
		}
	}
	for _, probe := range g.probes {
		add(r.probeName(g, probe.form, probe.fewer), probe.form, probe.fewer)
		add(r.probeName(g, probe.form, probe.more), probe.form, probe.more)
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

func (r *metgRun) pointName(w *metgSweep, size int64) string {
	return r.resultName(w.pattern, w.form, fmt.Sprintf("iter=%d", size))
}

func (r *metgRun) probeName(g *metgGroup, form string, p *metgPoint) string {
	return r.resultName(g.pattern, form, "kernel=empty", fmt.Sprintf("steps=%d", p.cfg.Graphs[0].Steps))
}

// addPeak gathers the samples of the peak of all groups.
func (r *metgRun) addPeak(s bench.Series) {
	if len(s.Runs) == 0 {
		return
	}
	if len(r.peak.Runs) == 0 {
		r.peak = s
		return
	}
	r.peak.Runs = append(r.peak.Runs, s.Runs...)
	r.peak.Metrics[0].Samples = append(r.peak.Metrics[0].Samples, s.Metrics[0].Samples...)
}

// samples returns those of a unit.
func (p *metgPoint) samples(unit string) []float64 {
	for _, m := range p.series.Metrics {
		if m.Unit == unit {
			return m.Samples
		}
	}
	return nil
}

// repetitions is how many sweeps have all their sizes.
func (w *metgSweep) repetitions() int {
	if len(w.points) == 0 {
		return 0
	}
	n := len(w.points[0].series.Runs)
	for _, p := range w.points {
		n = min(n, len(p.series.Runs))
	}
	return n
}

// curve returns the sweep of one repetition against a peak in flop/s.
func (w *metgSweep) curve(repetition int, peak float64) metg.Curve {
	var c metg.Curve
	for _, p := range w.points {
		c = append(c, metg.Point{
			Size: p.size, Granularity: p.samples("ns/task")[repetition], Efficiency: p.samples("flop/s")[repetition] / peak,
		})
	}
	return c
}

// typical returns the medians of all sizes that were measured.
func (w *metgSweep) typical(peak float64) metg.Curve {
	return w.reduced(peak, func(s bench.Summary) float64 { return s.Median }, func(s bench.Summary) float64 { return s.Median })
}

// best returns the best sample of every size that was measured.
func (w *metgSweep) best(peak float64) metg.Curve {
	return w.reduced(peak, func(s bench.Summary) float64 { return s.Min }, func(s bench.Summary) float64 { return s.Max })
}

// reduced returns one figure of all samples of each size, of times and of rates.
func (w *metgSweep) reduced(peak float64, time, rate func(bench.Summary) float64) metg.Curve {
	var c metg.Curve
	for _, p := range w.points {
		if len(p.series.Runs) > 0 {
			c = append(c, metg.Point{
				Size: p.size, Granularity: time(bench.Summarize(p.samples("ns/task"))),
				Efficiency: rate(bench.Summarize(p.samples("flop/s"))) / peak,
			})
		}
	}
	return c
}

// finding returns METG by all repetitions for a percentage of peak.
func (w *metgSweep) finding(percent int, peak float64, between metg.Interpolation) metg.Finding {
	var sweeps []metg.Estimate
	for i := range w.repetitions() {
		sweeps = append(sweeps, w.curve(i, peak).METG(float64(percent)/100, between))
	}
	return metg.Combine(sweeps)
}
