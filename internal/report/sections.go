package report

import (
	"bytes"
	"io"
)

// Text is what an app shows to people in place of one line a metric. The other
// formats do without it.
type Text struct {
	// NoTitle leaves out the facts of the run, its warnings, and the titles of
	// sections. That a run was interrupted, or was not verified, is written all the
	// same; the caller writes the warnings elsewhere.
	NoTitle  bool `json:"no_title,omitempty"`
	NoHeader bool `json:"no_header,omitempty"` // leaves out the heads of tables
	// Whole says that nothing is written but the sections, and the statistics as remarks:
	// their lines begin with "# ".
	Whole    bool      `json:"whole,omitempty"`
	Sections []Section `json:"sections"`
}

// Section is a table, or text as it stands, under a title.
type Section struct {
	Title string `json:"title,omitempty"` // one line; may be empty
	Table Table  `json:"table,omitzero"`
	Body  string `json:"body,omitempty"` // after the table, in whole lines; may be empty
}

func (t *Text) write(b *bytes.Buffer, width int) {
	for i, s := range t.Sections {
		if i > 0 {
			b.WriteByte('\n')
		}
		if s.Title != "" && !t.NoTitle {
			b.WriteString(s.Title + "\n")
		}
		s.Table.write(b, !t.NoHeader, width)
		b.WriteString(s.Body)
	}
}

// Stats is what was found out of one run beside its results: the members stats and
// stats_text of the JSON document, and sections at the end of the text. The other formats do
// without it.
type Stats struct {
	Value    any // a [json.RawMessage] of a document that was parsed
	Sections []Section
}

// WriteText writes the sections alone, in lines of at most width characters; 0 is no limit.
func (s *Stats) WriteText(w io.Writer, width int) error {
	var b bytes.Buffer
	s.write(&b, width)
	_, err := w.Write(b.Bytes())
	return err
}

func (s *Stats) write(b *bytes.Buffer, width int) { (&Text{Sections: s.Sections}).write(b, width) }
