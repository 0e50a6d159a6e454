package chart

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"ocr/internal/core/topo"
	"ocr/internal/show/report"
)

// File is a document to draw.
type File struct {
	*report.Document
	Letter   string         // tells its curves from those of other files; "" if there is one file
	Topology *topo.Topology // where its processors lie; nil for a saved document, which does not say it
	CPUs     []int          // that maps show beside those that have results
}

// in returns the letter in brackets.
func (f *File) in() string {
	if f.Letter == "" {
		return ""
	}
	return "(" + f.Letter + ")"
}

// An entry is a result of a file, its name taken apart.
type entry struct {
	*report.Result
	file  *File
	words []string
	keys  report.Config
}

func newEntry(f *File, r *report.Result) entry {
	words, keys := r.Parts()
	return entry{r, f, words, keys}
}

// entries returns the results of files. A number that some names of a group have is in all of the group: names leave
// out what is as by default, which a label or the configuration has.
func entries(files []*File) (list []entry) {
	named := map[[2]string]bool{} // group and key
	for _, f := range files {
		for i := range f.Results {
			e := newEntry(f, &f.Results[i])
			for _, k := range e.keys {
				named[[2]string{e.group(), k.Key}] = true
			}
			list = append(list, e)
		}
	}
	for i := range list {
		e := &list[i]
		for _, fact := range slices.Concat(e.Labels, e.file.Config) {
			value := report.Config{fact}.Text(fact.Key)
			if number(value) != nil && e.keys.Text(fact.Key) == "" && named[[2]string{e.group(), fact.Key}] {
				e.keys = e.keys.With(fact.Key, value)
			}
		}
		slices.SortStableFunc(e.keys, func(a, b report.Setting) int { return cmp.Compare(a.Key, b.Key) })
	}
	return list
}

// Title names what a result of a document is a measurement of: the app, and the test, row or type.
func Title(d *report.Document, r *report.Result) string {
	return newEntry(&File{Document: d}, r).title()
}

func (e entry) title() string { return strings.TrimSpace(e.file.App + " " + e.group()) }

// number returns the number that a text is; nil if it is none that can be drawn.
func number(text string) *float64 {
	const largest = 1e100
	if v, err := strconv.ParseFloat(text, 64); err == nil && -largest <= v && v <= largest {
		return &v
	}
	return nil
}

// group is what is measured: a label if the suite has one, else the first of several words.
func (e entry) group() string {
	group, _, _ := strings.Cut(cmp.Or(e.Labels.Text("test"), e.Labels.Text("type"), e.Labels.Text("row")), "/")
	if group == "" && len(e.words) > 1 {
		return e.words[0]
	}
	return group
}

// form is how it is done.
func (e entry) form() string {
	words := e.words
	if len(words) > 0 && words[0] == e.group() {
		words = words[1:]
	}
	return cmp.Or(e.Labels.Text("form"), strings.Join(words, " "))
}

// settings returns the keys with their values, without one of the keys.
func (e entry) settings(without string) (list []string) {
	for _, k := range e.keys {
		if k.Key != without {
			list = append(list, k.Key+"="+k.Value.(string))
		}
	}
	return list
}

// name returns the name without one of the keys.
func (e entry) name(without string) string {
	return strings.Join(slices.Concat([]string{e.file.App}, e.words, e.settings(without)), "/")
}

// units returns by which units curves of the result are drawn: its pace, and its bandwidth if it has one.
func (e entry) units() (units []string) {
	for _, m := range e.Metrics {
		if report.IsPace(m.Unit) && (len(units) == 0 || strings.HasSuffix(m.Unit, "B/s")) {
			units = append(units, m.Unit)
		}
	}
	return units[:min(len(units), 2)]
}
