package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	taskbenchapp "ocr/apps/taskbench"
	"ocr/apps/taskbench/kernel"
	"ocr/internal/bench"
	"ocr/internal/harness"
	"ocr/internal/metg"
	"ocr/internal/plot"
	"ocr/internal/report"
)

// metgRun is one run of metg: what is to be measured, and what was.
type metgRun struct {
	*commonFlags
	flags   *metgFlags
	bed     *harness.Testbed
	out     *harness.Output
	svgFile *harness.Sink // nil where not asked for

	groups []*metgGroup
	peak   bench.Series     // of all groups
	graph  harness.GraphRun // of the latest run
	seen   float64          // the best peak that searches saw
	totals map[taskbenchapp.Graph]taskbenchapp.Totals
	around time.Duration // least time that a run on the pool took beside its tasks; 0 before the first
}

// measure measures all types and writes the results: those there are where the user
// interrupts, and of the types before where a run fails or its result is wrong.
func (r *metgRun) measure(ctx context.Context) error {
	r.console.Warn(r.bed.Pool.Warnings...)
	err := r.bed.During(r.bed.Pool.Used(), func() error { return r.measureGroups(ctx, r.console.Tell) })
	if err != nil && ctx.Err() == nil && len(r.peak.Runs) == 0 {
		return err
	}
	return r.write(err)
}

func (r *metgRun) measureGroups(ctx context.Context, tell func(bench.Progress)) error {
	for i, g := range r.groups {
		at := fmt.Sprintf("type %d of %d, ", i+1, len(r.groups))
		err := r.measureGroup(ctx, g, func(p bench.Progress) {
			p.Side = at + p.Side
			tell(p)
		})
		if err != nil {
			if ctx.Err() == nil {
				g.sweeps, g.probes = nil, nil
			}
			return err
		}
	}
	return nil
}

// peakRate is the best of the peak's samples, or of a size's where that is more; 0 where
// there is no sample.
func (r *metgRun) peakRate() float64 {
	own := r.ownPeak()
	if own == 0 {
		return 0
	}
	return max(own, r.bestSize())
}

// ownPeak is the best of the peak's samples, 0 where there is none.
func (r *metgRun) ownPeak() float64 {
	if len(r.peak.Runs) == 0 {
		return 0
	}
	return slices.Max(r.peak.Metrics[0].Samples)
}

// bestSize is the best rate of any size in any sample.
func (r *metgRun) bestSize() float64 {
	best := 0.0
	for _, g := range r.groups {
		for _, w := range g.sweeps {
			for _, p := range w.points {
				for _, rate := range p.samples("flop/s") {
					best = max(best, rate)
				}
			}
		}
	}
	return best
}

// sweeps returns those that have results.
func (r *metgRun) sweeps() []*metgSweep {
	var list []*metgSweep
	for _, g := range r.groups {
		for _, w := range g.sweeps {
			if r.peakRate() > 0 && len(w.typical(1)) > 0 {
				list = append(list, w)
			}
		}
	}
	return list
}

// write writes the results and the picture beside them.
func (r *metgRun) write(end error) error {
	return r.out.Write(r.document(end != nil), end, harness.File{Sink: r.svgFile, Write: func(w io.Writer) error { return r.draw(w, end != nil) }})
}

func (r *metgRun) document(partial bool) *report.Document {
	d := r.bed.Document(harness.About{App: metgName, Settings: r.settings(), Notes: r.notes(), Graph: &r.graph})
	d.Partial = partial
	for _, w := range r.sweeps() {
		r.addFindings(d, w)
	}
	for _, w := range r.sweeps() {
		r.addPoints(d, w)
	}
	for _, g := range r.groups {
		for _, probe := range g.probes {
			r.addProbe(d, g, probe)
		}
	}
	if r.peakRate() > 0 {
		d.Add(r.peak.Side, r.peak)
	}
	d.Text = r.text()
	return d
}

// metgPercents are those of the curve METG(p), and of METG itself first.
func (r *metgRun) metgPercents() []int {
	list := []int{r.flags.threshold}
	for p := 10; p <= 90; p += 10 {
		if p != r.flags.threshold {
			list = append(list, p)
		}
	}
	return list
}

