package chart

import (
	"cmp"
	"slices"
	"strings"

	"ocr/internal/show/picture"
	"ocr/internal/show/report"
)

// A sweep is results whose names differ only in the number of one key.
type sweep struct {
	entry   // the first
	key     string
	members []entry
}

// sweeps returns the sweeps with at least this many numbers.
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
	return slices.DeleteFunc(list, func(s *sweep) bool { return s.distinct() < least })
}

// x returns the number of a member.
func (s *sweep) x(e entry) float64 { return *number(e.keys.Text(s.key)) }

func (s *sweep) distinct() int {
	numbers := map[float64]bool{}
	for _, e := range s.members {
		numbers[s.x(e)] = true
	}
	return len(numbers)
}

// graded reports whether the sweep shows efficiency over granularity, by which METG is defined.
func (s *sweep) graded() bool { return s.key == "iter" && s.Labels.Text(report.Efficiency) != "" }

// A curve is the curve of a form, in one setting.
type curve struct {
	picture.Series
	file     string   // letter of its file, if each file has its own curves
	settings []string // what may distinguish it: the kind of another runtime, the keys, the file
}

// curves returns the curves of a sweep; point returns the point of a result. The results of several files make one
// curve, such as a scaling over files, unless two files have the same result: then each file has its own.
func (s *sweep) curves(point func(entry) *picture.Point) (list []*curve) {
	apart := s.graded() || s.distinct() < len(s.members)
	for _, e := range s.members {
		p, file := point(e), ""
		if p == nil {
			continue
		}
		if apart {
			file = e.file.in()
		}
		k := slices.IndexFunc(list, func(c *curve) bool { return c.file == file })
		if k < 0 {
			k = len(list)
			settings := slices.Concat([]string{s.Labels.Text("does")}, s.settings(s.key), []string{file})
			list = append(list, &curve{picture.Series{Name: s.form()}, file, settings})
		}
		list[k].Points = append(list[k].Points, *p)
	}
	for _, c := range list {
		slices.SortFunc(c.Points, func(a, b picture.Point) int { return cmp.Compare(a.X, b.X) })
	}
	return list
}

// ofUnit returns the function that returns a result's point in a unit.
func (s *sweep) ofUnit(unit string) func(entry) *picture.Point {
	return func(e entry) *picture.Point {
		m := e.Metrics.Summary(unit)
		if m.N == 0 {
			return nil
		}
		return &picture.Point{X: s.x(e), Y: m.Median, Lo: m.Lo, Hi: m.Hi}
	}
}

// efficiency returns the point of a result: its fraction of the peak over its granularity.
func efficiency(e entry) *picture.Point {
	m, rate, share := e.Metrics.Summary("ns/task"), e.Metrics.Summary("flop/s"), number(e.Labels.Text(report.Efficiency))
	if m.N == 0 || share == nil {
		return nil
	}
	part := func(of float64) float64 { return 100 * *share * of / max(rate.Median, 1) }
	return &picture.Point{X: m.Median, Y: 100 * *share, Lo: part(rate.Lo), Hi: part(rate.Hi)}
}

// mark marks METG on the curves of a sweep. In each file METG, or a bound of it, is in the result without the key.
func (s *sweep) mark(curves []*curve, all []entry) {
	for _, e := range all {
		k := slices.IndexFunc(curves, func(c *curve) bool { return c.file == e.file.in() })
		if k < 0 || e.name("") != s.name(s.key) {
			continue
		}
		if bound := e.Labels.Text("metg50-ns"); bound != "" {
			curves[k].Note = "METG(50 %) " + bound + " ns"
		}
		if m := e.Metrics.Summary("metg50-ns"); m.N > 0 {
			curves[k].Note = "METG(50 %) " + report.Short(m.Median) + " ns"
			curves[k].Mark = &picture.Mark{X: m.Median, Y: 50, Lo: m.Lo, Hi: m.Hi}
		}
	}
}

// A panel is the curves with one title.
type panel struct {
	picture.Curves
	curves []*curve
}

// doubling are keys whose numbers double.
var doubling = []string{"bytes", "length", "stride"}

// Curves returns the curves of all files that have at least this many points. A sweep with efficiencies is shown only
// by its efficiencies.
func Curves(least int, files ...*File) (list []picture.Curves) {
	all := entries(files)
	found := sweeps(all, least)
	var panels []*panel
	add := func(s *sweep, title string, x, y picture.Axis, point func(entry) *picture.Point) {
		title = s.title() + ": " + title
		k := slices.IndexFunc(panels, func(p *panel) bool { return p.Title == title })
		if k < 0 {
			k = len(panels)
			panels = append(panels, &panel{Curves: picture.Curves{Title: title, X: x, Y: y}})
		}
		curves := s.curves(point)
		if s.graded() {
			s.mark(curves, all)
		}
		panels[k].curves = append(panels[k].curves, curves...)
	}
	graded := map[*report.Result]bool{}
	for _, s := range found {
		if s.graded() {
			add(s, "efficiency by granularity",
				picture.Axis{Name: "ns a task: wall time x cores / tasks", Kind: picture.Decades},
				picture.Axis{Name: "% of peak", Kind: picture.Percent}, efficiency)
			for _, e := range s.members {
				graded[e.Result] = true
			}
		}
	}
	for _, s := range found {
		x := picture.Axis{Name: s.key, Kind: picture.Values}
		if slices.Contains(doubling, s.key) {
			x.Kind = picture.Sizes
		}
		for _, unit := range s.units() {
			if !graded[s.Result] {
				add(s, unit+" by "+s.key, x, picture.Axis{Name: unit}, s.ofUnit(unit))
			}
		}
	}
	for _, p := range panels {
		list = append(list, p.deal()...)
	}
	return list
}

// deal returns the curves, named by what distinguishes them: as one picture, or, if there are too many for the eye, as
// one for each setting, or for each form: by the first of these that leaves several curves in a picture.
func (p *panel) deal() (list []picture.Curves) {
	common := map[string]int{}
	for _, c := range p.curves {
		for _, setting := range c.settings {
			common[setting]++
		}
	}
	differs := func(c *curve) string {
		return strings.Join(slices.DeleteFunc(slices.Clone(c.settings),
			func(s string) bool { return s == "" || common[s] == len(p.curves) }), " ")
	}
	form := func(c *curve) string { return c.Name }
	part := func(*curve) string { return "" }
	for _, way := range []func(*curve) string{differs, form} {
		values := map[string]bool{}
		for _, c := range p.curves {
			values[way(c)] = true
		}
		if len(p.curves) > picture.MostSeries && len(values) > 1 && len(p.curves) >= 2*len(values) {
			part = way
			break
		}
	}
	for _, c := range p.curves {
		title := strings.TrimSuffix(p.Title+", "+part(c), ", ")
		k := slices.IndexFunc(list, func(l picture.Curves) bool { return l.Title == title })
		if k < 0 {
			k = len(list)
			list = append(list, picture.Curves{Title: title, X: p.X, Y: p.Y})
		}
		c.Series.Name = cmp.Or(strings.TrimSpace(c.Name+" "+differs(c)), p.Y.Name)
		list[k].Series = append(list[k].Series, c.Series)
	}
	return list
}
