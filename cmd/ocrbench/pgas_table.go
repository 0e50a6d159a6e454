package main

import (
	"fmt"
	"slices"

	pgasapp "ocr/apps/pgas"
	"ocr/internal/bench"
	"ocr/internal/report"
)

// text returns what people see: a table for each class of tests, and what the rows say
// beside the baselines.
func (r *pgasRun) text() *report.Text {
	t := &report.Text{}
	for _, class := range []struct {
		class   pgasClass
		title   string
		columns []pgasColumn
	}{
		{latencyClass, "latency: ns of an iteration, min, median and p99 over slices of as many (mean of each); mean over all", r.latencyColumns()},
		{bandwidthClass, "bandwidth: MB/s (2^20 bytes) of an origin, median over samples; of slices the median, and what 99 % of them exceed", r.bandwidthColumns()},
		{stridedClass, "strided: MB/s (2^20 bytes) of payload of an origin, median over samples; of slices the median, and what 99 % of them exceed", r.stridedColumns()},
		{reductionClass, "reduction: ns of a sum to all, min, median and p99 over slices of as many (mean of each); mean over all", r.reductionColumns()},
	} {
		if rows := r.ordered(class.class); len(rows) > 0 {
			t.Sections = append(t.Sections, report.Section{Title: class.title, Table: tableOf(class.columns, rows)})
		}
	}
	if checks := r.checks(); len(checks) > 0 {
		t.Sections = append(t.Sections, report.Section{Title: "checks against baselines of the same run, by medians over slices", Table: checkTable(checks)})
	}
	return t
}

// pgasColumn is a column of a table of rows. One that is empty in every row is left out.
type pgasColumn struct {
	head string
	left bool
	cell func(row *pgasRow) string
}

// keyColumns tell rows apart.
func (r *pgasRun) keyColumns() []pgasColumn {
	columns := []pgasColumn{
		{"test", true, func(row *pgasRow) string { return row.test }},
		{"form", true, func(row *pgasRow) string { return string(row.form) }},
	}
	setting := func(head string, has func(pgasapp.Uses) bool, value func(*pgasRow) string) {
		columns = append(columns, pgasColumn{head, true, func(row *pgasRow) string {
			if !has(row.suiteTest().Uses) {
				return ""
			}
			return value(row)
		}})
	}
	setting("sync", func(u pgasapp.Uses) bool { return len(u.Syncs) > 0 }, func(row *pgasRow) string { return string(row.sync) })
	setting("window", func(u pgasapp.Uses) bool { return u.Window }, func(row *pgasRow) string { return fmt.Sprint(row.window) })
	setting("completion", func(u pgasapp.Uses) bool { return u.Window }, func(row *pgasRow) string { return row.completes() })
	setting("mode", func(u pgasapp.Uses) bool { return u.Stream }, func(row *pgasRow) string { return row.mode() })
	setting("stride", func(u pgasapp.Uses) bool { return u.Stride }, func(row *pgasRow) string { return fmt.Sprint(row.stride) })
	setting("strided", func(u pgasapp.Uses) bool { return u.Stride }, func(row *pgasRow) string {
		if row.stride == 1 {
			return "none"
		}
		return string(row.strided)
	})
	setting("type", func(u pgasapp.Uses) bool { return u.Type }, func(row *pgasRow) string { return row.element.String() })
	return append(columns,
		pgasColumn{"size", false, func(row *pgasRow) string {
			if row.bytes == 0 {
				return ""
			}
			return formatBytes(row.bytes)
		}},
		pgasColumn{"fits", true, func(row *pgasRow) string { return row.fits }})
}

// countColumns end a row: the task tax, and how often was measured.
func (r *pgasRun) countColumns() []pgasColumn {
	return []pgasColumn{
		{"vs direct", false, r.tax},
		{"iterations", false, func(row *pgasRow) string { return fmt.Sprint(row.iterations) }},
		{"n", false, func(row *pgasRow) string { return fmt.Sprint(row.kept) }},
	}
}

// tax tells how many times the direct form's time the edt form takes.
func (r *pgasRun) tax(row *pgasRow) string {
	direct := r.find[pgasKey{row.pgasVariant, pgasapp.Direct}]
	if row.form != pgasapp.EDT || direct == nil {
		return ""
	}
	return "x" + report.Short(row.typical()/direct.typical())
}

// medianColumn shows the median of a unit over samples.
func medianColumn(head, unit string) pgasColumn {
	return pgasColumn{head, false, func(row *pgasRow) string {
		if v := row.median(unit); v > 0 {
			return report.Short(v)
		}
		return ""
	}}
}

