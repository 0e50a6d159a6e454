package overhead

import (
	"fmt"
	"slices"

	"ocr/internal/bench"
	"ocr/internal/report"
)

// text returns what people see: a table for each section.
func (r *run) text() *report.Text {
	t := &report.Text{}
	for _, section := range r.sections() {
		var rows []*Row
		for _, row := range r.cfg.Rows {
			if row.Section == section {
				rows = append(rows, row)
			}
		}
		table := r.timeTable(rows)
		switch section {
		case Footprint:
			table = r.memoryTable(rows)
		case Latency:
			table = r.latencyTable(rows)
		}
		if len(table.Rows) > 0 {
			t.Sections = append(t.Sections, report.Section{Title: string(section), Table: table})
		}
		if beyond := r.beyondNull(rows); len(beyond.Rows) > 0 {
			t.Sections = append(t.Sections, report.Section{Title: string(section) + ": ns/op beyond the chain alone, " + nullRow, Table: beyond})
		}
	}
	return t
}

// sections returns the sections of the rows, in their order.
func (r *run) sections() []Section {
	var list []Section
	for _, row := range r.cfg.Rows {
		if !slices.Contains(list, row.Section) {
			list = append(list, row.Section)
		}
	}
	return list
}

// timeTable shows rows of time. Peers after the first have a line of their own.
func (r *run) timeTable(rows []*Row) report.Table {
	t := report.Table{
		Head: []string{"row", "workers", "ns/op", "95 % interval", "min", "n", "Mop/s", "allocs/op", "plain Go", "ns/op", "x Go"},
		Left: 1,
	}
	for _, row := range rows {
		if most := slices.Max(r.workersOf(row)); most < row.MinWorkers {
			t.Rows = append(t.Rows, []string{row.Name, fmt.Sprintf("needs %d", row.MinWorkers), "-", "-", "-", "-", "-", "-", "-", "-", "-"})
		}
		for _, workers := range r.workersOf(row) {
			x := r.find[key{row.Name, workers, ""}]
			if x == nil {
				continue
			}
			s := x.summary("ns/op")
			cells := append([]string{row.Name, fmt.Sprint(workers)}, spread(s)...)
			cells = append(cells, report.Short(x.summary("op/s").Median/1e6), allocations(x.summary("allocs/op").Median))
			t.Rows = append(t.Rows, r.besides(row, workers, "ns/op", cells, s)...)
		}
	}
	return t
}

// latencyTable shows rows about single operations: medians over the samples of each
// sample's percentiles.
func (r *run) latencyTable(rows []*Row) report.Table {
	t := report.Table{Head: []string{"row", "workers", "p50 ns", "p90", "p99", "max", "largest max", "n"}, Left: 1}
	for _, row := range rows {
		for _, workers := range r.workersOf(row) {
			x := r.find[key{row.Name, workers, ""}]
			if x == nil {
				t.Rows = append(t.Rows, []string{row.Name, fmt.Sprintf("needs %d", row.MinWorkers), "-", "-", "-", "-", "-", "-"})
				continue
			}
			cells := []string{row.Name, fmt.Sprint(workers)}
			for _, unit := range []string{"p50-ns", "p90-ns", "p99-ns", "max-ns"} {
				cells = append(cells, report.Short(x.summary(unit).Median))
			}
			largest := x.summary("max-ns")
			t.Rows = append(t.Rows, append(cells, report.Short(largest.Max), fmt.Sprint(largest.N)))
		}
	}
	return t
}

// nullRow is the chain of EDTs without which a block is not acquired and released.
const nullRow = "acquire-release/mode=Null/block=own"

// beyondNull shows what rows of acquire and release take beyond that chain, of medians
// and of minima, where it was measured on as many workers.
func (r *run) beyondNull(rows []*Row) report.Table {
	t := report.Table{Head: []string{"row", "workers", "ns/op", "min"}, Left: 1}
	for _, row := range rows {
		for _, workers := range r.workersOf(row) {
			x, null := r.find[key{row.Name, workers, ""}], r.find[key{nullRow, workers, ""}]
			if row.Section == Acquire && row.Name != nullRow && x != nil && null != nil {
				s, chain := x.summary("ns/op"), null.summary("ns/op")
				t.Rows = append(t.Rows, []string{row.Name, fmt.Sprint(workers), report.Short(s.Median - chain.Median), report.Short(s.Min - chain.Min)})
			}
		}
	}
	return t
}

// memoryTable shows rows of memory.
func (r *run) memoryTable(rows []*Row) report.Table {
	t := report.Table{
		Head: []string{"row", "bytes/object", "95 % interval", "min", "n", "plain Go", "bytes/object", "x Go"},
		Left: 1,
	}
	for _, row := range rows {
		if x := r.find[key{row.Name, 1, ""}]; x != nil {
			s := x.summary("B/object")
			t.Rows = append(t.Rows, r.besides(row, 1, "B/object", append([]string{row.Name}, spread(s)...), s)...)
		}
	}
	return t
}

// besides completes the cells of a row with those of its peers, a line for each.
func (r *run) besides(row *Row, workers int, unit string, cells []string, s bench.Summary) [][]string {
	lines := [][]string{cells}
	filled := len(cells)
	for _, name := range peerNames(row) {
		x := r.find[key{row.Name, workers, name}]
		if x == nil {
			continue
		}
		last := len(lines) - 1
		if len(lines[last]) > filled {
			lines = append(lines, slices.Repeat([]string{""}, filled))
			last++
		}
		median := x.summary(unit).Median
		times := "-"
		if median > 0 {
			times = report.Short(s.Median / median)
		}
		lines[last] = append(lines[last], name, report.Short(median), times)
	}
	if len(lines[0]) == filled {
		lines[0] = append(lines[0], "-", "-", "-")
	}
	return lines
}

// spread are the cells of a summary.
func spread(s bench.Summary) []string {
	return []string{
		report.Short(s.Median), report.Short(s.Lo) + " .. " + report.Short(s.Hi), report.Short(s.Min), fmt.Sprint(s.N),
	}
}

// allocations writes how often an operation allocates: what is less than once in two
// hundred is the heap's and the clock's, not the operation's.
func allocations(perOp float64) string {
	if perOp < 0.005 {
		return "0"
	}
	return fmt.Sprintf("%.2f", perOp)
}

// summary describes the samples of a unit.
func (x *result) summary(unit string) bench.Summary {
	for _, m := range x.series.Metrics {
		if m.Unit == unit {
			return bench.Summarize(m.Samples)
		}
	}
	return bench.Summary{}
}
