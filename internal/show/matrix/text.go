package matrix

import (
	"fmt"
	"strconv"
	"strings"

	"ocr/internal/core/cpulist"
	"ocr/internal/core/topo"
	"ocr/internal/show/report"
)

// marks are how a boundary of a level looks: between columns and between rows.
var marks = map[Level]struct{ column, row, of string }{
	Package: {"#", "=", "packages"},
	Node:    {"|", "-", "NUMA nodes"},
	L3:      {":", ".", "level 3 caches"},
}

const siblingMark, missingMark = "s", "-"

// Table returns the cells for people, with marks at the boundaries of packages, nodes and
// level 3 caches. Legend says what the marks mean.
func (m *Matrix) Table() report.Table {
	const corner = "CPU"
	width := 0
	for row := range m.Len() {
		for column := range m.Len() {
			width = max(width, len(m.cell(row, column)))
		}
	}
	t := report.Table{Head: []string{corner}, Left: 1}
	for column := range m.Len() {
		t.Head = append(t.Head, m.bounded(column, strconv.Itoa(m.CPU(column)), width))
	}
	for row := range m.Len() {
		line := []string{strconv.Itoa(m.CPU(row))}
		for column := range m.Len() {
			line = append(line, m.bounded(column, m.cell(row, column), width))
		}
		t.Rows = append(t.Rows, line)
	}
	t.Over = map[int]string{}
	for row := range m.Len() {
		if level := m.Boundary(row); level != None {
			t.Over[row] = strings.Repeat(marks[level].row, min(len(corner)+m.Len()*(width+2), report.Width))
		}
	}
	return t
}

// cell returns the text of a cell, with a place for the mark of siblings if any are.
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

// bounded puts the mark of a boundary in front of what stands in a column.
func (m *Matrix) bounded(column int, text string, width int) string {
	level := m.Boundary(column)
	if level == None {
		return text
	}
	return fmt.Sprintf("%s%*s", marks[level].column, width, text)
}

// Legend explains the marks that the table uses and names the places, in whole lines.
func (m *Matrix) Legend() string {
	var b strings.Builder
	if m.HasSiblings() {
		fmt.Fprintf(&b, "%s   both CPUs are threads of one core\n", siblingMark)
	}
	if n := m.Missing(); n > 0 {
		fmt.Fprintf(&b, "%s   not measured (%d of %d pairs)\n", missingMark, n, m.Pairs())
	}
	for _, level := range []Level{Package, Node, L3} {
		if m.Divides(level) {
			fmt.Fprintf(&b, "%s %s boundary between %s\n", marks[level].column, marks[level].row, marks[level].of)
		}
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
