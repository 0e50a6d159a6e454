package metg

import (
	"fmt"
	"slices"

	"ocr/apps/taskbench"
	"ocr/apps/taskbench/kernel"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/testbed"
	"ocr/internal/measure/testbed/taskgraph"
	"ocr/internal/show/report"
)

// peakRate is the best of the peak's samples, or of a size's if that is more; 0 if there is no sample.
func (r *run) peakRate() float64 {
	own := r.ownPeak()
	if own == 0 {
		return 0
	}
	return max(own, r.bestSize())
}

// ownPeak is the best of the peak's samples, 0 if there is none.
func (r *run) ownPeak() float64 { return r.peak.Metrics.Summary("flop/s").Max }

// bestSize is the best rate of any size in any sample.
func (r *run) bestSize() float64 {
	best := 0.0
	for _, w := range slices.Concat(r.types...) {
		for _, p := range w.measured() {
			best = max(best, p.rate().Max)
		}
	}
	return best
}

// sweeps returns those that have results.
func (r *run) sweeps() []*sweep {
	if r.peakRate() == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Concat(r.types...), func(w *sweep) bool { return len(w.measured()) == 0 })
}

func (r *run) document(partial bool) *report.Document {
	d := r.bed.Document(testbed.About{
		App: Name, Settings: append(r.cfg.settings(), r.bed.Settings()...), Asides: r.notes(), Graph: &r.graph,
	})
	d.Partial = partial
	for _, w := range r.sweeps() {
		r.addFindings(d, w)
	}
	for _, w := range r.sweeps() {
		for _, p := range w.points {
			g := p.app.Graphs[0]
			d.AddLabelled(p.name, w.labels().With("iter", g.Kernel.Iterations, "steps", g.Steps, "tasks", p.totals.Tasks,
				report.Efficiency, p.rate().Median/r.peakRate()), p.series)
		}
	}
	d.Add(r.peak.Side, r.peak)
	d.Text, d.Meaning = r.text(), r.meaning()
	return d
}

// addFindings adds METG of a sweep: as metrics if there are numbers, as labels if there are bounds.
func (r *run) addFindings(d *report.Document, w *sweep) {
	name := r.name(w)
	labels := w.labels().With(fmt.Sprintf("metg%d-of-best-ns", percent), r.ofBest(w).String())
	var s bench.Series
	for _, p := range []int{percent, 10, 20, 30, 40, 60, 70, 80, 90} { // the curve METG(p), METG itself first
		f := w.finding(p, r.peakRate())
		if f.samples == nil {
			labels = labels.With(fmt.Sprintf("metg%d-ns", p), f.bound.String())
			if p == percent {
				d.Warn(fmt.Sprintf("%s: METG(%d %%) in ns is %s: %s", name, p, f.bound, f.bound.why()))
			}
			continue
		}
		s.Runs = slices.Repeat([]int{1}, len(f.samples))
		s.Metrics = append(s.Metrics, bench.Metric{Unit: fmt.Sprintf("metg%d-ns", p), Samples: f.samples})
	}
	d.AddLabelled(name, labels, s)
}

// ofBest is METG of each size's best sample.
func (r *run) ofBest(w *sweep) estimate { return w.best(r.peakRate()).metg(percent / 100.) }

// notes are what a reader of the figures has to know.
func (r *run) notes() []string {
	notes := []string{
		fmt.Sprintf("ns/task and METG are wall time x %d cores / tasks; peak is the best of all samples", r.bed.Pool.Cores()),
		"kernels: " + kernel.Implementation(),
	}
	if slices.Contains(r.cfg.Forms, Floor) {
		notes = append(notes, "peak and floor are not bound to processors")
	}
	if own, best := r.ownPeak(), r.bestSize(); own > 0 && best > own {
		notes = append(notes, fmt.Sprintf("a size reached %.1f %% of the best that compute_bound alone did, %.4g "+
			"FLOP/s: what it reached is taken for the peak", 100*best/own, own))
	}
	if !r.bed.Verify {
		notes = append(notes, taskgraph.Unverified)
	}
	if slices.Contains(r.cfg.Forms, Recorded) {
		notes = append(notes, "recorded: the graph is recorded before the time begins")
	}
	if slices.Contains(r.cfg.Forms, EDT) || slices.Contains(r.cfg.Forms, Recorded) {
		notes = append(notes, taskgraph.Sharing(taskbench.PlaceBound))
	}
	return notes
}
