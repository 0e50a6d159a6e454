package chart

import (
	"cmp"
	"slices"
	"strings"

	"ocr/internal/show/picture"
	"ocr/internal/show/report"
)

// A sweep is results whose names differ in the number of one key only.
type sweep struct {
	entry   // the first
	key     string
	members []entry
}

// sweeps finds the sweeps with so many numbers or more.
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

// A curve is one of a form, of a kind if results beside have one, in one setting.
type curve struct {
	picture.Series
	settings   []string // of all its results: keys, and the file's letter
	form, kind string
}

// A panel is the curves of one title.
type panel struct {
	picture.Curves
	curves []*curve
}

// doubling are keys whose numbers double.
var doubling = []string{"bytes", "length", "stride", "window"}

// Curves returns the curves of the files together, those of at least so many points. A sweep that has efficiencies is
// shown by these alone.
func Curves(least int, files ...*File) (list []picture.Curves) {
	all := entries(files)
	found := sweeps(all, least)
	graded := map[*report.Result]bool{}
	for _, s := range found {
		for _, e := range s.members {
			graded[e.whole] = graded[e.whole] || s.grades()
		}
	}
	var panels []*panel
	add := func(title string, x, y picture.Axis, curves []*curve) {
		k := slices.IndexFunc(panels, func(p *panel) bool { return p.Title == title })
		if k < 0 {
			k = len(panels)
			panels = append(panels, &panel{Curves: picture.Curves{Title: title, X: x, Y: y}})
		}
		panels[k].curves = append(panels[k].curves, curves...)
	}
	for _, s := range found {
		title := s.title() + ": "
		if s.grades() {
			add(title+"efficiency by granularity",
				picture.Axis{Name: "ns a task: wall time x cores / tasks", Kind: picture.Decades},
				picture.Axis{Name: "% of peak", Kind: picture.Percent}, s.efficiency(all))
		}
		if graded[s.whole] {
			continue
		}
		x := picture.Axis{Name: s.key, Kind: picture.Values}
		if slices.Contains(doubling, s.key) {
			x.Kind = picture.Sizes
		}
		for _, unit := range s.units() {
			add(title+unit+" by "+s.key, x, picture.Axis{Name: unit}, s.curves(unit))
		}
	}
	for _, p := range panels {
		p.name()
		list = append(list, p.deal(p.Title, p.curves)...)
	}
	return list
}

// curves returns those of a unit. Results of several files are one curve, as a scaling over files is, unless two files
// have one result: then each file has its own.
func (s *sweep) curves(unit string) (list []*curve) {
	byFile := map[string]*curve{}
	for _, e := range s.members {
		m, file := e.whole.Metrics.Summary(unit), ""
		if s.distinct() < len(s.members) {
			file = e.file.in()
		}
		if m.N == 0 {
			continue
		}
		if byFile[file] == nil {
			byFile[file] = s.curve(file)
			list = append(list, byFile[file])
		}
		byFile[file].Points = append(byFile[file].Points, picture.Point{X: s.x(e), Y: m.Median, Lo: m.Lo, Hi: m.Hi})
	}
	return list
}

// curve returns one of the results of a file, without points.
func (s *sweep) curve(file string) *curve {
	return &curve{picture.Series{Name: s.form()}, append(s.settings(s.key), file), s.form(), s.label("does")}
}

// name names the curves by what tells them apart, sorts their points, and drops those that have none.
func (p *panel) name() {
	p.curves = slices.DeleteFunc(p.curves, func(c *curve) bool { return len(c.Points) == 0 })
	common := map[string]int{}
	for _, c := range p.curves {
		for _, setting := range c.settings {
			common[setting]++
		}
	}
	for _, c := range p.curves {
		for _, setting := range c.settings {
			if common[setting] < len(p.curves) && setting != "" {
				c.Name += " " + setting
			}
		}
		c.Name = cmp.Or(strings.TrimSpace(c.Name), p.Y.Name)
		slices.SortFunc(c.Points, func(a, b picture.Point) int { return cmp.Compare(a.X, b.X) })
	}
}

// deal returns the curves as one picture, or if they are more than the eye can tell apart, as one for each of their
// kinds, numbers of workers, other settings, or forms: the first of these that leaves several curves together.
func (p *panel) deal(title string, curves []*curve) (list []picture.Curves) {
	ways := []func(*curve) string{
		func(c *curve) string { return c.kind },
		func(c *curve) string {
			k := slices.IndexFunc(c.settings, func(s string) bool { return strings.HasPrefix(s, "workers=") })
			if k < 0 {
				return ""
			}
			return c.settings[k]
		},
		func(c *curve) string { return strings.TrimSpace(strings.Join(c.settings, " ")) },
		func(c *curve) string { return c.form },
	}
	for _, way := range ways {
		var values []string
		parts := map[string][]*curve{}
		for _, c := range curves {
			if parts[way(c)] == nil {
				values = append(values, way(c))
			}
			parts[way(c)] = append(parts[way(c)], c)
		}
		if len(curves) > picture.MostSeries && len(values) > 1 && len(curves) >= 2*len(values) {
			for _, v := range values {
				list = append(list, p.deal(strings.TrimSuffix(title+", "+v, ", "), parts[v])...)
			}
			return list
		}
	}
	one := picture.Curves{Title: title, X: p.X, Y: p.Y}
	for _, c := range curves {
		one.Series = append(one.Series, c.Series)
	}
	return append(list, one)
}
