package chart

import (
	"slices"

	"ocr/internal/show/picture"
	"ocr/internal/show/report"
)

// grades reports whether the sweep is of efficiency against granularity.
func (s *sweep) grades() bool { return s.key == "iter" && s.label(report.Efficiency) != "" }

// efficiency returns a curve for each file: efficiency against granularity, as METG is defined, with METG as a mark.
func (s *sweep) efficiency(all []entry) (list []*curve) {
	var files []*File
	curves := map[*File]*curve{}
	for _, e := range s.members {
		c := curves[e.file]
		if c == nil {
			c = s.curve(e.file.in())
			curves[e.file], files = c, append(files, e.file)
		}
		m, rate := e.whole.Metrics.Summary("ns/task"), e.whole.Metrics.Summary("flop/s")
		if share := number(e.label(report.Efficiency)); m.N > 0 && share != nil {
			part := func(of float64) float64 { return 100 * *share * of / max(rate.Median, 1) }
			c.Points = append(c.Points, picture.Point{X: m.Median, Y: 100 * *share, Lo: part(rate.Lo), Hi: part(rate.Hi)})
		}
	}
	for _, e := range all {
		if !slices.Contains(files, e.file) || e.name() != s.name(s.key) {
			continue
		}
		c, m := curves[e.file], e.whole.Metrics.Summary("metg50-ns")
		if bound := e.label("metg50-ns"); bound != "" {
			c.Note = "METG(50 %) " + bound + " ns"
		}
		if m.N > 0 {
			c.Note = "METG(50 %) " + report.Short(m.Median) + " ns"
			c.Mark = &picture.Mark{X: m.Median, Y: 50, Lo: m.Lo, Hi: m.Hi}
		}
	}
	for _, f := range files {
		list = append(list, curves[f])
	}
	return list
}