// sliceColumns are the times of an iteration. Nobody can time a single short one: a slice
// is several, and its percentiles are of means.
func sliceColumns() []pgasColumn {
	slice := func(head string, of func(bench.Summary) float64) pgasColumn {
		return pgasColumn{head, false, func(row *pgasRow) string { return report.Short(of(bench.Summarize(row.slices))) }}
	}
	return []pgasColumn{
		slice("slice min", func(s bench.Summary) float64 { return s.Min }),
		slice("slice median", func(s bench.Summary) float64 { return s.Median }),
		{"mean", false, func(row *pgasRow) string { return report.Short(row.mean("ns/op")) }},
		slice("slice p99", func(s bench.Summary) float64 { return s.P99 }),
		sliceLength(),
	}
}

// sliceLength shows the iterations of a slice.
func sliceLength() pgasColumn {
	return pgasColumn{"slice of", false, func(row *pgasRow) string { return report.Short(bench.Summarize(row.sliced).Median) }}
}

// lineColumn shows how many times the time of the line baseline of its group a row takes.
func (r *pgasRun) lineColumn() pgasColumn {
	return pgasColumn{"of line", false, func(row *pgasRow) string {
		if row.suiteTest().Uses.DirectOnly {
			return ""
		}
		k := pgasKey{plainVariant(baseLine, 0), pgasapp.Direct}
		k.beside = besideOf(classOf(row.suiteTest()), row.bytes)
		line := r.find[k]
		if line == nil {
			k.beside = ""
			line = r.find[k]
		}
		if line == nil {
			return ""
		}
		return "x" + report.Short(row.typical()/line.typical())
	}}
}

func (r *pgasRun) latencyColumns() []pgasColumn {
	return slices.Concat(r.keyColumns(),
		[]pgasColumn{{"of a", true, func(row *pgasRow) string { return operation(row.suiteTest()) }}},
		sliceColumns(),
		[]pgasColumn{
			{"half (median)", false, func(row *pgasRow) string {
				if !row.suiteTest().RoundTrip {
					return ""
				}
				return report.Short(row.typical() / 2)
			}},
			medianColumn("per second", "msg/s"), r.lineColumn(),
			{"beside", false, func(row *pgasRow) string { return row.beside }},
		},
		r.countColumns())
}

func (r *pgasRun) bandwidthColumns() []pgasColumn {
	return slices.Concat(r.keyColumns(), rateColumns(),
		[]pgasColumn{{"of copy", false, func(row *pgasRow) string {
			base := plainVariant(baseCopy, row.bytes)
			base.stream = row.stream
			copied := r.find[pgasKey{base, pgasapp.Direct}]
			if copied == nil || row.test == baseCopy {
				return ""
			}
			return report.Short(row.typicalRate() / copied.typicalRate())
		}}},
		r.countColumns())
}

func (r *pgasRun) stridedColumns() []pgasColumn {
	return slices.Concat(r.keyColumns(), rateColumns(), r.countColumns())
}

// rateColumns are medians over samples, but for slices. With one origin there is one rate.
func rateColumns() []pgasColumn {
	several := func(head, unit string) pgasColumn {
		c := medianColumn(head, unit)
		all := c.cell
		c.cell = func(row *pgasRow) string {
			if row.origins < 2 {
				return ""
			}
			return all(row)
		}
		return c
	}
	return []pgasColumn{
		medianColumn("MB/s", "MB/s"),
		rateColumn("slice median", func(s bench.Summary) float64 { return s.Median }),
		rateColumn("slice p99", func(s bench.Summary) float64 { return s.P99 }),
		sliceLength(),
		several("least origin", "min-MB/s"), several("most", "max-MB/s"), several("sum", "sum-MB/s"), several("aggregate", "aggregate-MB/s"),
		medianColumn("msg/s", "msg/s"), medianColumn("ns a message", "ns/op"),
	}
}

// rateColumn shows the MB/s of a slice that takes so long an iteration.
func rateColumn(head string, of func(bench.Summary) float64) pgasColumn {
	return pgasColumn{head, false, func(row *pgasRow) string {
		ns := of(bench.Summarize(row.slices))
		if !(ns > 0) {
			return ""
		}
		return report.Short(rateOf(row.bytes, ns))
	}}
}

func (r *pgasRun) reductionColumns() []pgasColumn {
	return slices.Concat(r.keyColumns(), sliceColumns(), []pgasColumn{medianColumn("per second", "msg/s"), r.lineColumn()}, r.countColumns())
}

// tableOf makes a table of the columns that are not empty.
func tableOf(columns []pgasColumn, rows []*pgasRow) report.Table {
	table := report.Table{Rows: make([][]string, len(rows))}
	for _, column := range columns {
		cells := make([]string, len(rows))
		for i, row := range rows {
			cells[i] = column.cell(row)
		}
		if !slices.ContainsFunc(cells, func(cell string) bool { return cell != "" }) {
			continue
		}
		table.Head = append(table.Head, column.head)
		if column.left && table.Left == len(table.Head)-1 {
			table.Left++
		}
		for i, cell := range cells {
			if cell == "" {
				cell = "-"
			}
			table.Rows[i] = append(table.Rows[i], cell)
		}
	}
	return table
}
