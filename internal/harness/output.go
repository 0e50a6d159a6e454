package harness

import (
	"bytes"
	"errors"
	"io"

	"ocr/internal/report"
)

// Output is where the results of a command go.
type Output struct {
	Results *Sink
	Format  string // one of report.Formats
	Stdout  io.Writer
	Console *Console
	Watch   *Watch // whose files were written before; nil for nothing
}

// File is something written beside the results, as a picture.
type File struct {
	Sink  *Sink // nil if it was not asked for
	Write func(io.Writer) error
}

// Write writes a document, if there is one, and the files beside it. err is how measuring
// ended; the error that comes back is that one, joined with those of writing.
func (o *Output) Write(d *report.Document, err error, beside ...File) error {
	if d == nil {
		return errors.Join(err, o.lost())
	}
	return o.WriteAs(d, func(w io.Writer) error { return d.Write(w, o.Format) }, err, beside...)
}

// WriteAs is Write of a document that has a text of its own, which write writes.
func (o *Output) WriteAs(d *report.Document, write func(io.Writer) error, err error, beside ...File) error {
	if err != nil && !errors.Is(err, ErrInterrupted) && len(d.Results) == 0 {
		return err
	}
	var b bytes.Buffer
	if werr := write(&b); werr != nil {
		return errors.Join(werr, err)
	}
	errs := []error{o.Results.Commit(b.Bytes())}
	for _, f := range beside {
		if f.Sink != nil {
			errs = append(errs, f.Sink.Stream(f.Write))
		}
	}
	return errors.Join(append(errs, o.lost(), err)...)
}

// lost returns the errors of files that observers could not write.
func (o *Output) lost() error {
	if o.Watch == nil {
		return nil
	}
	return errors.Join(o.Watch.lost...)
}
