package pgas

import (
	"fmt"
	"slices"
	"strings"

	app "ocr/apps/pgas"
	"ocr/internal/measure/bench"
	"ocr/internal/show/report"
)

type column = report.Column[*row]

// text returns what people see: a table for each class of tests.
func (r *run) text() *report.Text {
	t := &report.Text{}
	add := func(c class, title string, columns ...column) {
		if rows := r.ordered(c); len(rows) > 0 {
			ofDirect := report.Figure("times direct", r.against(func(x *row) key { return x.in(app.Direct) }))
			columns = slices.Concat(keyColumns, columns, []column{bySample, ofDirect, iterations})
			t.Sections = append(t.Sections, report.Section{Title: title, Table: report.Tabulate(rows, columns)})
		}
	}
	spread := []column{
		report.Figure("min", func(x *row) float64 { return x.times().Min }).Detail(),
		report.Figure("median", (*row).typical),
		report.Figure("p99", func(x *row) float64 { return x.times().P99 }).Detail(),
	}
	rates := []column{
		report.Figure("MB/s", func(x *row) float64 { return x.rate(x.typical()) }),
		report.Figure("p99", func(x *row) float64 { return x.rate(x.times().P99) }).Detail(),
		report.Figure("all", func(x *row) float64 { // of several origins together
			if len(x.latest.Origins) < 2 {
				return 0
			}
			return x.series.Metrics.Summary("aggregate-MB/s").Median
		}),
	}
	add(latency, "latency: ns an iteration, over slices of several iterations",
		append(spread, report.Figure("half", func(x *row) float64 {
			if !x.about().RoundTrip {
				return 0
			}
			return x.typical() / 2
		}).Detail())...)
	add(bandwidth, "bandwidth: MB/s (2^20 bytes) of an origin, median and p99 over slices", rates...)
	add(strided, "strided: MB/s (2^20 bytes) of payload of an origin, median and p99 over slices", rates...)
	add(reduction, "reduction: ns a sum to all, over slices of several", spread...)
	return t
}

// meaning says what the first row that has a direct one beside it takes.
func (r *run) meaning() string {
	for _, x := range r.rows {
		direct := r.find(x.in(app.Direct))
		if direct == nil || direct == x {
			continue
		}
		what := strings.TrimSpace(strings.Join([]string{x.test, settingsCell(x), x.size()}, " "))
		return fmt.Sprintf("%s takes %s ns on blocks that an EDT holds; form %s takes %s that.", what,
			report.Short(direct.typical()), x.form, report.TimesAsLong(bench.Ratios(x.medians(), direct.medians())))
	}
	return ""
}

// keyColumns name a row.
var keyColumns = []column{
	report.Words("test", func(x *row) string { return x.test }),
	report.Words("form", func(x *row) string { return string(x.form) }),
	report.Words("settings", settingsCell),
	report.Words("size", func(x *row) string { return x.size() }),
}

var iterations = report.Cells("N", func(x *row) string { return fmt.Sprint(x.iterations()) }).Detail()

// settingsCell lists the settings.
func settingsCell(x *row) string {
	return strings.TrimPrefix(strings.Join(x.assigned(), " "), "sync=")
}

// bySample shows the range of the medians of a row's samples if these were taken in different states of the machine.
var bySample = report.Cells("by sample", func(x *row) string {
	if least, greatest, apart := x.states(); apart {
		return report.Short(least) + ".." + report.Short(greatest)
	}
	return ""
})

// states returns the least and the greatest median of a row's samples, and whether they are so far apart that the
// machine must have changed its state between two samples: a line that goes between two processors has taken 50, 120 or
// 550 ns.
func (x *row) states() (least, greatest float64, apart bool) {
	const factor = 2
	medians := x.medians()
	least, greatest = slices.Min(medians), slices.Max(medians)
	return least, greatest, greatest > factor*least
}

// against makes a figure: how many times as long as another row a row takes, in the rounds in which both have a sample;
// 0 if there is none, as the two have not taken turns.
func (r *run) against(base func(*row) key) func(*row) float64 {
	return func(x *row) float64 {
		if b := r.find(base(x)); b != nil && b != x && turnOf(b.key) == turnOf(x.key) {
			return bench.Ratio(x.medians(), b.medians())
		}
		return 0
	}
}
