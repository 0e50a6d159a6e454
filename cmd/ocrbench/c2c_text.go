package main

import (
	"fmt"
	"slices"
	"strconv"

	c2capp "ocr/apps/c2c"
	"ocr/internal/bench"
	"ocr/internal/matrix"
	"ocr/internal/report"
)

// leastByLine is how many trials a place in memory needs for a median of its own.
const leastByLine = 3

// manyPairs is how many pairs are too many to show each by itself.
const manyPairs = 7

// text returns what people see: a table for each test and width, the matrix where
// pairs were listed, and the task tax. Of many pairs only the last two are shown.
func (r *c2cRun) text(matrices []*matrix.Matrix) *report.Text {
	t := &report.Text{NoTitle: !r.flags.title, NoHeader: !r.flags.header}
	for _, test := range r.flags.testList() {
		for _, width := range chosen(r.flags.widths, c2capp.Widths()) {
			rows := r.tableOf(test, width)
			if len(rows) == 0 {
				continue
			}
			title := fmt.Sprintf("%s, %d-byte elements", test, width)
			if r.flags.stats && len(r.pairs) < manyPairs {
				t.Sections = append(t.Sections, report.Section{
					Title: title + ": ns " + timeOf(test) + " by A's clock", Table: r.statistics(rows),
				})
			}
			if r.flags.perTrial {
				t.Sections = append(t.Sections, report.Section{Title: title + ": trials", Table: r.trials(rows)})
			}
		}
	}
	if !r.flags.stats {
		return t
	}
	if r.flags.pairs != "" {
		t.Sections = append(t.Sections, r.matrixSections(matrices)...)
	}
	if taxes := r.taxes(); len(taxes) > 0 {
		t.Sections = append(t.Sections, r.taxSection(taxes))
	}
	return t
}

func timeOf(test c2capp.Test) string {
	if test.Replies() {
		return "one way"
	}
	return "a block"
}

// c2cColumn is a column of a table of rows.
type c2cColumn struct {
	head string
	cell func(row *c2cRow) string
}

// keyColumns tell the rows of one table apart.
func (r *c2cRun) keyColumns(test c2capp.Test) []c2cColumn {
	columns := []c2cColumn{{"form", func(row *c2cRow) string { return string(row.form) }}}
	if test.HasLayout() {
		columns = append(columns, c2cColumn{"layout", func(row *c2cRow) string { return string(row.layout) }})
	}
	if test.HasLength() {
		columns = append(columns, c2cColumn{"length", func(row *c2cRow) string { return fmt.Sprint(row.length) }})
	}
	if len(r.pairs) > 1 {
		columns = append(columns, c2cColumn{"cpus", func(row *c2cRow) string { return row.pair.String() }})
	}
	return columns
}

// statistics returns a line for each row.
func (r *c2cRun) statistics(rows []*c2cRow) report.Table {
	test := rows[0].test
	keys := r.keyColumns(test)
	columns := append(keys, timeColumns()...)
	columns = append(columns, median("by B", timeUnit(test)+"-b"))
	if test.Replies() {
		columns = append(columns, median("round trip", "ns/roundtrip"))
	}
	rate := "Mbit/s"
	if test.HasLength() {
		rate = "Gbit/s"
	}
	columns = append(columns, median(rate, rate), c2cColumn{"by line", func(row *c2cRow) string {
		least, greatest, used := row.lineRange()
		if row.kept < leastByLine*used {
			return "-"
		}
		return report.Short(least) + ".." + report.Short(greatest)
	}})
	for _, base := range r.baselines(rows) {
		columns = append(columns, c2cColumn{"vs " + string(base), func(row *c2cRow) string { return r.ratio(row, base) }})
	}
	columns = append(columns,
		c2cColumn{"preempted", func(row *c2cRow) string { return figure(preemptionsUnit, row.total(preemptionsUnit)) }},
		c2cColumn{"collected", func(row *c2cRow) string { return figure(collectionsUnit, row.total(collectionsUnit)) }},
		c2cColumn{"doubted", func(row *c2cRow) string { return fmt.Sprint(row.doubted) }},
		c2cColumn{"ran on", (*c2cRow).placement},
		c2cColumn{"transfers", func(row *c2cRow) string { return fmt.Sprint(row.transfers) }},
		c2cColumn{"n", func(row *c2cRow) string { return fmt.Sprint(row.kept) }},
	)
	return tabulate(columns, len(keys), rows)
}

func timeColumns() []c2cColumn {
	column := func(head string, of func(bench.Summary) float64) c2cColumn {
		return c2cColumn{head, func(row *c2cRow) string { return report.Short(of(bench.Summarize(row.times()))) }}
	}
	return []c2cColumn{
		column("min", func(s bench.Summary) float64 { return s.Min }),
		column("p50", func(s bench.Summary) float64 { return s.P50 }),
		column("p90", func(s bench.Summary) float64 { return s.P90 }),
		column("p99", func(s bench.Summary) float64 { return s.P99 }),
		column("mean", func(s bench.Summary) float64 { return s.Mean }),
		column("sd", func(s bench.Summary) float64 { return s.StdDev }),
	}
}

// figure writes a value for people; counts are whole, and negative where not known.
func figure(unit string, v float64) string {
	if v < 0 {
		return "-"
	}
	if unit == preemptionsUnit || unit == collectionsUnit {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return report.Short(v)
}

// baselines returns the forms that rows can be set against.
func (r *c2cRun) baselines(rows []*c2cRow) []c2capp.Form {
	return slices.DeleteFunc(r.flags.baselines(), func(form c2capp.Form) bool {
		return !slices.ContainsFunc(rows, func(row *c2cRow) bool { return row.form == form })
	})
}

func median(head, unit string) c2cColumn {
	return c2cColumn{head, func(row *c2cRow) string { return report.Short(row.median(unit)) }}
}

// ratio tells how many times a baseline's median this row's is.
func (r *c2cRun) ratio(row *c2cRow, form c2capp.Form) string {
	base := r.find[c2cKey{row.c2cGroup, form}]
	switch base {
	case nil:
		return "-"
	case row:
		return "1"
	}
	return "x" + report.Short(row.time()/base.time())
}

// trials returns a line for each trial of each row.
func (r *c2cRun) trials(rows []*c2cRow) report.Table {
	keys := r.keyColumns(rows[0].test)
	table := report.Table{Left: len(keys)}
	for _, key := range keys {
		table.Head = append(table.Head, key.head)
	}
	table.Head = append(table.Head, "trial", "line")
	for _, m := range rows[0].series.Metrics {
		table.Head = append(table.Head, m.Unit)
	}
	for _, row := range rows {
		for t := range row.kept {
			var line []string
			for _, key := range keys {
				line = append(line, key.cell(row))
			}
			line = append(line, fmt.Sprint(t+1), fmt.Sprint(t%row.lines))
			for _, m := range row.series.Metrics {
				line = append(line, figure(m.Unit, m.Samples[t]))
			}
			table.Rows = append(table.Rows, line)
		}
	}
	return table
}

// tabulate makes a table; the first columns are flush left.
func tabulate(columns []c2cColumn, left int, rows []*c2cRow) report.Table {
	table := report.Table{Left: left}
	for _, column := range columns {
		table.Head = append(table.Head, column.head)
	}
	for _, row := range rows {
		var line []string
		for _, column := range columns {
			line = append(line, column.cell(row))
		}
		table.Rows = append(table.Rows, line)
	}
	return table
}
