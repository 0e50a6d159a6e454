package metg

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"ocr/internal/show/plot"
	"ocr/internal/show/report"
)

// text returns what people see: METG of each type and form. The other formats have the curve METG(p) and every size.
func (r *Result) text() *report.Text {
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

func micros(ns float64) string { return report.Short(ns / 1e3) }

func (r *Result) summary() report.Table {
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
		report.Cells("sizes", func(w *sweep) string { return strconv.Itoa(len(w.points)) }),
	})
}

// Draw writes a picture of efficiency against granularity, a panel a type.
func (r *Result) Draw(out io.Writer) error {
	figure := plot.Figure{Title: fmt.Sprintf("%s, %d workers", Name, r.bed.Pool.Workers)}
	if r.Document.Partial {
		figure.Title += ", partial"
	}
	for _, pattern := range r.cfg.Types {
		panel := plot.Panel{
			Title: pattern.String(),
			X:     plot.Axis{Name: "granularity: wall time x cores / tasks", Unit: "us"},
			Y:     plot.Axis{Name: "efficiency", Unit: "% of peak", FromZero: true},
		}
		for _, w := range slices.DeleteFunc(r.sweeps(), func(w *sweep) bool { return w.pattern != pattern }) {
			peak := r.peakRate()
			form := plot.Series{Name: string(w.form)}
			for _, p := range w.measured() {
				rate, share := p.rate(), 100/peak
				form.Points = append(form.Points,
					plot.Point{X: p.cost().Median / 1e3, Y: rate.Median * share, Lo: rate.Lo * share, Hi: rate.Hi * share})
			}
			if s := w.finding(percent, peak).summary(); s.N > 0 {
				form.Mark = &plot.Mark{
					X: s.Median / 1e3, Y: percent, Lo: s.Lo / 1e3, Hi: s.Hi / 1e3,
					Text: fmt.Sprintf("METG(%d %%) %s", percent, micros(s.Median)),
				}
			}
			panel.Series = append(panel.Series, form)
		}
		figure.Panels = append(figure.Panels, panel)
	}
	return plot.Curves(out, figure)
}
