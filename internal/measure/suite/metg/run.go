package metg

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ocr/apps/taskbench/kernel"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/peers"
	"ocr/internal/measure/testbed"
	"ocr/internal/measure/testbed/taskgraph"
	"ocr/internal/show/report"
	"ocr/runtime"
)

const (
	mostIterations = 1 << 26 // of a task
	mostSteps      = 1_000_000
	usualOverhead  = 250 // about how many ns a task takes beside its kernel
)

// run is the suite on one number of workers: what to measure, and the results.
type run struct {
	cfg   Config
	asked report.Config // the configuration as it was given
	bed   *testbed.Bed
	pool  *testbed.Pool
	types [][]*sweep   // the sizes of one type take turns
	peak  bench.Series // of all types
	rate  float64      // flop/s of the peak, roughly: bounds the sizes

	// All runs share these.
	graph    *runtime.Report // of the latest graph, of form EDT if that is measured
	programs *peers.Set      // of other runtimes
}

// Run measures all types. If the user interrupts, the document has the results so far. If a run fails or is wrong, the
// document has the types that were measured before. Run returns no document if the configuration is refused.
func Run(ctx context.Context, bed *testbed.Bed, cfg Config) (*report.Document, error) {
	if len(cfg.Workers) == 0 {
		cfg.Workers = []int{bed.Pool.Workers}
	}
	pools, most, err := bed.Pools(cfg.Workers)
	if err != nil {
		return nil, err
	}
	programs, graph := peers.NewSet(bed.Announce), new(runtime.Report)
	defer programs.Close()
	var runs []*run
	for _, pool := range pools {
		r, err := begin(bed, pool, cfg)
		if err != nil {
			return nil, err
		}
		r.programs, r.graph = programs, graph
		runs = append(runs, r)
	}
	err = bed.During(most.Used(), func() error {
		for k, r := range runs {
			if err := r.measure(ctx, k*len(cfg.Types), len(runs)*len(cfg.Types)); err != nil {
				return err
			}
		}
		return nil
	})
	bed.Aside(programs.Notes()...)
	return document(runs, err != nil), err
}

// begin returns the run of the suite on a pool.
func begin(bed *testbed.Bed, pool *testbed.Pool, cfg Config) (*run, error) {
	r := &run{cfg: cfg, asked: cfg.settings(), bed: bed, pool: pool}
	if err := r.cfg.resolve(bed, pool); err != nil {
		return nil, err
	}
	for _, pattern := range cfg.Types {
		var sweeps []*sweep
		for _, form := range cfg.Forms {
			w := &sweep{pattern: pattern, form: form, app: r.cfg.app(pattern, bed.Verify)}
			if libraries[form] != nil && w.app.Graphs[0].Inputs() == nil {
				bed.Note(fmt.Sprintf("left out: %s: its columns come and go", r.name(w)))
				continue
			}
			sweeps = append(sweeps, w)
		}
		r.types = append(r.types, sweeps)
	}
	return r, nil
}

// measure measures the types of this run. The parameters before and all are for the progress: how many types earlier
// runs have measured, and how many all runs measure.
func (r *run) measure(ctx context.Context, before, all int) error {
	peak := taskgraph.Peak(Name, r.pool)
	took, err := peak.Once(ctx)
	if err != nil {
		return err
	}
	r.rate = peak.Figures(took, 1)[0].Value
	for i, sweeps := range r.types {
		err := r.measureType(ctx, sweeps, r.bed.TellWithin("type", before+i, all))
		if err != nil && ctx.Err() == nil {
			r.types[i] = nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// measureType samples all sizes of all forms of a type, and the peak, in turn. It keeps the samples also if it is
// interrupted.
func (r *run) measureType(ctx context.Context, sweeps []*sweep, tell func(bench.Progress)) error {
	sides := []bench.Side{taskgraph.Peak(Name, r.pool)}
	var points []*point
	for _, w := range sweeps {
		r.addPoints(w)
		if of := libraries[w.form]; of != nil { // compiled now: later this would take time of a sample
			_, _ = r.programs.Program(ctx, of, r.pool.Pins()) // if it fails here, the side fails, and is left out
		}
		for _, p := range w.points {
			points = append(points, p)
			sides = append(sides,
				bench.Side{Name: p.name, Once: r.once(w.form, p), Figures: taskgraph.Figures(r.pool, p.totals)})
		}
	}
	plan := r.bed.Plan
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

// addPoints gives a sweep its sizes, the largest first, down to 0. In g.Steps steps the kernels of the largest size
// take at most cfg.Longest. If cfg.Steps is 0, the graphs have as many thousands of steps as fill a sample; but
// programs for other runtimes warm up, and keep g.Steps.
func (r *run) addPoints(w *sweep) {
	g, cores := &w.app.Graphs[0], r.pool.Cores()
	inStep := max(1, float64(g.Width)/float64(cores)) // tasks of a step on one core
	for size := int64(0); size <= mostIterations; size = larger(size) {
		k := kernel.Kernel{Kind: kernel.ComputeBound, Iterations: size}
		ns := float64(k.Flops(0, 0, 0)) / r.rate * float64(cores) * 1e9
		if size > 0 && inStep*ns*float64(g.Steps) > float64(r.cfg.Longest) {
			break
		}
		steps := g.Steps
		if r.cfg.Steps == 0 && libraries[w.form] == nil {
			fill := float64(r.bed.SampleTime) / (inStep * (ns + usualOverhead))
			steps = min(steps*max(1, int(math.Ceil(fill/float64(steps)))), mostSteps)
		}
		w.points = append(w.points, r.point(w, size, steps))
	}
	slices.Reverse(w.points)
}

// larger returns the next larger size: 0, 1, 2, 3, 4, 6, 8, 12, and so on, two in each doubling.
func larger(size int64) int64 {
	switch {
	case size < 4:
		return size + 1
	case size&(size-1) == 0:
		return size + size/2
	}
	return size / 3 * 4
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

// peakRate is the best of the peak's samples, or of a size's if that is more; 0 if the peak has no sample.
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
