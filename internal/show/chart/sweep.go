// Package chart finds curves and heat maps in the results of documents, for a page of HTML and for pictures: results
// whose names differ in the number of one key are a curve, those whose names differ in two processors a map.
package chart

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"ocr/internal/show/matrix"
	"ocr/internal/show/plot"
	"ocr/internal/show/report"
)

// File is a document, and the letter that tells its curves from those of other files; "" if there is one file.
type File struct {
	*report.Document
	Letter string
}

// in returns the letter in brackets.
func (f *File) in() string {
	if f.Letter == "" {
		return ""
	}
	return "(" + f.Letter + ")"
}

// Draw writes a picture of a document: heat maps, or bars if there are few processors, and curves of two points or
// more.
func Draw(w io.Writer, d *report.Document, maps ...*matrix.Matrix) error {
	maps = slices.DeleteFunc(slices.Clone(maps), func(m *matrix.Matrix) bool { return m.Len() < LeastCPUs })
	f := plot.Figure{Title: d.App + " on " + d.Machine.CPU, Maps: maps, Panels: Curves(2, &File{Document: d})}
	if len(maps) == 0 {
		f.Bars = Bars(&File{Document: d})
	}
	if d.Partial {
		f.Title += ", partial"
	}
	f.Title += "; bars: 95 % interval of the median"
	if len(f.Maps)+len(f.Bars)+len(f.Panels) == 0 {
		f.Panels = []plot.Panel{{Title: "nothing was measured at two sizes"}}
	}
	return plot.Curves(w, f)
}

// entry is a result of a file, its name taken apart: app/word/word/key=value/...
type entry struct {
	file  *File
	whole *report.Result
	words []string // without the app
	keys  [][2]string
}

// entries returns the results of files. A number that some names of a group have is in all of the group: names leave
// out what is as by default, which a label or the configuration has.
func entries(files []*File) []entry {
	var list []entry
	named := map[[2]string]bool{} // group and key
	for _, f := range files {
		for i := range f.Results {
			e := entry{file: f, whole: &f.Results[i]}
			parts := strings.Split(e.whole.Name, "/")
			for _, part := range parts[1:] {
				if key, value, ok := strings.Cut(part, "="); ok {
					e.keys = append(e.keys, [2]string{key, value})
				} else {
					e.words = append(e.words, part)
				}
			}
			for _, k := range e.keys {
				named[[2]string{e.group(), k[0]}] = true
			}
			list = append(list, e)
		}
	}
	for i := range list {
		e := &list[i]
		for _, facts := range []report.Config{e.whole.Labels, e.file.Config} {
			for _, fact := range facts {
				has := slices.ContainsFunc(e.keys, func(k [2]string) bool { return k[0] == fact.Key })
				value := facts.Text(fact.Key)
				if _, err := strconv.ParseFloat(value, 64); err == nil && !has && named[[2]string{e.group(), fact.Key}] {
					e.keys = append(e.keys, [2]string{fact.Key, value})
				}
			}
		}
		slices.SortFunc(e.keys, func(a, b [2]string) int { return cmp.Compare(a[0], b[0]) })
	}
	return list
}

// label returns the value of the first of some labels that the result has.
func (e entry) label(keys ...string) string {
	for _, key := range keys {
		if value := e.whole.Labels.Text(key); value != "" {
			return value
		}
	}
	return ""
}

// group is what is measured: a label if the suite has one, else the first of several words.
func (e entry) group() string {
	if group, _, _ := strings.Cut(e.label("test", "type", "row"), "/"); group != "" {
		return group
	}
	if len(e.words) > 1 {
		return e.words[0]
	}
	return ""
}

// form is how it is done.
func (e entry) form() string {
	words := e.words
	if len(words) > 0 && words[0] == e.group() {
		words = words[1:]
	}
	return cmp.Or(e.label("form"), strings.Join(words, " "))
}

// without returns the name without the value of a key.
func (e entry) without(key string) string {
	parts := slices.Clone(e.words)
	for _, k := range e.keys {
		value := k[1]
		if k[0] == key {
			value = "*"
		}
		parts = append(parts, k[0]+"="+value)
	}
	return e.file.App + "/" + strings.Join(parts, "/")
}

// units returns by which units curves of the result are drawn: its pace, and its bandwidth
// if it has one.
func (e entry) units() []string {
	var units []string
	for _, m := range e.whole.Metrics {
		if report.IsPace(m.Unit) && (len(units) == 0 || strings.HasSuffix(m.Unit, "B/s")) {
			units = append(units, m.Unit)
		}
	}
	return units[:min(len(units), 2)]
}

