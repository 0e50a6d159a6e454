package metg

import (
	"context"
	"fmt"
	"time"

	"ocr/internal/measure/bench"
	"ocr/internal/measure/peers"
	"ocr/internal/measure/testbed"
	"ocr/internal/measure/testbed/taskgraph"
	"ocr/internal/show/report"
)

// covered is the range of a sweep: from more than 90 % of the peak to less than a tenth, where the curve METG(p) ends.
var covered = limits{most: 1 << 26, high: 0.94, low: 0.08, perOctave: 2}

const (
	mostSteps = 1_000_000
	trialRuns = 3 // the best counts, so that a disturbance does not end a search
)

// run is the suite on one number of workers: what to measure, and the results.
type run struct {
	cfg   Config
	bed   *testbed.Bed
	types [][]*sweep       // the sizes of one type take turns
	peak  bench.Series     // of all types
	graph testbed.GraphRun // of the latest run, of form EDT if that is measured
	seen  float64          // the best peak that searches saw

	programs *peers.Set // of other runtimes
}

// Run measures all types. If the user interrupts, the document has the results so far; if a run fails or is wrong, it
// has the types before. It is nil if the configuration is refused.
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
		if k > 0 {
			d.Text = text(runs[:k+1])
			join(d, all)
		}
		if all = d; err != nil {
			return d, err
		}
	}
	return all, nil
}

// join puts the results of before, on fewer workers, before those of d.
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
	r := &run{cfg: cfg, bed: bed, programs: peers.NewSet(bed.Announce)}
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

// measureType finds the sizes of each form of a type and then samples all of them and the peak in turn. It keeps the
// samples also if it is interrupted.
func (r *run) measureType(ctx context.Context, sweeps []*sweep, tell func(bench.Progress)) error {
	sides := []bench.Side{taskgraph.Peak(Name, r.bed.Pool, taskgraph.PeakSteps)}
	var points []*point
	for _, w := range sweeps {
		tell(bench.Progress{Side: r.name(w) + ": looking for sizes", Warmup: true, Total: 1})
		if err := r.findSizes(ctx, w); err != nil {
			return err
		}
		for _, p := range w.points {
			points = append(points, p)
			sides = append(sides,
				bench.Side{Name: p.name, Once: r.once(w.form, p), Figures: taskgraph.Figures(r.bed.Pool, p.totals)})
		}
	}
	plan := r.bed.Plan()
	plan.Progress = tell
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

// findSizes chooses the sizes of a sweep.
func (r *run) findSizes(ctx context.Context, w *sweep) error {
	steps := w.app.Graphs[0].Steps
	l := covered
	l.longest = r.cfg.Longest
	rungs, err := chooseSizes(func(size int64) (float64, time.Duration, error) {
		p, err := r.point(ctx, w, size, steps)
		if err != nil {
			return 0, 0, err
		}
		best, err := r.bestOf(ctx, r.once(w.form, p))
		if err != nil {
			return 0, 0, fmt.Errorf("%s: %w", p.name, err)
		}
		err = r.seePeak(ctx)
		return float64(p.totals.Flops) / best.Seconds() / r.seen, best, err
	}, l)
	for _, rung := range rungs {
		more := 1
		if r.cfg.Steps == 0 { // as many thousands as fill a sample
			more = int(max(1, (r.bed.SampleTime+rung.took-1)/rung.took))
		}
		p, err := r.point(ctx, w, rung.size, min(steps*more, mostSteps))
		if err != nil {
			return err
		}
		w.points = append(w.points, p)
	}
	return err
}

// seePeak measures the peak once more and keeps the best, for the search. It takes as many runs, of about the same
// time, as a trial does, so that on a busy machine both are as likely to find a quiet moment.
func (r *run) seePeak(ctx context.Context) error {
	side := taskgraph.Peak(Name, r.bed.Pool, taskgraph.PeakSteps/10)
	best, err := r.bestOf(ctx, side.Once)
	if err == nil {
		r.seen = max(r.seen, side.Figures(best, 1)[0].Value)
	}
	return err
}

// bestOf returns the quickest of a few runs.
func (r *run) bestOf(ctx context.Context, once func(context.Context) (time.Duration, error)) (time.Duration, error) {
	best := time.Duration(0)
	for i := range trialRuns {
		elapsed, err := once(ctx)
		switch {
		case ctx.Err() != nil:
			return 0, context.Cause(ctx)
		case err != nil:
			return 0, err
		case elapsed <= 0:
			return 0, bench.ErrTooShort
		case i == 0 || elapsed < best:
			best = elapsed
		}
	}
	return best, nil
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

// peakRate is the best of the peak's samples, or of a size's if that is more; 0 if there is no sample.
func (r *run) peakRate() float64 {
	best := r.peak.Metrics.Summary("flop/s").Max
	if best == 0 {
		return 0
	}
	for _, sweeps := range r.types {
		for _, w := range sweeps {
			for _, p := range w.points {
				best = max(best, p.rate().Max)
			}
		}
	}
	return best
}
