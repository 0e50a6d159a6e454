package overhead

import (
	"fmt"
	"slices"
	"strings"

	"ocr/internal/core/sizes"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/report"
)

func (r *run) document(partial bool) *report.Document {
	about := testbed.About{App: Name, Settings: r.settings()}
	if r.graph != nil {
		about.Graph = &testbed.GraphRun{Placement: r.graph.Placement, Counters: r.graph.Counters}
		about.Asides = []string{"counters are of a run of " + r.graphOf}
	}
	d := r.Document(about)
	d.Text, d.Meaning, d.Partial = r.text(), r.meaning(), partial
	for _, row := range r.cfg.Rows {
		for _, x := range r.resultsOf(row) {
			d.AddLabelled(x.name(), x.labels(), x.series)
		}
	}
	return d
}

// settings returns the recorded configuration.
func (r *run) settings() report.Config {
	rows := "default"
	if len(r.cfg.Rows) != len(Rows()) {
		rows = sizes.Join(r.cfg.Rows)
	}
	common := r.Settings()
	for i := range common {
		if common[i].Key == "workers" {
			common[i].Value = r.workerCounts()
		}
	}
	return append(report.Config{{Key: "rows", Value: rows}, {Key: "peers", Value: r.cfg.Others}}, common...)
}

// resultsOf returns the results of a row: of each number of workers its own, and those of its
// peers behind it.
func (r *run) resultsOf(row *Row) []*result {
	return slices.DeleteFunc(slices.Clone(r.results), func(x *result) bool { return x.row != row })
}

// text returns what people see: a table for each section.
func (r *run) text() *report.Text {
	t := &report.Text{}
	var lines []line
	for k, row := range r.cfg.Rows {
		lines = append(lines, linesOf(r.resultsOf(row))...)
		if last := k+1 == len(r.cfg.Rows); (last || r.cfg.Rows[k+1].Section != row.Section) && len(lines) > 0 {
			t.Sections = append(t.Sections, report.Section{Title: row.Section, Table: report.Tabulate(lines, columns)})
			lines = nil
		}
	}
	return t
}

// mostNamed is how many comparisons a sentence names.
const mostNamed = 3

// meaning says how long rows take beside their peers, or of how many that is less.
func (r *run) meaning() string {
	var named []string
	less, all := 0, 0
	for _, row := range r.cfg.Rows {
		for _, l := range linesOf(r.resultsOf(row)) {
			if l.beside == nil || l.unit() != "ns/op" {
				continue
			}
			s := bench.Ratios(l.series.Metrics.Samples("ns/op"), l.beside.series.Metrics.Samples("ns/op"))
			if all++; s.Hi < 1 {
				less++
			}
			named = append(named, fmt.Sprintf("%s (%s) takes %s %s", row.Name, report.Count(l.workers, "worker"),
				report.TimesAsLong(s), l.beside.peer))
		}
	}
	switch {
	case all == 0:
		return ""
	case all <= mostNamed:
		return strings.Join(named, "; ") + "."
	}
	return fmt.Sprintf("Of %d rows that have something beside them, %d take less time.", all, less)
}

// A line of a table is a row's result beside that of a peer.
type line struct {
	*result
	beside *result // nil if there is none
	more   bool    // the row's own figures are on the line before
}

func linesOf(results []*result) []line {
	var lines []line
	for _, x := range results {
		last := len(lines) - 1
		switch {
		case x.peer == "":
			lines = append(lines, line{result: x})
		case last < 0 || lines[last].workers != x.workers: // an interrupted run
		case lines[last].beside == nil:
			lines[last].beside = x
		default:
			lines = append(lines, line{lines[last].result, x, true})
		}
	}
	return lines
}

// unit is what a row is about.
func (x *result) unit() string {
	if x.row.Section == latencyTitle {
		return "p50-ns"
	}
	return "ns/op"
}

// columns are those of all tables. What no row of a table has is left out of it. Figures of
// latencies are medians over the samples of each sample's percentiles.
var columns = []report.Column[line]{
	{Head: "row", Left: true, Cell: func(l line) string { return l.first(l.row.Name) }},
	{Head: "workers", Left: true, Cell: func(l line) string { return l.first(fmt.Sprint(l.workers)) }},
	{Head: "does", Left: true, Cell: func(l line) string { return l.first(l.does) }},
	column("ns/op", "ns/op", "ns/op", median),
	column("95 % interval", "ns/op", "ns/op", func(s bench.Summary) string {
		return report.Short(s.Lo) + " .. " + report.Short(s.Hi)
	}),
	column("min", "ns/op", "ns/op", func(s bench.Summary) string { return report.Short(s.Min) }).Detail(),
	column("p50 ns", "p50-ns", "p50-ns", median),
	column("p90", "p50-ns", "p90-ns", median).Detail(),
	column("p99", "p50-ns", "p99-ns", median),
	column("max", "p50-ns", "max-ns", median),
	column("largest max", "p50-ns", "max-ns", func(s bench.Summary) string { return report.Short(s.Max) }).Detail(),
	report.Cells("n", func(l line) string { return l.first(fmt.Sprint(len(l.series.Runs))) }).Detail(),
	column("Mop/s", "ns/op", "op/s", func(s bench.Summary) string { return report.Short(s.Median / 1e6) }).Detail(),
	column("allocs/op", "ns/op", "allocs/op", func(s bench.Summary) string {
		if s.Median < 0.005 { // less than once in two hundred is the heap's and the clock's
			return "0"
		}
		return fmt.Sprintf("%.2f", s.Median)
	}).Detail(),
	peerColumn("beside", func(l line) string { return l.beside.peer }),
	peerColumn("does", func(l line) string { return l.beside.does }),
	peerColumn("ns/op", func(l line) string { return median(l.beside.summary()) }),
	peerColumn("times", func(l line) string {
		if m := l.beside.summary().Median; m > 0 {
			return report.Short(l.summary().Median / m)
		}
		return ""
	}),
}

// column shows a metric of rows about a unit.
func column(head, about, metric string, show func(bench.Summary) string) report.Column[line] {
	return report.Column[line]{Head: head, Cell: func(l line) string {
		s := l.series.Metrics.Summary(metric)
		if about != l.unit() || s.N == 0 { // not counted
			return ""
		}
		return l.first(show(s))
	}}
}

func median(s bench.Summary) string { return report.Short(s.Median) }

func (x *result) summary() bench.Summary { return x.series.Metrics.Summary(x.unit()) }

// first is a cell that only the first line of a row has.
func (l line) first(text string) string {
	if l.more {
		return " "
	}
	return text
}

// peerColumn is about the peer, if the line has one.
func peerColumn(head string, show func(l line) string) report.Column[line] {
	return report.Column[line]{Head: head, Cell: func(l line) string {
		if l.beside == nil || l.unit() != "ns/op" {
			return ""
		}
		return show(l)
	}}
}