// sweep is results whose names differ in the number of one key only.
type sweep struct {
	entry
	key     string
	members []entry
	xs      []float64
}

// sweeps finds the sweeps with so many numbers or more.
func sweeps(all []entry, least int) []*sweep {
	var order []string
	found := map[string]*sweep{}
	for _, e := range all {
		for _, k := range e.keys {
			x, err := strconv.ParseFloat(k[1], 64)
			if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
				continue
			}
			name := k[0] + " of " + e.without(k[0])
			s := found[name]
			if s == nil {
				s = &sweep{entry: e, key: k[0]}
				found[name] = s
				order = append(order, name)
			}
			s.members, s.xs = append(s.members, e), append(s.xs, x)
		}
	}
	var list []*sweep
	for _, name := range order {
		if len(distinct(found[name].xs)) >= least {
			list = append(list, found[name])
		}
	}
	return list
}

func distinct(xs []float64) []float64 { return slices.Compact(slices.Sorted(slices.Values(xs))) }

// A chart is the curves of one title.
type chart struct {
	plot.Panel
	curves []*curve
}

// A curve is one of a form, of a kind if results beside have one, in one setting.
type curve struct {
	plot.Series
	settings   []string // of all its results: keys, and the file's letter
	form, kind string
}

// Curves returns the curves of the files together, those of at least so many points.
func Curves(least int, files ...*File) (panels []plot.Panel) {
	var charts []*chart
	add := func(title string, x, y plot.Axis, curves []*curve) {
		k := slices.IndexFunc(charts, func(c *chart) bool { return c.Title == title })
		if k < 0 {
			k = len(charts)
			charts = append(charts, &chart{Panel: plot.Panel{Title: title, X: x, Y: y}})
		}
		charts[k].curves = append(charts[k].curves, curves...)
	}
	all := entries(files)
	found := sweeps(all, least)
	graded := map[*report.Result]bool{} // points of curves of efficiency
	for _, s := range found {
		for _, e := range s.members {
			graded[e.whole] = graded[e.whole] || s.grades()
		}
	}
	for _, s := range found {
		title := strings.TrimSpace(s.file.App+" "+s.group()) + ": "
		if graded[s.whole] && !s.grades() {
			continue
		}
		if s.grades() {
			x := plot.Axis{Name: "ns a task: wall time x cores / tasks", Log: true}
			y := plot.Axis{Name: "% of peak", FromZero: true, Line: 50}
			add(title+"efficiency by granularity", x, y, s.efficiency(all))
			continue
		}
		for _, unit := range s.units() {
			x := plot.Axis{Name: s.key, Sizes: slices.Contains(doubling, s.key), Chosen: true}
			add(title+unit+" by "+s.key, x, plot.Axis{Name: unit}, s.curves(unit))
		}
	}
	for _, c := range charts {
		c.gather()
		panels = append(panels, c.deal(c.Title, c.curves, c.keys())...)
	}
	return panels
}

// grades reports whether the sweep is of efficiency against granularity.
func (s *sweep) grades() bool { return s.key == "iter" && s.label(report.Efficiency) != "" }

// doubling are keys whose numbers double.
var doubling = []string{"bytes", "length", "stride", "window"}

// gather names the curves, drops those that have no point, and sorts points. Names have the settings that tell curves
// apart.
func (c *chart) gather() {
	common := map[string]int{}
	for _, one := range c.curves {
		for _, setting := range one.settings {
			common[setting]++
		}
	}
	for _, one := range c.curves {
		for _, setting := range one.settings {
			if common[setting] < len(c.curves) && setting != "" {
				one.Name += " " + setting
			}
		}
		one.Name = cmp.Or(strings.TrimSpace(one.Name), c.Y.Name)
		slices.SortFunc(one.Points, func(a, b plot.Point) int { return cmp.Compare(a.X, b.X) })
	}
	c.curves = slices.DeleteFunc(c.curves, func(one *curve) bool { return len(one.Points) == 0 })
}

// Keys by which curves are dealt that are no keys of settings.
const byKind, byForm = "kind", "form"

// keys are what the curves may be dealt by: their kind, the number of workers, other settings, their form.
func (c *chart) keys() []string {
	var settings []string
	for _, one := range c.curves {
		for _, setting := range one.settings {
			if key, _, ok := strings.Cut(setting, "="); ok && key != "workers" {
				settings = append(settings, key)
			}
		}
	}
	slices.Sort(settings)
	return slices.Concat([]string{byKind, "workers"}, slices.Compact(settings), []string{byForm})
}

