package c2c

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	app "ocr/apps/c2c"
	"ocr/internal/measure/bench"
	"ocr/internal/show/chart"
	"ocr/internal/show/report"
)

// manyPairs is the least number of pairs for which the text has only the summary.
const manyPairs = 7

// text returns the text for people: a table for each test and width, and with all pairs a summary by distance. Of many
// pairs it shows only the summary.
func (r *run) text(d *report.Document) *report.Text {
	t := &report.Text{}
	for _, width := range r.Widths {
		for _, test := range r.Tests {
			rows := slices.DeleteFunc(slices.Clone(r.rows), func(x *row) bool {
				return x.cfg.Test != test || x.cfg.Width != width || x.kept == 0
			})
			if len(rows) > 0 && len(r.pairs) < manyPairs {
				title := fmt.Sprintf("%s, %d-byte elements: ns one way by A's clock", test, width)
				table := report.Tabulate(rows, r.columns(d, test))
				t.Sections = append(t.Sections, report.Section{Title: title, Table: table})
			}
		}
	}
	if !r.AllPairs {
		return t
	}
	for _, m := range chart.Matrices(d) {
		t.Sections = append(t.Sections, report.Section{Title: fmt.Sprintf("%s (%s)", m.Title, m.Unit), Table: m.Classes()})
	}
	return t
}

// columns returns the columns of a test's table. It leaves out columns that are empty in all rows.
func (r *run) columns(d *report.Document, test app.Test) []report.Column[*row] {
	median := func(head, unit string) report.Column[*row] {
		return report.Figure(head, func(x *row) float64 { return d.Metric(x.name(x.form), unit).Median })
	}
	time := func(head string, of func(bench.Summary) float64) report.Column[*row] {
		return report.Figure(head, func(x *row) float64 { return of(d.Metric(x.name(x.form), timeUnit)) })
	}
	return []report.Column[*row]{
		report.Words("form", func(x *row) string { return string(x.form) }),
		report.Words("length", func(x *row) string { return optional(x.cfg.Test.HasLength(), strconv.Itoa(x.cfg.Length)) }),
		report.Words("cpus", func(x *row) string { return optional(len(r.pairs) > 1, x.pair.String()) }),
		time("min", func(s bench.Summary) float64 { return s.Min }).Detail(),
		time("p50 trial", func(s bench.Summary) float64 { return s.Median }),
		time("p90 trial", func(s bench.Summary) float64 { return s.P90 }).Detail(),
		time("p99 trial", func(s bench.Summary) float64 { return s.P99 }),
		time("mean", func(s bench.Summary) float64 { return s.Mean }).Detail(),
		time("sd", func(s bench.Summary) float64 { return s.StdDev }).Detail(),
		report.Figure("times polled", func(x *row) float64 { return timesPolled(d, x) }),
		median("round trip", tripUnit).Detail(),
		median(rateUnit(test), rateUnit(test)).Detail(),
		report.Figure("preempted", func(x *row) float64 { return d.Metric(x.name(x.form), preemptionsUnit).Mean }).Detail(),
		report.Cells("doubted", func(x *row) string { return optional(x.doubted > 0, strconv.Itoa(x.doubted)) }),
		report.Cells("ran on", func(x *row) string { return optional(x.doubted > 0, strings.Join(x.placements, " ")) }),
		report.Cells("transfers", func(x *row) string { return strconv.Itoa(x.cfg.Transfers) }).Detail(),
		report.Cells("n", func(x *row) string { return strconv.Itoa(x.kept) }),
	}
}

func optional(shown bool, text string) string {
	if !shown {
		return ""
	}
	return text
}

// timesPolled returns the ratio of a row's time to that of the polled form, over trials in the same round: for EDTs,
// what the runtime adds. It is 0 for the polled form, and if that form was not measured.
func timesPolled(d *report.Document, x *row) float64 {
	base := d.Metrics(x.name(app.Polled)).Samples(timeUnit)
	if x.form == app.Polled || base == nil {
		return 0
	}
	return bench.Ratio(d.Metrics(x.name(x.form)).Samples(timeUnit), base)
}

// meaning says how long a transfer of the first row takes in each form.
func (r *run) meaning(d *report.Document) string {
	first := r.rows[slices.IndexFunc(r.rows, func(x *row) bool { return x.kept > 0 })]
	var forms []string
	for _, form := range Forms() {
		if s := d.Metric(first.name(form), timeUnit); s.N > 0 {
			forms = append(forms, fmt.Sprintf("%s %s", form, report.Short(s.Median)))
		}
	}
	return fmt.Sprintf("%s, ns one way: %s. Forms polled, goroutines and c poll memory; edt is EDTs.", first.cfg.Test,
		strings.Join(forms, ", "))
}
