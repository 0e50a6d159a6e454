package metg

import (
	"slices"

	"ocr/apps/taskbench"
	"ocr/internal/measure/bench"
	"ocr/internal/show/report"
)

// A sweep is one type in one form.
type sweep struct {
	pattern taskbench.Pattern
	form    Form
	app     taskbench.Config // without iterations
	points  []*point         // by falling size
}

// A point is a size of a sweep and what it gave.
type point struct {
	name   string
	app    taskbench.Config
	totals taskbench.Totals
	series bench.Series // ns/task and flop/s; empty if it was not measured
}

func (p *point) rate() bench.Summary { return p.series.Metrics.Summary("flop/s") }

// labels are facts about a sweep's result for programs.
func (w *sweep) labels() report.Config {
	return report.Settings("type", w.pattern.String(), "form", string(w.form))
}

// repetitions is how many sweeps have all their sizes.
func (w *sweep) repetitions() int {
	n := 0
	for k, p := range w.points {
		if runs := len(p.series.Runs); k == 0 || runs < n {
			n = runs
		}
	}
	return n
}

// repetition returns the sweep of one repetition against a peak in flop/s.
func (w *sweep) repetition(i int, peak float64) curve {
	var c curve
	for _, p := range w.points {
		m := p.series.Metrics
		c = append(c, reading{m.Samples("ns/task")[i], m.Samples("flop/s")[i] / peak})
	}
	return c
}

// measured returns the sizes that have samples.
func (w *sweep) measured() []*point {
	return slices.DeleteFunc(slices.Clone(w.points), func(p *point) bool { return len(p.series.Runs) == 0 })
}

// best returns the best sample of every size that was measured.
func (w *sweep) best(peak float64) (c curve) {
	for _, p := range w.measured() {
		c = append(c, reading{p.series.Metrics.Summary("ns/task").Min, p.rate().Max / peak})
	}
	return c
}

func (w *sweep) finding(percent int, peak float64) finding {
	var sweeps []estimate
	for i := range w.repetitions() {
		sweeps = append(sweeps, w.repetition(i, peak).metg(float64(percent)/100))
	}
	return combine(sweeps)
}
