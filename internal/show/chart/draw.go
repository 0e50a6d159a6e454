// Package chart finds what can be drawn of the results of documents, for a page of HTML and for pictures. Results whose
// names differ in the number of one key are a curve; results whose names differ in the pair of processors are a heat
// map. If a document has neither, its picture shows all results as bars with their intervals.
package chart

import (
	"io"
	"slices"
	"strings"

	"ocr/internal/measure/bench"
	"ocr/internal/measure/machine"
	"ocr/internal/show/picture"
	"ocr/internal/show/report"
)

// Draw writes a picture of a document: its heat maps, and its curves of at least two points. If there are heat maps, it
// draws only the curves of the first pair of processors. If there are neither maps nor curves, it draws bars.
func Draw(w io.Writer, d *report.Document) error {
	drawn := picture.Figure{Title: d.App, About: About(d), Maps: Maps(d)}
	curved := *d
	if len(drawn.Maps) > 0 {
		cpus := func(r report.Result) string { return newEntry(d, &r).keys.Text("cpus") }
		first := cpus(d.Results[0])
		curved.Results = slices.DeleteFunc(slices.Clone(d.Results), func(r report.Result) bool { return cpus(r) != first })
	}
	drawn.Curves = Curves(2, &curved)
	if len(drawn.Maps)+len(drawn.Curves) == 0 {
		drawn.Intervals = bars(d)
	}
	if d.Partial {
		drawn.Title += ", partial"
	}
	return drawn.Write(w)
}

// About describes in a line the machine and the run of a document.
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
		words = append(words, "lines: 95 % interval of the median (range below 6 samples)")
	}
	if d.Conditions.Busy() != "" {
		words = append(words, "the machine was busy")
	}
	return strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), ", ")
}

// bars returns a chart of bars for each measured operation and unit. It has a bar for each result, named by the form
// and by the settings that differ.
func bars(d *report.Document) (list []picture.Intervals) {
	all := entries(d)
	settings := make([][]string, len(all))
	for i, e := range all {
		settings[i] = e.settings("")
	}
	for i, differ := range differing(settings) {
		all[i].short = strings.TrimSpace(all[i].form() + " " + differ)
	}
	title := func(e entry) string { return e.title() + ": " + e.Metrics[0].Unit }
	for _, group := range report.Grouped(all, title) {
		drawn := picture.Intervals{Title: title(group[0])}
		for _, e := range group {
			m := bench.Summarize(e.Metrics[0].Samples)
			drawn.Rows = append(drawn.Rows, picture.Interval{Name: e.short, Value: m.Median, Lo: m.Lo, Hi: m.Hi,
				Text: report.Short(m.Median) + " " + e.Metrics[0].Unit})
		}
		list = append(list, drawn)
	}
	return list
}
