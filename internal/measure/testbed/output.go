package testbed

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"ocr/internal/show/chart"
	"ocr/internal/show/report"
)

// Output is how the results of a command are written, and where.
type Output struct {
	Results *Sink
	Format  string // one of report.Formats
	Wide    bool   // lines of text are not folded
	Verbose bool   // text has all facts, units and columns
	Stdout  io.Writer
	Console *Console
}

// File is a file beside the results, such as a picture.
type File struct {
	Sink  *Sink // nil if it was not asked for
	Write func(io.Writer) error
}

// Picture is a file with the curves of a document.
func Picture(sink *Sink, d *report.Document) File {
	return File{sink, func(w io.Writer) error { return chart.Draw(w, d) }}
}

// Write writes a document, if there is one, and the files beside it. err is the error of the measurement; Write returns
// it, joined with the errors of writing. A document without results is written only if the run was interrupted.
//
// Results are not lost: if their file cannot be written they are printed to standard output. Partial results are
// written to FILE.partial, and whole results in FILE are kept.
func (o *Output) Write(d *report.Document, err error, beside ...File) error {
	if d == nil || err != nil && !errors.Is(err, ErrInterrupted) && len(d.Results) == 0 {
		return err
	}
	o.Lay(d)
	var b bytes.Buffer
	if werr := d.Write(&b, o.Format); werr != nil {
		return errors.Join(werr, err)
	}
	errs := []error{o.Commit(b.Bytes(), d.Partial)}
	for _, f := range beside {
		errs = append(errs, o.place(f.Sink, d.Partial).Stream(f.Write))
	}
	return errors.Join(append(errs, err)...)
}

// Lay sets how the text of a document is laid out.
func (o *Output) Lay(d *report.Document) {
	d.Verbose = o.Verbose
	switch {
	case o.Wide:
		d.Width = -1
	case o.Results.out != nil:
		d.Width = Columns(o.Stdout)
	}
}

// Commit is [Output.Write] for results that are no document.
func (o *Output) Commit(results []byte, partial bool) error {
	err := o.place(o.Results, partial).Commit(results)
	if err == nil || o.Results.out != nil {
		return err
	}
	if _, again := o.Stdout.Write(results); again != nil {
		return errors.Join(err, again)
	}
	return fmt.Errorf("%w: the results are on standard output", err)
}

// place returns the sink for a part of the output; nil for nil.
func (o *Output) place(k *Sink, partial bool) *Sink {
	if k == nil || !partial || !k.replace {
		return k
	}
	o.Console.Warn("partial results go to " + report.Plain(k.name+".partial"))
	return &Sink{name: k.name + ".partial", path: k.path + ".partial", replace: true}
}
