package page

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"ocr/internal/compare"
	"ocr/internal/report"
)

// leastPoints is from how many on points are a curve.
const leastPoints = 3

// entry is a result of a file, its name taken apart: app/word/word/key=value/...
type entry struct {
	file  *fileView
	whole *report.Result
	words []string // without the app
	keys  [][2]string
}

func entries(files []*fileView) []entry {
	var list []entry
	for _, f := range files {
		for i := range f.document.Results {
			e := entry{file: f, whole: &f.document.Results[i]}
			parts := strings.Split(e.whole.Name, "/")
			for _, part := range parts[1:] {
				if key, value, ok := strings.Cut(part, "="); ok {
					e.keys = append(e.keys, [2]string{key, value})
				} else {
					e.words = append(e.words, part)
				}
			}
			list = append(list, e)
		}
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
		if compare.IsPace(m.Unit) && (len(units) == 0 || strings.HasSuffix(m.Unit, "B/s")) {
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

// sweeps finds the sweeps of all files.
func sweeps(all []entry) []*sweep {
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
		if len(distinct(found[name].xs)) >= leastPoints {
			list = append(list, found[name])
		}
	}
	return list
}

func distinct(xs []float64) []float64 { return slices.Compact(slices.Sorted(slices.Values(xs))) }

// panels draws the sweeps of all files.
func panels(files []*fileView) []panel {
	all := entries(files)
	var cs charts
	for _, s := range sweeps(all) {
		if s.key == "iter" && s.label(report.Efficiency) != "" {
			cs.efficiency(s, all, len(files) > 1)
			continue
		}
		for _, unit := range s.units() {
			title := strings.TrimSpace(s.file.App+" "+s.group()) + ": " + unit + " by " + s.key
			c := cs.get(title, s.key, unit)
			c.swept = true
			c.lines = append(c.lines, s.lines(unit)...)
		}
	}
	var list []panel
	for _, c := range cs.order {
		list = append(list, c.draw()...)
	}
	return list
}

// lines returns the curve of a unit. Results of several files are one curve, as a scaling over
// files is, unless two files have one result: then each file has its own.
func (s *sweep) lines(unit string) []*line {
	apart := len(distinct(s.xs)) < len(s.xs)
	byFile := map[string]*line{}
	var order []*line
	for i, e := range s.members {
		m := e.whole.Metrics.Summary(unit)
		if m.N == 0 {
			continue
		}
		suffix := ""
		if apart {
			suffix = " (" + e.file.Letter + ")"
		}
		l := byFile[suffix]
		if l == nil {
			l = &line{Name: s.form(), keys: s.settings(suffix)}
			byFile[suffix] = l
			order = append(order, l)
		}
		l.points = append(l.points, point{s.xs[i], m.Median, m.Lo, m.Hi})
	}
	return order
}

// settings are what tells curves apart beside their form: keys, and the file's letter.
func (s *sweep) settings(suffix string) []string {
	var list []string
	for _, k := range s.keys {
		if k[0] != s.key {
			list = append(list, k[0]+"="+k[1])
		}
	}
	return append(list, suffix)
}

// efficiency adds a curve of efficiency against granularity, as METG is defined, with its mark.
func (cs *charts) efficiency(s *sweep, all []entry, letters bool) {
	c := cs.get(s.file.App+" "+s.group()+": efficiency by granularity", "ns a task: wall time x cores / tasks", "% of peak")
	c.percent = true
	for _, f := range filesOf(s.members) {
		l := &line{Name: s.form()}
		if letters {
			l.Name += " (" + f.Letter + ")"
		}
		for _, e := range s.members {
			m := e.whole.Metrics.Summary("ns/task")
			share, err := strconv.ParseFloat(e.label(report.Efficiency), 64)
			if e.file == f && m.N > 0 && err == nil {
				rate := e.whole.Metrics.Summary("flop/s")
				part := func(of float64) float64 { return 100 * share * of / max(rate.Median, 1) }
				l.points = append(l.points, point{m.Median, 100 * share, part(rate.Lo), part(rate.Hi)})
			}
		}
		for _, e := range all {
			if m := e.whole.Metrics.Summary("ns/metg50"); e.file == f && m.N > 0 && e.group() == s.group() && e.form() == s.form() {
				l.mark = m.Median
				l.Name += ": METG(50 %) " + report.Short(m.Median) + " ns"
			}
		}
		c.lines = append(c.lines, l)
	}
}

func filesOf(members []entry) []*fileView {
	var files []*fileView
	for _, e := range members {
		if !slices.Contains(files, e.file) {
			files = append(files, e.file)
		}
	}
	return files
}