// addFindings adds METG of a sweep: as metrics where there are numbers, as labels
// where there are bounds.
func (r *metgRun) addFindings(d *report.Document, w *metgSweep) {
	name := r.resultName(w.pattern, w.form)
	best := w.best(r.peakRate()).METG(float64(r.flags.threshold)/100, metg.Interpolation(r.flags.between))
	labels := append(r.labels(w), report.Setting{Key: fmt.Sprintf("metg%d-of-best-ns", r.flags.threshold), Value: best.String()})
	var s bench.Series
	for _, percent := range r.metgPercents() {
		f := r.finding(w, percent)
		if f.Samples == nil {
			bound := f.Bound.String()
			labels = append(labels, report.Setting{Key: fmt.Sprintf("metg%d-ns", percent), Value: bound})
			if percent == r.flags.threshold {
				d.Warn(fmt.Sprintf("%s: METG(%d %%) in ns is %s: %s", name, percent, bound, whyBound(f.Bound)))
			}
			continue
		}
		s.Runs = slices.Repeat([]int{1}, len(f.Samples))
		s.Metrics = append(s.Metrics, bench.Metric{Unit: fmt.Sprintf("ns/metg%d", percent), Samples: f.Samples})
	}
	d.AddLabelled(name, labels, s)
}

func (r *metgRun) finding(w *metgSweep, percent int) metg.Finding {
	return w.finding(percent, r.peakRate(), metg.Interpolation(r.flags.between))
}

func whyBound(e metg.Estimate) string {
	switch e.Relation {
	case metg.Below:
		return "in some sweeps every size reaches it"
	case metg.Above:
		return "in some sweeps no size reaches it, see --max-run"
	}
	return "no sweep is whole, or sweeps contradict each other"
}

func (r *metgRun) labels(w *metgSweep) report.Config {
	return report.Config{{Key: "type", Value: w.pattern.String()}, {Key: "form", Value: w.form}}
}

func (r *metgRun) addPoints(d *report.Document, w *metgSweep) {
	for _, p := range w.points {
		if len(p.series.Runs) == 0 {
			continue
		}
		labels := append(r.labels(w),
			report.Setting{Key: "iter", Value: p.size}, report.Setting{Key: "steps", Value: p.cfg.Graphs[0].Steps},
			report.Setting{Key: "tasks", Value: p.totals.Tasks},
			report.Setting{Key: "efficiency", Value: bench.Summarize(p.samples("flop/s")).Median / r.peakRate()})
		d.AddLabelled(p.series.Side, labels, p.series)
	}
}

func (r *metgRun) addProbe(d *report.Document, g *metgGroup, probe *metgProbe) {
	for _, p := range []*metgPoint{probe.fewer, probe.more} {
		if len(p.series.Runs) == 0 {
			continue
		}
		labels := report.Config{
			{Key: "type", Value: g.pattern.String()}, {Key: "form", Value: probe.form},
			{Key: "steps", Value: p.cfg.Graphs[0].Steps}, {Key: "tasks", Value: p.totals.Tasks},
		}
		d.AddLabelled(p.series.Side, labels, p.series)
	}
	if growth := probe.growth(); growth.Superlinear {
		d.Warn(fmt.Sprintf("%s, %s: superlinear: with %d times the steps a task costs x%s",
			g.pattern, probe.form, probeTimesSteps, report.Short(growth.Ratio.Median)))
	}
}

func (p *metgProbe) growth() metg.Growth {
	return metg.Compare(p.fewer.samples("ns/task"), p.more.samples("ns/task"))
}

// notes are what a reader of the figures has to know.
func (r *metgRun) notes() []string {
	p := r.bed.Pool
	notes := []string{
		fmt.Sprintf("ns/task and METG are wall time x %d cores / tasks; peak is the best of all samples", p.Cores()),
		"kernels: " + kernel.Implementation(),
	}
	if strings.Contains(r.flags.forms, formFloor) || strings.Contains(r.flags.forms, formGoroutines) {
		notes = append(notes, "peak, floor and goroutines are not bound to processors")
	}
	if own, best := r.ownPeak(), r.bestSize(); own > 0 && best > own {
		notes = append(notes, fmt.Sprintf("a size reached %.1f %% of the best that compute_bound alone did, %.4g FLOP/s: what it reached is taken for the peak", 100*best/own, own))
	}
	if r.noVerify {
		notes = append(notes, "tasks did not check their inputs")
	}
	if policy := r.policy(); policy != "" {
		notes = append(notes, policy)
	}
	for _, w := range r.sweeps() {
		notes = append(notes, r.sweepNotes(w)...)
	}
	return notes
}

