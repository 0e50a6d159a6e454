package chart

import (
	"cmp"
	"slices"
	"strings"

	"ocr/internal/show/picture"
	"ocr/internal/show/report"
)

// A sweep is results whose names differ only in the number of one key: a curve.
type sweep struct {
	entry   // the first
	key     string
	members []entry
}

// sweeps returns the sweeps of at least this many results.
func sweeps(all []entry, least int) (list []*sweep) {
	found := map[string]*sweep{}
	for _, e := range all {
		for _, k := range e.keys {
			name := k.Key + " of " + e.name(k.Key)
			switch {
			case number(e.keys.Text(k.Key)) == nil:
			case found[name] == nil:
				found[name] = &sweep{e, k.Key, []entry{e}}
				list = append(list, found[name])
			default:
				found[name].members = append(found[name].members, e)
			}
		}
	}
	return slices.DeleteFunc(list, func(s *sweep) bool { return len(s.members) < least })
}

// x returns the number of a member.
func (s *sweep) x(e entry) float64 { return *number(e.keys.Text(s.key)) }

// granularity is the key by which efficiency is shown.
const granularity = "iter"

// graded reports whether the result is a point of a curve of efficiencies, which defines METG.
func (e entry) graded() bool {
	return e.Labels.Text(report.Efficiency) != "" && e.keys.Text(granularity) != ""
}

// series returns the curve of a sweep; point returns the point of a result, nil for none.
func (s *sweep) series(point func(entry) *picture.Point) picture.Series {
	curve := picture.Series{Name: s.form()}
	for _, e := range s.members {
		if p := point(e); p != nil {
			curve.Points = append(curve.Points, *p)
		}
	}
	slices.SortFunc(curve.Points, func(a, b picture.Point) int { return cmp.Compare(a.X, b.X) })
	return curve
}

// inUnit returns the curve of a sweep in a unit.
func (s *sweep) inUnit(unit string) picture.Series {
	return s.series(func(e entry) *picture.Point {
		m := e.Metrics.Summary(unit)
		if m.N == 0 {
			return nil
		}
		return &picture.Point{X: s.x(e), Y: m.Median, Lo: m.Lo, Hi: m.Hi}
	})
}

// efficiency returns the curve of a sweep: the fraction of the peak of each result over its granularity. The mark shows
// METG, and the note METG or its bound, from the result whose name lacks the sweep's key.
func (s *sweep) efficiency(all []entry) picture.Series {
	curve := s.series(func(e entry) *picture.Point {
		m, rate := e.Metrics.Summary("ns/task"), e.Metrics.Summary("flop/s")
		share := number(e.Labels.Text(report.Efficiency))
		if m.N == 0 || share == nil {
			return nil
		}
		part := func(of float64) float64 { return 100 * *share * of / max(rate.Median, 1) }
		return &picture.Point{X: m.Median, Y: 100 * *share, Lo: part(rate.Lo), Hi: part(rate.Hi)}
	})
	for _, e := range all {
		if e.name("") != s.name(s.key) {
			continue
		}
		if bound := e.Labels.Text("metg50-ns"); bound != "" {
			curve.Note = "METG(50 %) " + bound + " ns"
		}
		if m := e.Metrics.Summary("metg50-ns"); m.N > 0 {
			curve.Note = "METG(50 %) " + report.Short(m.Median) + " ns"
			curve.Mark = &picture.Mark{X: m.Median, Y: 50, Lo: m.Lo, Hi: m.Hi}
		}
	}
	return curve
}

// A panel is the curves with one title. The settings of a curve may distinguish it: the kind of another runtime, and
// the keys.
type panel struct {
	picture.Curves
	settings [][]string
}

type panels []*panel

func (l *panels) add(s *sweep, of string, x, y picture.Axis, curve picture.Series) {
	if len(curve.Points) == 0 {
		return
	}
	title := s.title() + ": " + of
	k := slices.IndexFunc(*l, func(p *panel) bool { return p.Title == title })
	if k < 0 {
		k = len(*l)
		*l = append(*l, &panel{Curves: picture.Curves{Title: title, X: x, Y: y}})
	}
	p := (*l)[k]
	p.Series = append(p.Series, curve)
	p.settings = append(p.settings, append([]string{s.Labels.Text("does")}, s.settings(s.key)...))
}

// doubling are the keys whose numbers double from one result to the next.
var doubling = []string{"bytes", "length", "stride"}

// Curves returns the curves of a document that have at least this many points. A result with an efficiency is only in a
// curve of efficiencies.
func Curves(least int, d *report.Document) (list []picture.Curves) {
	all := entries(d)
	var found panels
	for _, s := range sweeps(all, least) {
		x := picture.Axis{Name: s.key, Kind: picture.Values}
		if slices.Contains(doubling, s.key) {
			x.Kind = picture.Sizes
		}
		switch {
		case s.graded() && s.key == granularity:
			found.add(s, "efficiency by granularity",
				picture.Axis{Name: "ns a task: wall time x cores / tasks"},
				picture.Axis{Name: "% of peak", Kind: picture.Percent}, s.efficiency(all))
		case !s.graded():
			for _, unit := range s.units() {
				found.add(s, unit+" by "+s.key, x, picture.Axis{Name: unit}, s.inUnit(unit))
			}
		}
	}
	for _, p := range found {
		list = append(list, p.deal()...)
	}
	return list
}

// deal names the curves by the settings that distinguish them. It returns one picture. If the curves are too many for
// the eye, and each setting has several, it returns a picture for each setting.
func (p *panel) deal() (list []picture.Curves) {
	differ := differing(p.settings)
	distinct := len(slices.Compact(slices.Sorted(slices.Values(differ))))
	apart := len(p.Series) > picture.MostSeries && distinct > 1 && len(p.Series) >= 2*distinct
	for i, s := range p.Series {
		title := p.Title
		if apart {
			title = strings.TrimSuffix(title+", "+differ[i], ", ")
		}
		k := slices.IndexFunc(list, func(l picture.Curves) bool { return l.Title == title })
		if k < 0 {
			k = len(list)
			list = append(list, picture.Curves{Title: title, X: p.X, Y: p.Y})
		}
		s.Name = cmp.Or(strings.TrimSpace(s.Name+" "+differ[i]), p.Y.Name)
		list[k].Series = append(list[k].Series, s)
	}
	return list
}
