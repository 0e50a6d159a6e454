package c2c

import (
	"strconv"

	app "ocr/apps/c2c"
	"ocr/internal/core/topo"
	"ocr/internal/measure/bench"
	"ocr/internal/show/report"
)

// tax is what a transfer costs as EDTs beside what it costs polled; ns, medians.
type tax struct {
	row          *row // the form of EDTs
	task, polled float64
	more, factor float64 // of trials that were taken in turn
	beside       string  // which polled test that is
}

// taxes compares the form of EDTs with the polled one, between two processors.
func (r *run) taxes() []tax {
	var taxes []tax
	for _, row := range r.rows {
		if row.form != app.EDT || row.class == topo.SameCPU {
			continue
		}
		t := tax{row: row, task: row.time()}
		for _, polled := range r.beside(row.group) {
			t.polled, t.beside = polled.time(), polled.lineName()
			t.more = bench.ByRound(row.samples(), polled.samples(), func(a, b float64) float64 { return a - b })
			t.factor = bench.Ratio(row.samples(), polled.samples())
			taxes = append(taxes, t)
		}
	}
	return taxes
}

// beside returns the polled rows that EDTs of a group are compared with, of those that were measured: the test itself
// in every layout, and of test single the one in which each end has a line of its own. EDTs hand over two lines or more
// for every element that is sent.
func (r *run) beside(g group) []*row {
	same, separate := g, g
	same.layout, separate.layout = app.Same, app.Separate
	others := []group{same, separate}
	if g.test == app.Single {
		own := separate
		own.test = app.Dual
		others = append(others, own)
	}
	var rows []*row
	for _, other := range others {
		if row := r.find[key{other, app.Polled}]; row != nil {
			rows = append(rows, row)
		}
	}
	return rows
}

// lineName names the test of a polled row, and how many lines of memory its elements take if they are single ones.
func (r *row) lineName() string {
	switch {
	case r.test.HasLength():
		return string(r.test)
	case r.layout == app.Same:
		return string(r.test) + ", one line"
	}
	return string(r.test) + ", two lines"
}

// taxTable returns a title and a table of taxes.
func taxTable(taxes []tax) (string, report.Table) {
	short := func(of func(tax) float64) func(tax) string {
		return func(t tax) string { return report.Short(of(t)) }
	}
	return "task tax: EDT hand-off beside the polled transfer; ns one way, medians",
		report.Tabulate(taxes, []report.Column[tax]{
			report.Words("test", func(t tax) string { return string(t.row.test) }),
			report.Words("width", func(t tax) string { return strconv.Itoa(t.row.width) }),
			report.Words("length", func(t tax) string { return strconv.Itoa(t.row.length) }),
			report.Words("cpus", func(t tax) string { return t.row.pair.String() }),
			report.Words("beside polled", func(t tax) string { return t.beside }),
			report.Cells("EDT", short(func(t tax) float64 { return t.task })),
			report.Cells("polled", short(func(t tax) float64 { return t.polled })),
			report.Cells("tax", short(func(t tax) float64 { return t.more })),
			report.Cells("times polled", short(func(t tax) float64 { return t.factor })),
		})
}
