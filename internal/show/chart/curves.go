package chart

import (
	"cmp"
	"slices"
	"strings"

	"ocr/internal/show/picture"
	"ocr/internal/show/report"
)

// A sweep is results whose names differ only in the number of one key: the points of a curve.
type sweep []member

// A member is a result of a sweep.
type member struct {
	entry
	key string
	x   float64 // the number of the key
}

// sweeps returns the sweeps of at least this many results.
func sweeps(all []entry, least int) (list []sweep) {
	var members []member
	for _, e := range all {
		for _, k := range e.keys {
			if x := number(e.keys.Text(k.Key)); x != nil {
				members = append(members, member{e, k.Key, *x})
			}
		}
	}
	for _, s := range report.Grouped(members, func(m member) string { return m.key + " of " + m.name(m.key) }) {
		if len(s) >= least {
			list = append(list, s)
		}
	}
	return list
}

// granularity is the key whose numbers differ along a curve of efficiencies.
const granularity = "iter"

// graded reports whether the result is a point of a curve of efficiencies. Such curves define METG.
func (e entry) graded() bool {
	return e.Labels.Text(report.Efficiency) != "" && e.keys.Text(granularity) != ""
}

// A curve is a series of a picture.
type curve struct {
	title string // of the picture
	x, y  picture.Axis
	picture.Series
	settings []string // what may distinguish the curve: label "does", and the keys with their values
	note     string   // text behind the name in the legend
}

// drawn returns the curve of a sweep. The function point returns the point of a result, nil for none.
func (s sweep) drawn(of string, x, y picture.Axis, point func(member) *picture.Point) curve {
	c := curve{title: s[0].title() + ": " + of, x: x, y: y,
		settings: append([]string{s[0].Labels.Text("does")}, s[0].settings(s[0].key)...)}
	c.Name = s[0].form()
	for _, m := range s {
		if p := point(m); p != nil {
			c.Points = append(c.Points, *p)
		}
	}
	slices.SortFunc(c.Points, func(a, b picture.Point) int { return cmp.Compare(a.X, b.X) })
	return c
}

// doubling are the keys whose numbers double from one result to the next.
var doubling = []string{"bytes", "length", "stride"}

// inUnit returns the curve of a sweep in a unit.
func (s sweep) inUnit(unit string) curve {
	x := picture.Axis{Name: s[0].key, Kind: picture.Values}
	if slices.Contains(doubling, x.Name) {
		x.Kind = picture.Sizes
	}
	return s.drawn(unit+" by "+x.Name, x, picture.Axis{Name: unit}, func(e member) *picture.Point {
		m := e.Metrics.Summary(unit)
		if m.N == 0 {
			return nil
		}
		return &picture.Point{X: e.x, Y: m.Median, Lo: m.Lo, Hi: m.Hi}
	})
}

// efficiency returns a sweep's curve of efficiency, in percent of the peak, by granularity. METG is in the result whose
// name lacks the sweep's key: the curve's mark shows METG, and the note METG or its bound.
func (s sweep) efficiency(all []entry) curve {
	x := picture.Axis{Name: "ns a task: wall time x cores / tasks"}
	y := picture.Axis{Name: "% of peak", Kind: picture.Percent}
	c := s.drawn("efficiency by granularity", x, y, func(e member) *picture.Point {
		m, rate := e.Metrics.Summary("ns/task"), e.Metrics.Summary("flop/s")
		share := number(e.Labels.Text(report.Efficiency))
		if m.N == 0 || share == nil {
			return nil
		}
		part := func(of float64) float64 { return 100 * *share * of / max(rate.Median, 1) }
		return &picture.Point{X: m.Median, Y: 100 * *share, Lo: part(rate.Lo), Hi: part(rate.Hi)}
	})
	for _, e := range all {
		if e.name("") != s[0].name(s[0].key) {
			continue
		}
		if bound := e.Labels.Text("metg50-ns"); bound != "" {
			c.note = ": METG(50 %) " + bound + " ns"
		}
		if m := e.Metrics.Summary("metg50-ns"); m.N > 0 {
			c.note = ": METG(50 %) " + report.Short(m.Median) + " ns"
			c.Mark = &picture.Point{X: m.Median, Y: 50, Lo: m.Lo, Hi: m.Hi}
		}
	}
	return c
}

// Curves returns the curves of a document, each of at least this many results. A result with an efficiency is only in a
// curve of efficiencies.
func Curves(least int, d *report.Document) (list []picture.Curves) {
	all := entries(d)
	var found []curve
	for _, s := range sweeps(all, least) {
		switch {
		case !s[0].graded():
			for _, unit := range s[0].units() {
				found = append(found, s.inUnit(unit))
			}
		case s[0].key == granularity:
			found = append(found, s.efficiency(all))
		}
	}
	found = slices.DeleteFunc(found, func(c curve) bool { return len(c.Points) == 0 })
	for _, alike := range report.Grouped(found, curve.picture) {
		distinguish(alike)
		for _, shown := range report.Grouped(alike, curve.picture) {
			p := picture.Curves{Title: shown[0].title, X: shown[0].x, Y: shown[0].y}
			for _, c := range shown {
				p.Series = append(p.Series, c.Series)
			}
			list = append(list, p)
		}
	}
	return list
}

func (c curve) picture() string { return c.title }

// distinguish adds to the name of each curve the settings by which the curves differ. If the eye cannot tell so
// many curves apart, and two or more on average have equal settings, titles get them too: a picture for each set.
func distinguish(curves []curve) {
	settings := make([][]string, len(curves))
	for i, c := range curves {
		settings[i] = c.settings
	}
	differ := differing(settings)
	distinct := len(slices.Compact(slices.Sorted(slices.Values(differ))))
	apart := len(curves) > picture.MostSeries && distinct > 1 && len(curves) >= 2*distinct
	for i := range curves {
		c := &curves[i]
		c.Name = cmp.Or(strings.TrimSpace(c.Name+" "+differ[i]), c.y.Name) + c.note
		if apart {
			c.title = strings.TrimSuffix(c.title+", "+differ[i], ", ")
		}
	}
}
