package main

import (
	"fmt"
	"strings"

	"ocr/internal/bench"
	"ocr/internal/metg"
	"ocr/internal/report"
)

// text returns what people see: METG, the curve METG(p), efficiency against
// granularity and the cost of steps.
func (r *metgRun) text() *report.Text {
	t := &report.Text{}
	if r.peakRate() == 0 {
		return t
	}
	alone, peak := bench.Summarize(r.peak.Metrics[0].Samples), r.peakRate()
	cores := r.bed.Pool.Cores()
	title := fmt.Sprintf("METG(%d %%) in us: smallest granularity at %d %% of peak, %.4g FLOP/s on %d cores, %.4g each (%d samples alone, median %.4g)",
		r.flags.threshold, r.flags.threshold, peak, cores, peak/float64(cores), alone.N, alone.Median)
	t.Sections = append(t.Sections,
		report.Section{Title: title, Table: r.metgTable()},
		report.Section{Title: "METG(p) in us, median", Table: r.percentTable()},
		report.Section{Title: "efficiency against granularity, medians", Table: r.curveTable()})
	if lines := r.probeLines(); lines != "" {
		t.Sections = append(t.Sections, report.Section{Title: "cost of an empty task against steps", Body: lines})
	}
	return t
}

func micros(ns float64) string { return report.Short(ns / 1e3) }

// spellFinding writes a finding in us: its median, or its bound.
func spellFinding(f metg.Finding) string {
	if f.Samples != nil {
		return micros(bench.Summarize(f.Samples).Median)
	}
	return f.Bound.Format(1e3, report.Short)
}

func (r *metgRun) metgTable() report.Table {
	table := report.Table{Head: []string{"type", "form", "METG", "95 % interval", "of the best", "n", "sizes", "empty task"}, Left: 2}
	for _, g := range r.groups {
		for _, w := range g.sweeps {
			if len(w.typical(1)) == 0 {
				continue
			}
			f := r.finding(w, r.flags.threshold)
			best := w.best(r.peakRate()).METG(float64(r.flags.threshold)/100, metg.Interpolation(r.flags.between))
			row := []string{w.pattern.String(), w.form, spellFinding(f), "-", best.Format(1e3, report.Short), fmt.Sprint(w.repetitions()), fmt.Sprint(len(w.points)), g.emptyTask(w.form)}
			if f.Samples != nil {
				s := bench.Summarize(f.Samples)
				row[3] = micros(s.Lo) + " .. " + micros(s.Hi)
			}
			table.Rows = append(table.Rows, row)
		}
	}
	return table
}

// emptyTask tells the granularity of empty tasks in a form.
func (g *metgGroup) emptyTask(form string) string {
	for _, probe := range g.probes {
		if costs := probe.fewer.samples("ns/task"); probe.form == form && len(costs) > 0 {
			return micros(bench.Summarize(costs).Median)
		}
	}
	return "-"
}

func (r *metgRun) percentTable() report.Table {
	table := report.Table{Head: []string{"type", "form"}, Left: 2}
	var percents []int
	for p := 10; p <= 90; p += 10 {
		percents = append(percents, p)
		table.Head = append(table.Head, fmt.Sprintf("%d %%", p))
	}
	for _, w := range r.sweeps() {
		row := []string{w.pattern.String(), w.form}
		for _, p := range percents {
			row = append(row, spellFinding(r.finding(w, p)))
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

func (r *metgRun) curveTable() report.Table {
	table := report.Table{Head: []string{"type", "form", "iterations", "steps", "tasks", "us a task", "FLOP/s", "% of peak", "n"}, Left: 2}
	for _, w := range r.sweeps() {
		for _, p := range w.points {
			if len(p.series.Runs) == 0 {
				continue
			}
			rate := bench.Summarize(p.samples("flop/s")).Median
			table.Rows = append(table.Rows, []string{
				w.pattern.String(), w.form, fmt.Sprint(p.size), fmt.Sprint(p.cfg.Graphs[0].Steps), fmt.Sprint(p.totals.Tasks),
				micros(bench.Summarize(p.samples("ns/task")).Median), fmt.Sprintf("%.4g", rate),
				fmt.Sprintf("%.1f", 100*rate/r.peakRate()), fmt.Sprint(len(p.series.Runs)),
			})
		}
	}
	return table
}

// probeLines tells, a line a type and form, how the cost of a task changes with steps.
func (r *metgRun) probeLines() string {
	var b strings.Builder
	for _, g := range r.groups {
		for _, probe := range g.probes {
			growth := probe.growth()
			if growth.Ratio.N == 0 {
				continue
			}
			verdict := "does not grow"
			if growth.Superlinear {
				verdict = "superlinear"
			}
			steps := probe.fewer.cfg.Graphs[0].Steps
			cost := func(p *metgPoint) string { return micros(bench.Summarize(p.samples("ns/task")).Median) }
			fmt.Fprintf(&b, "%s, %s: steps %d to %d: %s to %s us a task, x%s (%s .. %s): %s\n", g.pattern, probe.form,
				steps, probe.more.cfg.Graphs[0].Steps, cost(probe.fewer), cost(probe.more),
				report.Short(growth.Ratio.Median), report.Short(growth.Ratio.Lo), report.Short(growth.Ratio.Hi), verdict)
		}
	}
	return b.String()
}
