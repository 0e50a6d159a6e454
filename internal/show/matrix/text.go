package matrix

import (
	"fmt"
	"strconv"
	"strings"

	"ocr/internal/core/cpulist"
	"ocr/internal/core/topo"
	"ocr/internal/show/report"
)

const siblingMark, missingMark = "s", "-"

// Table returns the cells as a table. Legend explains the marks.
func (m *Matrix) Table() report.Table {
	t := report.Table{Head: []string{"CPU"}, Left: 1}
	for row := range m.Len() {
		cpu := strconv.Itoa(m.CPU(row))
		line := []string{cpu}
		for column := range m.Len() {
			line = append(line, m.cell(row, column))
		}
		t.Head, t.Rows = append(t.Head, cpu), append(t.Rows, line)
	}
	return t
}

// cell returns the text of a cell, with room for the mark of siblings if any cell has it.
func (m *Matrix) cell(row, column int) string {
	text, mark := missingMark, ""
	if v, ok := m.Value(row, column); ok {
		text = m.Format(v)
	}
	if row == column {
		text = ""
	}
	if m.HasSiblings() {
		mark = " "
		if m.Siblings(row, column) {
			mark = siblingMark
		}
	}
	return text + mark
}

// Legend explains the marks of the table and names the places in the order of the rows, in whole lines.
func (m *Matrix) Legend() string {
	var b strings.Builder
	if m.HasSiblings() {
		fmt.Fprintf(&b, "%s   both CPUs are threads of one core\n", siblingMark)
	}
	if n := m.Missing(); n > 0 {
		fmt.Fprintf(&b, "%s   not measured (%d of %d pairs)\n", missingMark, n, m.Pairs())
	}
	for _, place := range m.Groups(L3) {
		fmt.Fprintf(&b, "%s: %s\n", placeName(m.places[place.First]), m.cpus(place))
	}
	return b.String()
}

func (m *Matrix) cpus(g Group) string {
	var ids []int
	for row := g.First; row <= g.Last; row++ {
		ids = append(ids, m.CPU(row))
	}
	if len(ids) == 1 {
		return "CPU " + cpulist.Format(ids)
	}
	return "CPUs " + cpulist.Format(ids)
}

// placeName names the package, node and cache of a CPU, as far as they are known.
func placeName(c topo.CPU) string {
	var parts []string
	for _, level := range []Level{Package, Node, L3} {
		if n := level.number(c); n != topo.Unknown {
			parts = append(parts, fmt.Sprintf("%s %d", level, n))
		}
	}
	if parts == nil {
		return "place unknown"
	}
	return strings.Join(parts, ", ")
}
