// Package chart finds what can be drawn in the results of documents, for a page of HTML and for pictures: results whose
// names differ in the number of one key are a curve, those whose names differ in two processors a heat map, and all
// others bars with their intervals.
package chart

import (
	"io"
	"slices"
	"strings"

	"ocr/internal/measure/machine"
	"ocr/internal/show/matrix"
	"ocr/internal/show/picture"
	"ocr/internal/show/report"
)

// Draw writes a picture of a document: heat maps, and curves of two points or more. If there are none, bars.
func Draw(w io.Writer, d *report.Document, maps ...*matrix.Matrix) error {
	f := &File{Document: d}
	small := func(m *matrix.Matrix) bool { return m.Len() < LeastCPUs }
	drawn := picture.Figure{Title: d.App, Maps: slices.DeleteFunc(slices.Clone(maps), small), Curves: Curves(2, f)}
	if len(drawn.Maps)+len(drawn.Curves) == 0 {
		drawn.Intervals = bars(f)
	}
	if d.Partial {
		drawn.Title += ", partial"
	}
	drawn.About = About(d)
	return drawn.Write(w)
}

// About says in a line on what a document was measured.
func About(d *report.Document) string {
	words := []string{d.Machine.CPU}
	if workers := d.Config.Text("workers"); workers != "" {
		words = append(words, "workers "+workers)
	}
	if commit := d.Build.Commit; commit != "" && commit != machine.Unknown {
		words = append(words, "commit "+commit[:min(len(commit), 12)])
	}
	words = append(words, d.Date)
	if slices.ContainsFunc(d.Results, func(r report.Result) bool { return len(r.Metrics[0].Samples) > 1 }) {
		words = append(words, "lines: 95 % interval of the median")
	}
	if d.Conditions.Busy() != "" {
		words = append(words, "the machine was busy")
	}
	return strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), ", ")
}

// bars returns bars for each thing that is measured and each unit: a bar for each result, named by what its name has
// beside the others'.
func bars(f *File) (list []picture.Intervals) {
	all := entries([]*File{f})
	common := map[string]int{}
	for _, e := range all {
		for _, s := range e.settings() {
			common[s]++
		}
	}
	for _, e := range all {
		unit := e.whole.Metrics[0].Unit
		title := e.title() + ": " + unit
		k := slices.IndexFunc(list, func(v picture.Intervals) bool { return v.Title == title })
		if k < 0 {
			k = len(list)
			list = append(list, picture.Intervals{Title: title})
		}
		differs := slices.DeleteFunc(e.settings(), func(s string) bool { return common[s] == len(all) })
		m := e.whole.Metrics.Summary(unit)
		list[k].Rows = append(list[k].Rows, picture.Interval{
			Name: strings.Join(append([]string{e.form()}, differs...), " "), Kind: len(list[k].Rows),
			Value: m.Median, Lo: m.Lo, Hi: m.Hi, Text: report.Short(m.Median) + " " + unit,
		})
	}
	return list
}
