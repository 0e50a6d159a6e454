package report

import "bytes"

// Text is what an app shows to people in place of one line a metric. The other
// formats do without it.
type Text struct {
	// NoTitle leaves out the facts of the run, its warnings, and the titles of
	// sections. That a run was interrupted, or was not verified, is written all the
	// same; the caller writes the warnings elsewhere.
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

// textOwn writes the head and then the app's own sections.
func (d *Document) textOwn(b *bytes.Buffer) {
	if !d.Text.NoTitle || d.Partial || !d.verified() {
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
	s.Table.write(b, !t.NoHeader, Width)
	b.WriteString(s.Body)
}
