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
		polled, name := r.beside(row.c2cGroup)
		if !ofEDTs(row.form) || row.form == c2capp.Local || row.class == topo.SameCPU || polled == nil {
			continue
		}
		tax := c2cTax{row: row, task: row.time(), polled: polled.time(), beside: name}
		if local := r.find[c2cKey{row.c2cGroup, c2capp.Local}]; local != nil {
			tax.local = local.time()
		}
		taxes = append(taxes, tax)
	}
	return taxes
}

// beside returns the polled row that EDTs of a group are compared with. EDTs always
// move two lines or more, so a single element is compared with dual ones on two
// lines where those were measured.
func (r *c2cRun) beside(g c2cGroup) (polled *c2cRow, name string) {
	if !g.test.HasLength() {
		two := g
		two.test, two.layout = c2capp.Dual, c2capp.Separate
		if row := r.find[c2cKey{two, c2capp.Polled}]; row != nil {
			return row, "dual, two lines"
		}
		name = ", one line"
	}
	return r.find[c2cKey{g, c2capp.Polled}], string(g.test) + name
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
		class topo.Class
	}
	var kinds []kind
	members := map[kind][]c2cTax{}
	for _, t := range taxes {
		k := kind{t.row.c2cKey, t.row.class}
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

func medianTax(taxes []c2cTax, of func(c2cTax) float64) float64 {
	var values []float64
	for _, t := range taxes {
		values = append(values, of(t))
	}
	return bench.Summarize(values).Median
}
