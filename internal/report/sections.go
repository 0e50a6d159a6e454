package report

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Text is what an app shows to people in place of one line a metric. The other
// formats do without it.
type Text struct {
	// NoTitle leaves out the facts of the run, its warnings, and the titles of
	// sections. That a run was interrupted, or was not verified, is told all the
	// same; whoever sets it tells the warnings elsewhere.
	NoTitle  bool
	NoHeader bool // leaves out the heads of tables
	Sections []Section
}

// Section is a table, or text as it stands, under a title.
type Section struct {
	Title string // one line; may be empty
	Table Table
	Body  string // after the table, in whole lines; may be empty
}

// Table has a head and rows of as many cells.
type Table struct {
	Head []string
	Rows [][]string
	Left int // the first columns are flush left, the others right
}

// textOwn writes the head and then the app's own sections.
func (d *Document) textOwn(b *bytes.Buffer) {
	if !d.Text.NoTitle || d.Partial || !d.Verified {
		d.textState(b)
	}
	if !d.Text.NoTitle {
		d.textFacts(b)
		d.textNotes(b)
	}
	if len(d.Results) == 0 {
		b.WriteString("no sample was completed\n")
		return
	}
	for i, section := range d.Text.Sections {
		if i > 0 {
			b.WriteByte('\n')
		}
		section.write(b, d.Text)
	}
	if !d.Text.NoTitle {
		d.textCounters(b)
	}
}

func (s *Section) write(b *bytes.Buffer, t *Text) {
	if s.Title != "" && !t.NoTitle {
		b.WriteString(s.Title + "\n")
	}
	s.Table.write(b, !t.NoHeader)
	b.WriteString(s.Body)
}

func (t *Table) write(b *bytes.Buffer, head bool) {
	lines := t.Rows
	if head && len(t.Head) > 0 {
		lines = append([][]string{t.Head}, t.Rows...)
	}
	widths := columnWidths(lines)
	for _, cells := range lines {
		var line strings.Builder
		for i, cell := range cells {
			if i > 0 {
				line.WriteString("  ")
			}
			blanks := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i < t.Left {
				line.WriteString(cell + blanks)
			} else {
				line.WriteString(blanks + cell)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
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
