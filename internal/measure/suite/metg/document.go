package metg

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ocr/apps/taskbench"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/testbed/taskgraph"
	"ocr/internal/show/report"
)

// sweeps returns the sweeps that have results.
func (r *run) sweeps() []*sweep {
	if r.peakRate() == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Concat(r.types...), func(w *sweep) bool { return !w.measured() })
}

// document returns the document of runs, some of which may have no results.
func document(runs []*run, partial bool) *report.Document {
	last := runs[len(runs)-1]
	for _, r := range runs {
		last.bed.Aside(r.notes()...)
	}
	settings := append(last.asked, last.bed.Settings(last.cfg.Workers...)...)
	d := last.bed.Document(Name, settings, last.graph)
	d.Partial, d.Text = partial, &report.Text{}
	for _, r := range runs {
		r.addTo(d)
	}
	measured := slices.DeleteFunc(slices.Clone(runs), func(r *run) bool { return len(r.sweeps()) == 0 })
	if n := len(measured); n > 0 {
		d.Text, d.Meaning = text(measured), measured[n-1].meaning()
	}
	return d
}

func (r *run) addTo(d *report.Document) {
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
}

// addFindings adds METG(p) of a sweep for several p: numbers as metrics, bounds as labels of the same result. A bound
// of METG itself is a warning too. If all are bounds, there is no such result, only the warning and the text.
func (r *run) addFindings(d *report.Document, w *sweep) {
	name, labels := r.name(w), w.labels()
	var s bench.Series
	for _, p := range []int{percent, 10, 20, 30, 40, 60, 70, 80, 90} { // the curve METG(p), METG itself first
		f, unit := w.finding(p, r.peakRate()), fmt.Sprintf("metg%d-ns", p)
		if p == percent && f.back > 0 {
			d.Warn(fmt.Sprintf("%s, form %s: %d of %d sweeps cross %d %% several times: the smallest size counts",
				name, w.form, f.back, f.all, p))
		}
		if f.samples != nil {
			s.Runs = slices.Repeat([]int{1}, len(f.samples))
			s.Metrics = append(s.Metrics, bench.Metric{Unit: unit, Samples: f.samples})
			continue
		}
		if labels = labels.With(unit, f.String()); p == percent {
			larger := ""
			if math.IsInf(f.high, 1) {
				larger = ", see --max-run"
			}
			d.Warn(fmt.Sprintf("%s: METG(%d %%) in ns is %s: %d of %d sweeps cross it%s", name, p, f, f.crossed, f.all, larger))
		}
	}
	d.AddLabelled(name, labels, s)
}

// notes returns notes that a reader of the figures needs.
func (r *run) notes() []string {
	var place taskbench.Placement
	if slices.Contains(r.cfg.Forms, EDT) || slices.Contains(r.cfg.Forms, Recorded) {
		place = taskbench.PlaceBound
	}
	notes := append(taskgraph.Notes(place, r.bed.Verify),
		"ns/task and METG are wall time x cores / tasks; peak is the best of all samples")
	if own, best := r.peak.Metrics.Summary("flop/s").Max, r.peakRate(); best > own {
		notes = append(notes, fmt.Sprintf("a size reached %.1f %% of the best that compute_bound alone did, %.4g "+
			"FLOP/s: what it reached is taken for the peak", 100*best/own, own))
	}
	if slices.Contains(r.cfg.Forms, Recorded) {
		notes = append(notes, "recorded: the graph is recorded before the time begins")
	}
	return notes
}

// text returns the text for people: a line for each type and form that any run has measured, with METG on each number
// of workers. The other formats have the curve METG(p) and every size.
func text(runs []*run) *report.Text {
	var rows []*sweep
	columns := []report.Column[*sweep]{
		report.Words("type", func(w *sweep) string { return w.pattern.String() }),
		report.Words("form", func(w *sweep) string { return string(w.form) }),
	}
	peaks := ""
	for _, r := range runs {
		for _, w := range r.sweeps() {
			if !slices.ContainsFunc(rows, w.like) {
				rows = append(rows, w)
			}
		}
		head, alone, cores := "METG", r.peak.Metrics.Summary("flop/s"), r.pool.Cores()
		if len(runs) > 1 {
			head = fmt.Sprintf("METG on %d", r.pool.Workers)
		}
		columns = append(columns,
			report.Cells(head, func(w *sweep) string { return r.findingLike(w).micros() }),
			report.Cells("95 % interval", func(w *sweep) string {
				if s := r.findingLike(w).summary(); s.N > 0 {
					return micros(s.Lo) + " .. " + micros(s.Hi)
				}
				return ""
			}),
			report.Cells("n", func(w *sweep) string { return strconv.Itoa(r.findingLike(w).all) }))
		peaks += fmt.Sprintf("\npeak: %.4g FLOP/s on %s, %.4g each (%d samples alone, median %.4g)",
			r.peakRate(), report.Count(cores, "core"), r.peakRate()/float64(cores), alone.N, alone.Median)
	}
	return &report.Text{Sections: []report.Section{{
		Title: fmt.Sprintf("METG(%d %%) in us: smallest granularity at %d %% of peak", percent, percent),
		Table: report.Tabulate(rows, columns), Body: peaks + "\n",
	}}}
}

// findingLike returns METG of this run's sweep with the type and form of w, which may be another run's.
func (r *run) findingLike(w *sweep) finding {
	sweeps := slices.Concat(r.types...)
	k := slices.IndexFunc(sweeps, w.like)
	if k < 0 {
		return combine(nil)
	}
	return sweeps[k].finding(percent, r.peakRate())
}

func micros(ns float64) string { return report.Short(ns / 1e3) }

// meaning says how long tasks of the first type must take, form by form.
func (r *run) meaning() string {
	var forms []string
	sweeps := r.sweeps()
	for _, w := range sweeps {
		if f := w.finding(percent, r.peakRate()); w.pattern == sweeps[0].pattern && f.known() {
			forms = append(forms, fmt.Sprintf("%s us in form %s", f.micros(), w.form))
		}
	}
	if len(forms) == 0 {
		return ""
	}
	return fmt.Sprintf("So long must a task of %v take for %s to be half busy: %s.", sweeps[0].pattern,
		report.Count(r.pool.Cores(), "core"), strings.Join(forms, ", "))
}
