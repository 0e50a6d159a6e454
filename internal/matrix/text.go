package matrix

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"ocr/internal/cpulist"
	"ocr/internal/topo"
)

// marks are how a boundary of a level looks: between columns and between rows.
var marks = map[Level]struct{ column, row, of string }{
	Package: {"#", "=", "packages"},
	Node:    {"|", "-", "NUMA nodes"},
	L3:      {":", ".", "level 3 caches"},
}

const siblingMark, missingMark = "s", "-"

// WriteText writes the matrix as a table for people, for a terminal or a file
// alike: a title, the numbers of the columns, the cells with lines at the boundaries
// of packages, nodes and level 3 caches, and what the marks mean.
func (m *Matrix) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s)\n", m.title, m.unit)
	newTable(m).write(&b)
	m.legend(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// table is the cells of a matrix in columns of one width.
type table struct {
	*Matrix
	corner string
	head   int // width of the column of CPU numbers
	width  int // of a cell without its mark
	marked bool
}

func newTable(m *Matrix) *table {
	t := &table{Matrix: m, corner: `from\to`, marked: m.HasSiblings()}
	if m.symmetric {
		t.corner = "CPU"
	}
	t.head = len(t.corner)
	for row := range m.Len() {
		number := len(strconv.Itoa(m.CPU(row)))
		t.head, t.width = max(t.head, number), max(t.width, number)
		for column := range m.Len() {
			t.width = max(t.width, len(t.cell(row, column)))
		}
	}
	return t
}

func (t *table) write(b *strings.Builder) {
	t.line(b, t.corner, func(column int) (string, string) {
		return strconv.Itoa(t.CPU(column)), ""
	})
	for row := range t.Len() {
		if level := t.Boundary(row); level != None {
			t.rule(b, marks[level].row)
		}
		t.line(b, strconv.Itoa(t.CPU(row)), func(column int) (string, string) {
			if t.Siblings(row, column) {
				return t.cell(row, column), siblingMark
			}
			return t.cell(row, column), ""
		})
	}
}

func (t *table) cell(row, column int) string {
	if row == column {
		return ""
	}
	v, ok := t.Value(row, column)
	if !ok {
		return missingMark
	}
	return t.Format(v)
}

// line writes one line of the table, without blanks at its end.
func (t *table) line(b *strings.Builder, head string, cell func(column int) (text, mark string)) {
	var line strings.Builder
	fmt.Fprintf(&line, "%*s", t.head, head)
	for column := range t.Len() {
		if level := t.Boundary(column); level != None {
			line.WriteString(" " + marks[level].column)
		}
		text, mark := cell(column)
		fmt.Fprintf(&line, " %*s", t.width, text)
		if t.marked {
			fmt.Fprintf(&line, "%-*s", len(siblingMark), mark)
		}
	}
	b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
}

// rule writes a boundary between rows, as wide as a line.
func (t *table) rule(b *strings.Builder, mark string) {
	width := 1 + t.width
	if t.marked {
		width += len(siblingMark)
	}
	b.WriteString(strings.Repeat(mark, t.head))
	for column := range t.Len() {
		if t.Boundary(column) != None {
			b.WriteString(mark + "+")
		}
		b.WriteString(strings.Repeat(mark, width))
	}
	b.WriteString("\n")
}

// legend explains the marks that the table uses and names the places.
func (m *Matrix) legend(b *strings.Builder) {
	if !m.symmetric {
		b.WriteString("rows: first CPU of a pair (from); columns: second CPU (to)\n")
	}
	if m.HasSiblings() {
		fmt.Fprintf(b, "%s   both CPUs are threads of one core\n", siblingMark)
	}
	if n := m.Missing(); n > 0 {
		fmt.Fprintf(b, "%s   not measured (%d of %d pairs)\n", missingMark, n, m.Pairs())
	}
	for _, level := range []Level{Package, Node, L3} {
		if m.bounds(level) {
			fmt.Fprintf(b, "%s %s boundary between %s\n", marks[level].column, marks[level].row, marks[level].of)
		}
	}
	for _, place := range m.Groups(L3) {
		fmt.Fprintf(b, "%s: %s\n", placeName(m.places[place.First]), m.cpus(place))
	}
}

// bounds tells whether a boundary of the level lies between two rows.
func (m *Matrix) bounds(level Level) bool {
	for row := range m.Len() {
		if m.Boundary(row) == level {
			return true
		}
	}
	return false
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
