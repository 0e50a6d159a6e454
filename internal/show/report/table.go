package report

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// Width is the greatest length of a line of the text format, unless a document sets its own.
const Width = 100

// Table has a head and rows of as many cells.
type Table struct {
	Head []string       `json:"head,omitempty"` // may be nil
	Rows [][]string     `json:"rows"`
	Left int            `json:"left,omitempty"` // the first Left columns are flush left, the others right
	Ends bool           `json:"ends,omitempty"` // the last column has words: it is flush left
	Over map[int]string `json:"over,omitempty"` // by row: a line above it; may be nil
	// Details are the columns that only a verbose text has.
	Details []int `json:"details,omitempty"`
}

// IsZero reports whether there is no row: then JSON has no table.
func (t Table) IsZero() bool { return len(t.Rows) == 0 }

// Column is a column of a table with a row for each R.
type Column[R any] struct {
	Head string
	Left bool           // flush left; only for the first columns, or the last
	Cell func(R) string // "": the row has no value
	more bool           // for a verbose text only
}

// Detail returns the column for a verbose text only.
func (c Column[R]) Detail() Column[R] {
	c.more = true
	return c
}

// Words returns a column of words, flush left.
func Words[R any](head string, of func(R) string) Column[R] {
	return Column[R]{Head: head, Left: true, Cell: of}
}

// Cells returns a column that is flush right.
func Cells[R any](head string, of func(R) string) Column[R] { return Column[R]{Head: head, Cell: of} }

// Figure returns a column of numbers, see [Short]; 0 means no value.
func Figure[R any](head string, of func(R) float64) Column[R] {
	return Cells(head, func(row R) string {
		if v := of(row); v != 0 {
			return Short(v)
		}
		return ""
	})
}

// Tabulate makes a table of rows. It leaves out a column that has no value in any row; in other columns "-" replaces an
// empty cell.
func Tabulate[R any](rows []R, columns []Column[R]) Table {
	t := Table{Rows: make([][]string, len(rows))}
	for at, column := range columns {
		cells := make([]string, len(rows))
		for i, row := range rows {
			cells[i] = column.Cell(row)
		}
		if !slices.ContainsFunc(cells, func(cell string) bool { return strings.TrimSpace(cell) != "" }) {
			continue
		}
		if column.Left && t.Left == len(t.Head) {
			t.Left++
		}
		t.Ends = column.Left && at == len(columns)-1
		if column.more {
			t.Details = append(t.Details, len(t.Head))
		}
		t.Head = append(t.Head, column.Head)
		for i, cell := range cells {
			if cell == "" {
				cell = "-"
			}
			t.Rows[i] = append(t.Rows[i], cell)
		}
	}
	return t
}

// brief returns the table without its details. All details are flush right, so Left stays as it is.
func (t Table) brief() Table {
	without := func(cells []string) (kept []string) {
		for k, cell := range cells {
			if !slices.Contains(t.Details, k) {
				kept = append(kept, cell)
			}
		}
		return kept
	}
	rows := make([][]string, len(t.Rows))
	for i, row := range t.Rows {
		rows[i] = without(row)
	}
	t.Head, t.Rows = without(t.Head), rows
	return t
}

// Write writes the table in lines of at most width characters; a width below 1 is no limit. Columns that do not fit
// follow below, after another copy of the columns that are flush left.
func (t *Table) Write(b *bytes.Buffer, width int) {
	lines, heads := t.Rows, 0
	if len(t.Head) > 0 {
		lines, heads = append([][]string{t.Head}, t.Rows...), 1
	}
	widths := columnWidths(lines)
	for i, columns := range t.parts(widths, width) {
		if i > 0 {
			b.WriteByte('\n')
		}
		for row, cells := range lines {
			if over := t.Over[row-heads]; over != "" {
				b.WriteString(over + "\n")
			}
			var line strings.Builder
			for _, k := range columns {
				if k < len(cells) {
					t.cell(&line, k, cells[k], widths)
				}
			}
			b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
		}
	}
}

// gap is between two columns.
const gap = "  "

func (t *Table) cell(line *strings.Builder, k int, cell string, widths []int) {
	if line.Len() > 0 {
		line.WriteString(gap)
	}
	blanks := strings.Repeat(" ", widths[k]-utf8.RuneCountInString(cell))
	if k < t.Left || t.Ends && k == len(widths)-1 {
		line.WriteString(cell + blanks)
	} else {
		line.WriteString(blanks + cell)
	}
}

// parts returns the columns that are written beside each other, for each part of the table: those that are flush left,
// and at least one other.
func (t *Table) parts(widths []int, width int) [][]int {
	var left []int
	used := 0
	for k := range min(max(t.Left, 0), len(widths)) {
		left, used = append(left, k), used+widths[k]+len(gap)
	}
	parts, at := [][]int{slices.Clip(left)}, used
	for k := len(left); k < len(widths); k++ {
		last := len(parts) - 1
		if width > 0 && at+widths[k] > width && len(parts[last]) > len(left) {
			last, at = last+1, used
			parts = append(parts, slices.Clip(left))
		}
		parts[last] = append(parts[last], k)
		at += widths[k] + len(gap)
	}
	return parts
}

func columnWidths(lines [][]string) []int {
	var widths []int
	for _, cells := range lines {
		for i, cell := range cells {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	return widths
}
