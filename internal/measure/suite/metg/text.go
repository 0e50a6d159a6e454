package metg

import (
	"fmt"
	"strconv"
	"strings"

	"ocr/internal/show/report"
)

// text returns what people see: METG of each type and form. The other formats have the curve METG(p) and every size.
func (r *run) text() *report.Text {
	peak := r.peakRate()
	if peak == 0 {
		return &report.Text{}
	}
	alone, cores := r.peak.Metrics.Summary("flop/s"), r.bed.Pool.Cores()
	return &report.Text{Sections: []report.Section{{
		Title: fmt.Sprintf("METG(%d %%) in us: smallest granularity at %d %% of peak", percent, percent),
		Table: r.summary(),
		Body: fmt.Sprintf("\npeak: %.4g FLOP/s on %d cores, %.4g each (%d samples alone, median %.4g)\n",
			peak, cores, peak/float64(cores), alone.N, alone.Median),
	}}}
}

// meaning says how long tasks of the first type have to be, form by form.
func (r *run) meaning() string {
	var forms, without []string
	sweeps := r.sweeps()
	for _, w := range sweeps {
		if w.pattern != sweeps[0].pattern {
			continue
		}
		if f := w.finding(percent, r.peakRate()); f.known() {
			forms = append(forms, fmt.Sprintf("%s us in form %s", bounds.Replace(f.micros()), w.form))
		} else {
			without = append(without, string(w.form))
		}
	}
	if len(forms) == 0 {
		return ""
	}
	if len(without) > 0 {
		forms = append(forms, "not known of form "+strings.Join(without, " and "))
	}
	return fmt.Sprintf("So long must a task of %v take for %s to be half busy: %s.", sweeps[0].pattern,
		report.Count(r.bed.Pool.Cores(), "core"), strings.Join(forms, ", "))
}

// bounds puts words for the signs of a bound.
var bounds = strings.NewReplacer("< ", "less than ", "> ", "more than ")

// text is what people see of runs on several numbers of workers: a line for each type and form, with METG on each.
func text(runs []*run) *report.Text {
	columns := []report.Column[*sweep]{
		report.Words("type", func(w *sweep) string { return w.pattern.String() }),
		report.Words("form", func(w *sweep) string { return string(w.form) }),
	}
	for _, r := range runs {
		columns = append(columns, report.Cells(fmt.Sprint(r.bed.Pool.Workers), func(w *sweep) string {
			for _, own := range r.sweeps() {
				if own.pattern == w.pattern && own.form == w.form {
					return own.finding(percent, r.peakRate()).micros()
				}
			}
			return ""
		}))
	}
	return &report.Text{Sections: []report.Section{{
		Title: fmt.Sprintf("METG(%d %%) in us, by the number of workers", percent),
		Table: report.Tabulate(runs[len(runs)-1].sweeps(), columns),
	}}}
}

func micros(ns float64) string { return report.Short(ns / 1e3) }

func (r *run) summary() report.Table {
	metg := func(w *sweep) finding { return w.finding(percent, r.peakRate()) }
	return report.Tabulate(r.sweeps(), []report.Column[*sweep]{
		report.Words("type", func(w *sweep) string { return w.pattern.String() }),
		report.Words("form", func(w *sweep) string { return string(w.form) }),
		report.Cells("METG", func(w *sweep) string { return metg(w).micros() }),
		report.Cells("95 % interval", func(w *sweep) string {
			s := metg(w).summary()
			if s.N == 0 {
				return ""
			}
			return micros(s.Lo) + " .. " + micros(s.Hi)
		}),
		report.Cells("of the best", func(w *sweep) string { return r.ofBest(w).format(micros) }),
		report.Cells("n", func(w *sweep) string { return strconv.Itoa(w.repetitions()) }),
		report.Cells("sizes", func(w *sweep) string { return strconv.Itoa(len(w.points)) }).Detail(),
	})
}