// policy says how the form edt is placed, and where that is fixed how many edges of each
// type leave a worker.
func (r *metgRun) policy() string {
	place := taskbenchapp.Placement(r.flags.place)
	var crossing []string
	for _, w := range r.sweeps() {
		if known, ok := r.totals[w.points[0].cfg.Graphs[0]]; ok && w.form == formEDT {
			crossing = append(crossing, fmt.Sprintf("%d of %d in %v", w.points[0].cfg.Crossing(r.bed.Pool.Cores()), known.Dependencies, w.pattern))
		}
	}
	switch {
	case len(crossing) == 0:
		return ""
	case place != taskbenchapp.PlaceBound:
		return sharingPolicy(place)
	}
	return sharingPolicy(place) + "; edges that cross workers: " + strings.Join(crossing, ", ")
}

// sweepNotes are what a reader of one sweep has to know.
func (r *metgRun) sweepNotes(w *metgSweep) []string {
	var notes []string
	name, share := r.resultName(w.pattern, w.form), float64(r.flags.threshold)/100
	many, all := 0, w.repetitions()
	for i := range all {
		if w.curve(i, r.peakRate()).Crossings(share) > 1 {
			many++
		}
	}
	if many > 0 {
		notes = append(notes, fmt.Sprintf("%s: in %d of %d repetitions the curve crosses %d %% more than once: METG is the smallest", name, many, all, r.flags.threshold))
	}
	if n := w.typical(r.peakRate()).Crossings(share); n > 1 {
		notes = append(notes, fmt.Sprintf("%s: the curve of the medians crosses %d %% %d times", name, r.flags.threshold, n))
	}
	if took := w.shortest(r.bed.Pool.Cores()); w.form == formEDT && took*farBelow < r.around {
		notes = append(notes, fmt.Sprintf("%s: the tasks of a run take %v at least, and the pool %v to start and stop: METG is of cold tasks, more --steps or --width are needed",
			name, took.Round(10*time.Nanosecond), r.around.Round(time.Microsecond)))
	}
	return notes
}

// farBelow is how many times shorter than what surrounds it a run is to be told.
const farBelow = 10

// shortest returns the median time of the tasks of a run, of the size where it is least.
func (w *metgSweep) shortest(cores int) time.Duration {
	least := time.Duration(math.MaxInt64 / farBelow)
	for _, p := range w.points {
		if len(p.series.Runs) > 0 {
			ns := bench.Summarize(p.samples("ns/task")).Median * float64(p.totals.Tasks) / float64(cores)
			least = min(least, time.Duration(ns))
		}
	}
	return least
}

// draw writes a picture of efficiency against granularity, a panel a type.
func (r *metgRun) draw(w io.Writer, partial bool) error {
	title := fmt.Sprintf("%s, %d workers", metgName, r.bed.Pool.Workers)
	if partial {
		title += ", partial"
	}
	figure := plot.Figure{Title: title}
	for _, g := range r.groups {
		panel := plot.Panel{
			Title: g.pattern.String(),
			X:     plot.Axis{Name: "granularity: wall time x cores / tasks", Unit: "us"},
			Y:     plot.Axis{Name: "efficiency", Unit: "% of peak", FromZero: true},
		}
		for _, sweep := range g.sweeps {
			if slices.Contains(r.sweeps(), sweep) {
				panel.Series = append(panel.Series, plot.Series{Name: sweep.form, Points: curvePoints(sweep.typical(r.peakRate()))})
			}
		}
		figure.Panels = append(figure.Panels, withThreshold(panel, r.flags.threshold))
	}
	return plot.Curves(w, figure)
}

func curvePoints(c metg.Curve) []plot.Point {
	var points []plot.Point
	for _, p := range c {
		points = append(points, plot.Point{X: p.Granularity / 1e3, Y: 100 * p.Efficiency})
	}
	return points
}

// withThreshold adds a line at a percentage, as long as the curves.
func withThreshold(panel plot.Panel, percent int) plot.Panel {
	var xs []float64
	for _, s := range panel.Series {
		for _, p := range s.Points {
			xs = append(xs, p.X)
		}
	}
	if len(xs) == 0 {
		return panel
	}
	y := float64(percent)
	panel.Series = append(panel.Series, plot.Series{
		Name: fmt.Sprintf("%d %%", percent), Points: []plot.Point{{X: slices.Min(xs), Y: y}, {X: slices.Max(xs), Y: y}},
	})
	return panel
}
