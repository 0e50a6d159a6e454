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
// out what is as by default, which a label has.
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
		for _, label := range e.whole.Labels {
			has := slices.ContainsFunc(e.keys, func(k [2]string) bool { return k[0] == label.Key })
			value := e.label(label.Key)
			if _, err := strconv.ParseFloat(value, 64); err == nil && !has && named[[2]string{e.group(), label.Key}] {
				e.keys = append(e.keys, [2]string{label.Key, value})
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

type curve struct {
	plot.Series
	settings []string // of all its results: keys, and the file's letter
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
	for _, s := range sweeps(all, least) {
		title := strings.TrimSpace(s.file.App+" "+s.group()) + ": "
		if s.key == "iter" && s.label(report.Efficiency) != "" {
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
		if c.gather(); len(c.Series) > 0 {
			panels = append(panels, c.Panel)
		}
	}
	return panels
}

// doubling are keys whose numbers double.
var doubling = []string{"bytes", "length", "stride", "window"}

// gather makes series of the curves that have points. Their names have the settings that tell them apart.
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
		if len(one.Points) > 0 {
			c.Series = append(c.Series, one.Series)
		}
	}
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
			byFile[file] = &curve{plot.Series{Name: s.form()}, s.settings(file)}
			order = append(order, byFile[file])
		}
		byFile[file].Points = append(byFile[file].Points, plot.Point{X: s.xs[i], Y: m.Median, Lo: m.Lo, Hi: m.Hi})
	}
	return order
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
	for _, f := range filesOf(s.members) {
		c := &curve{Series: plot.Series{Name: strings.TrimSpace(s.form() + " " + f.in())}}
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
			if e.file == f && m.N > 0 && e.group() == s.group() && e.form() == s.form() {
				text := "METG(50 %) " + report.Short(m.Median) + " ns"
				c.Mark = &plot.Mark{X: m.Median, Y: 50, Lo: m.Lo, Hi: m.Hi, Text: text}
			}
		}
		slices.SortFunc(c.Points, func(a, b plot.Point) int { return cmp.Compare(a.X, b.X) }) // not as they were measured
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
