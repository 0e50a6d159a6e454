package c2c

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	app "ocr/apps/c2c"
	"ocr/internal/measure/bench"
	"ocr/internal/show/matrix"
	"ocr/internal/show/report"
)

// manyPairs is how many pairs are too many to show each by itself.
const manyPairs = 7

// text returns what people see: a table for each test and width, and the matrices of all
// pairs. Of many pairs only the matrices are shown.
func (r *run) text(all []*matrix.Matrix) *report.Text {
	t := &report.Text{NoTitle: !r.shows(Title), NoHeader: !r.shows(Header)}
	add := func(title string, table report.Table) {
		t.Sections = append(t.Sections, report.Section{Title: title, Table: table})
	}
	for _, test := range r.Tests {
		for _, width := range r.Widths {
			rows := r.tableOf(test, width)
			if len(rows) == 0 {
				continue
			}
			title := fmt.Sprintf("%s, %d-byte elements", test, width)
			if r.shows(Statistics) && len(r.pairs) < manyPairs {
				add(title+": ns one way by A's clock", r.statistics(rows))
			}
			if r.shows(Trials) {
				add(title+": trials", r.trials(rows))
			}
		}
	}
	if !r.shows(Statistics) {
		return t
	}
	if r.AllPairs {
		for _, m := range all {
			t.Sections = append(t.Sections,
				report.Section{Title: fmt.Sprintf("%s (%s)", m.Title, m.Unit), Table: m.Table(), Body: m.Legend()},
				report.Section{Table: m.Classes()})
		}
	}
	return t
}

// meaning says what a transfer of the first row takes in each form.
func (r *run) meaning() string {
	first := r.rows[0].group
	var others []string
	for _, form := range Forms() {
		if row := r.find[key{first, form}]; row != nil {
			others = append(others, fmt.Sprintf("%s %s", form, report.Short(row.time())))
		}
	}
	return fmt.Sprintf("%s, ns one way: %s. Forms polled, goroutines and c poll memory; edt is EDTs.", first.test,
		strings.Join(others, ", "))
}

// keyColumns identify a row of a table. A column that would be the same in all rows is left out.
func keyColumns[R any](r *run, of func(R) *row) []report.Column[R] {
	column := func(head string, cell func(*row) string) report.Column[R] {
		return report.Words(head, func(line R) string { return cell(of(line)) })
	}
	return []report.Column[R]{
		column("form", func(row *row) string { return string(row.form) }),
		column("length", func(row *row) string {
			if !row.test.HasLength() {
				return ""
			}
			return strconv.Itoa(row.length)
		}),
		column("cpus", func(row *row) string {
			if len(r.pairs) == 1 {
				return ""
			}
			return row.pair.String()
		}),
	}
}

// statistics returns a line for each row.
func (r *run) statistics(rows []*row) report.Table {
	time := func(head string, of func(bench.Summary) float64) report.Column[*row] {
		return report.Cells(head, func(row *row) string { return report.Short(of(row.times())) })
	}
	median := func(head, unit string) report.Column[*row] {
		return report.Cells(head, func(row *row) string { return report.Short(row.median(unit)) })
	}
	test := rows[0].test
	columns := append(keyColumns(r, func(row *row) *row { return row }),
		time("min", func(s bench.Summary) float64 { return s.Min }).Detail(),
		time("p50", func(s bench.Summary) float64 { return s.Median }),
		time("p90", func(s bench.Summary) float64 { return s.P90 }).Detail(),
		time("p99", func(s bench.Summary) float64 { return s.P99 }),
		time("mean", func(s bench.Summary) float64 { return s.Mean }).Detail(),
		time("sd", func(s bench.Summary) float64 { return s.StdDev }).Detail(),
	)
	columns = append(columns,
		report.Cells("times polled", r.timesPolled),
		median("round trip", "ns/roundtrip").Detail(),
		median(rateUnit(test), rateUnit(test)).Detail(),
		report.Cells("preempted", func(row *row) string { return count(row.total(preemptionsUnit)) }).Detail(),
		report.Cells("collected", ifAny(rows, func(row *row) float64 { return row.total(collectionsUnit) })).Detail(),
		report.Cells("doubted", ifAny(rows, func(row *row) float64 { return float64(row.doubted) })),
		report.Cells("ran on", func(row *row) string {
			if row.doubted == 0 {
				return ""
			}
			return row.placement()
		}),
		report.Cells("transfers", func(row *row) string { return strconv.Itoa(row.cfg.Transfers) }).Detail(),
		report.Cells("n", func(row *row) string { return strconv.Itoa(row.kept) }),
	)
	return report.Tabulate(rows, columns)
}

// ifAny shows numbers of rows, and nothing if all are 0.
func ifAny(rows []*row, of func(*row) float64) func(*row) string {
	if !slices.ContainsFunc(rows, func(row *row) bool { return of(row) != 0 }) {
		return func(*row) string { return "" }
	}
	return func(row *row) string { return count(of(row)) }
}

// count writes how often something has happened; "?" if that is not known.
func count(n float64) string {
	if n < 0 {
		return "?"
	}
	return strconv.FormatFloat(n, 'f', 0, 64)
}

// timesPolled says how many times as long as the polled form a form takes, over trials that were taken in turn: of
// EDTs, what the runtime adds. It is empty if that form was not measured.
func (r *run) timesPolled(row *row) string {
	base := r.find[key{row.group, app.Polled}]
	if base == nil || base == row {
		return ""
	}
	return report.Short(bench.Ratio(row.samples(), base.samples()))
}

// trials returns a line for each trial of each row.
func (r *run) trials(rows []*row) report.Table {
	type trial struct {
		row *row
		t   int
	}
	var all []trial
	for _, row := range rows {
		for t := range row.kept {
			all = append(all, trial{row, t})
		}
	}
	columns := append(keyColumns(r, func(x trial) *row { return x.row }),
		report.Cells("trial", func(x trial) string { return strconv.Itoa(x.t + 1) }),
		report.Cells("line", func(x trial) string { return strconv.Itoa(x.t % lines) }))
	for m, metric := range rows[0].series.Metrics {
		columns = append(columns, report.Cells(metric.Unit, func(x trial) string {
			v := x.row.series.Metrics[m].Samples[x.t]
			if slices.Contains([]string{preemptionsUnit, collectionsUnit}, metric.Unit) {
				return count(v)
			}
			return report.Short(v)
		}))
	}
	return report.Tabulate(all, columns)
}
