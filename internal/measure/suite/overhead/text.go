package overhead

import (
	"fmt"

	"ocr/internal/measure/bench"
	"ocr/internal/show/report"
)

// text has a table for each section: each row, and below it, indented, its other forms.
func text(results []result) *report.Text {
	t := &report.Text{}
	for k := 0; k < len(results); {
		title, first := results[k].row.Section, k
		for k < len(results) && results[k].row.Section == title {
			k++
		}
		t.Sections = append(t.Sections, report.Section{Title: title, Table: report.Tabulate(results[first:k], columns)})
	}
	return t
}

var columns = []report.Column[result]{
	report.Words("row", func(x result) string {
		if x.form.Name != "" {
			return "  " + x.form.Name
		}
		return x.row.Name
	}),
	report.Words("kind", func(x result) string { return x.form.Does }),
	report.Cells("workers", func(x result) string { return fmt.Sprint(x.workers) }),
	report.Cells("ns/op", func(x result) string { return report.Short(x.ns().Median) }),
	report.Figure("times ours", func(x result) float64 {
		if x.form.Name == "" {
			return 0
		}
		return bench.Ratio(x.series.Metrics.Samples("ns/op"), x.own.Metrics.Samples("ns/op"))
	}),
	report.Cells("95 % interval", func(x result) string {
		return report.Short(x.ns().Lo) + " .. " + report.Short(x.ns().Hi)
	}).Detail(),
	report.Cells("n", func(x result) string { return fmt.Sprint(x.ns().N) }).Detail(),
}

func (x result) ns() bench.Summary { return x.series.Metrics.Summary("ns/op") }
