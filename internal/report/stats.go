package report

import (
	"bytes"
	"io"
)

// Stats is what was found out of one run beside its results: the member stats of the
// JSON document, and sections at the end of the text. The other formats do without it.
type Stats struct {
	Value    any
	Sections []Section
}

// WriteText writes the sections alone.
func (s *Stats) WriteText(w io.Writer) error {
	var b bytes.Buffer
	s.write(&b)
	_, err := w.Write(b.Bytes())
	return err
}

func (s *Stats) write(b *bytes.Buffer) {
	for i := range s.Sections {
		if i > 0 {
			b.WriteByte('\n')
		}
		s.Sections[i].write(b, &Text{})
	}
}
