package main

import (
	"cmp"
	"fmt"
	"slices"

	c2capp "ocr/apps/c2c"
	"ocr/internal/bench"
	"ocr/internal/report"
	"ocr/internal/topo"
)

// c2cTax is what a transfer costs as EDTs beside what it costs polled; ns, medians.
type c2cTax struct {
	row          *c2cRow // the form of EDTs
	task, polled float64
	beside       string  // which polled form that is
	local        float64 // the same EDTs on one worker; 0 where not measured
}

// taxes compares every form of EDTs that crosses between processors.
func (r *c2cRun) taxes() []c2cTax {
	var taxes []c2cTax
	for _, row := range r.rows {
		if !ofEDTs(row.form) || row.form == c2capp.Local || row.class == topo.SameCPU {
			continue
		}
		tax := c2cTax{row: row, task: row.time()}
		if local := r.find[c2cKey{row.c2cGroup, c2capp.Local}]; local != nil {
			tax.local = local.time()
		}
		for _, polled := range r.beside(row.c2cGroup) {
			tax.polled, tax.beside = polled.time(), polled.lineName()
			taxes = append(taxes, tax)
		}
	}
	return taxes
}

// beside returns the polled rows that EDTs of a group are compared with, of those that
// were measured: the test itself in every layout, and where both of its ends write to
// the same lines, the test in which each has its own. EDTs hand over two lines or more
// for every element that is sent.
func (r *c2cRun) beside(g c2cGroup) []*c2cRow {
	twoLines := map[c2capp.Test]c2capp.Test{c2capp.Single: c2capp.Dual, c2capp.Array: c2capp.DualArray}
	same, separate, apart := g, g, g
	same.layout, separate.layout = c2capp.Same, c2capp.Separate
	apart.test, apart.layout = twoLines[g.test], c2capp.Separate
	var rows []*c2cRow
	for _, other := range []c2cGroup{same, separate, apart} {
		if row := r.find[c2cKey{other, c2capp.Polled}]; row != nil {
			rows = append(rows, row)
		}
	}
	return rows
}

// lineName names the test of a polled row and how many lines of memory its elements
// take, where they are single ones.
func (row *c2cRow) lineName() string {
	switch {
	case row.test.HasLength():
		return string(row.test)
	case row.layout == c2capp.Same:
		return string(row.test) + ", one line"
	}
	return string(row.test) + ", two lines"
}

func (r *c2cRun) taxSection(taxes []c2cTax) report.Section {
	s := report.Section{Title: "task tax: a hand-off between EDTs beside the same transfer polled; ns one way (ring: a block), medians"}
	if len(r.pairs) < manyPairs {
		s.Table = taxTable("cpus", taxes, func(t c2cTax) string { return t.row.pair.String() })
		return s
	}
	s.Title += " over the pairs of a class"
	s.Table = taxTable("class", taxesByClass(taxes), func(t c2cTax) string { return t.row.class.String() })
	return s
}

func taxTable(head string, taxes []c2cTax, where func(c2cTax) string) report.Table {
	table := report.Table{
		Head: []string{"test", "form", "width", "length", head, "beside polled", "EDT", "polled", "tax", "factor", "edt-local"},
		Left: 6,
	}
	for _, t := range taxes {
		local := "-"
		if t.local != 0 {
			local = report.Short(t.local)
		}
		table.Rows = append(table.Rows, []string{
			string(t.row.test), string(t.row.form), fmt.Sprint(t.row.width), fmt.Sprint(t.row.length), where(t), t.beside,
			report.Short(t.task), report.Short(t.polled), report.Short(t.task - t.polled), "x" + report.Short(t.task/t.polled), local,
		})
	}
	return table
}

// taxesByClass puts the medians of all pairs of a class in the place of each. Its
// rows stand for their class.
func taxesByClass(taxes []c2cTax) []c2cTax {
	type kind struct {
		c2cKey
		class  topo.Class
		beside string
	}
	var kinds []kind
	members := map[kind][]c2cTax{}
	for _, t := range taxes {
		k := kind{t.row.c2cKey, t.row.class, t.beside}
		k.pair.From, k.pair.To = 0, 0
		if members[k] == nil {
			kinds = append(kinds, k)
		}
		members[k] = append(members[k], t)
	}
	slices.SortStableFunc(kinds, func(a, b kind) int { return cmp.Compare(a.class, b.class) })
	var merged []c2cTax
	for _, k := range kinds {
		all := members[k]
		t := all[0]
		t.task = medianTax(all, func(t c2cTax) float64 { return t.task })
		t.polled = medianTax(all, func(t c2cTax) float64 { return t.polled })
		t.local = medianTax(all, func(t c2cTax) float64 { return t.local })
		merged = append(merged, t)
	}
	return merged
}

// medianTax returns the median of those figures that were measured, 0 where none was.
func medianTax(taxes []c2cTax, of func(c2cTax) float64) float64 {
	var values []float64
	for _, t := range taxes {
		if v := of(t); v != 0 {
			values = append(values, v)
		}
	}
	return bench.Summarize(values).Median
}