// value returns what a curve has for one of the keys.
func (c *curve) value(key string) string {
	switch key {
	case byKind:
		return c.kind
	case byForm:
		return c.form
	}
	for _, setting := range c.settings {
		if strings.HasPrefix(setting, key+"=") {
			return setting
		}
	}
	return ""
}

// deal returns a panel of curves. If they are more than the eye can tell apart, it returns one for each value of the
// first key that leaves several curves together.
func (c *chart) deal(title string, curves []*curve, keys []string) (panels []plot.Panel) {
	if len(curves) == 0 {
		return nil
	}
	if len(curves) <= plot.MostSeries || len(keys) == 0 {
		p := plot.Panel{Title: title, X: c.X, Y: c.Y}
		for _, one := range curves {
			p.Series = append(p.Series, one.Series)
		}
		return []plot.Panel{p}
	}
	var values []string
	parts := map[string][]*curve{}
	for _, one := range curves {
		v := one.value(keys[0])
		if parts[v] == nil {
			values = append(values, v)
		}
		parts[v] = append(parts[v], one)
	}
	if len(values) == 1 || len(curves) < 2*len(values) {
		return c.deal(title, curves, keys[1:])
	}
	for _, v := range values {
		panels = append(panels, c.deal(strings.TrimSuffix(title+", "+v, ", "), parts[v], keys[1:])...)
	}
	return panels
}

// curves returns those of a unit. Results of several files are one curve, as a scaling over files is, unless two files
// have one result: then each file has its own.
func (s *sweep) curves(unit string) []*curve {
	apart := len(distinct(s.xs)) < len(s.xs)
	byFile := map[string]*curve{}
	var order []*curve
	for i, e := range s.members {
		m := e.whole.Metrics.Summary(unit)
		if m.N == 0 {
			continue
		}
		file := ""
		if apart {
			file = e.file.in()
		}
		if byFile[file] == nil {
			byFile[file] = s.curve(file)
			order = append(order, byFile[file])
		}
		byFile[file].Points = append(byFile[file].Points, plot.Point{X: s.xs[i], Y: m.Median, Lo: m.Lo, Hi: m.Hi})
	}
	return order
}

// curve returns one of the results of a file, without points.
func (s *sweep) curve(file string) *curve {
	return &curve{plot.Series{Name: s.form()}, s.settings(file), s.form(), s.label("does")}
}

// settings are what may tell curves apart beside their form: keys, and the file.
func (s *sweep) settings(file string) []string {
	var list []string
	for _, k := range s.keys {
		if k[0] != s.key {
			list = append(list, k[0]+"="+k[1])
		}
	}
	return append(list, file)
}

// efficiency returns curves of efficiency against granularity, as METG is defined, with METG as a mark.
func (s *sweep) efficiency(all []entry) (curves []*curve) {
	whole := strings.ReplaceAll(s.without(s.key), "/"+s.key+"=*", "") // the name of what METG is of
	for _, f := range filesOf(s.members) {
		c := s.curve(f.in())
		for _, e := range s.members {
			m := e.whole.Metrics.Summary("ns/task")
			share, err := strconv.ParseFloat(e.label(report.Efficiency), 64)
			if e.file == f && m.N > 0 && err == nil {
				rate := e.whole.Metrics.Summary("flop/s")
				part := func(of float64) float64 { return 100 * share * of / max(rate.Median, 1) }
				c.Points = append(c.Points, plot.Point{X: m.Median, Y: 100 * share, Lo: part(rate.Lo), Hi: part(rate.Hi)})
			}
		}
		for _, e := range all {
			m := e.whole.Metrics.Summary("ns/metg50")
			if e.file != f || e.without("") != whole {
				continue
			}
			if bound := e.label("metg50-ns"); bound != "" {
				c.Note = "METG(50 %) " + bound + " ns"
			}
			if m.N > 0 {
				c.Note = "METG(50 %) " + report.Short(m.Median) + " ns"
				c.Mark = &plot.Mark{X: m.Median, Y: 50, Lo: m.Lo, Hi: m.Hi}
			}
		}
		curves = append(curves, c)
	}
	return curves
}

func filesOf(members []entry) []*File {
	var files []*File
	for _, e := range members {
		if !slices.Contains(files, e.file) {
			files = append(files, e.file)
		}
	}
	return files
}
