package testbed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"ocr/internal/show/chart"
	"ocr/internal/show/report"
)

// Output is how the results of a command are written, and where.
type Output struct {
	*Console
	Stdout  io.Writer
	Results *Sink
	Picture *Sink  // nil if it was not asked for
	Format  string // one of report.Formats
	Columns int    // width of the terminal behind Stdout, at which lines of text are folded; 0 for none
	Wide    bool   // lines of text are not folded
	Verbose bool   // text has all facts, units and columns
}

// Write writes a document, if there is one, and its picture. err is the error of the measurement; Write returns it,
// joined with the errors of writing. A document without results is not written if the measurement failed.
//
// Results are not lost: if their file cannot be written they are printed to standard output. Partial results are
// written to FILE.partial, and whole results in FILE are kept.
func (o *Output) Write(d *report.Document, err error) error {
	if d == nil || err != nil && !errors.Is(err, ErrInterrupted) && len(d.Results) == 0 {
		return err
	}
	var b bytes.Buffer
	if werr := o.Render(&b, d); werr != nil {
		return errors.Join(werr, err)
	}
	return errors.Join(o.Commit(b.Bytes(), d.Partial), o.place(o.Picture, d.Partial).Stream(func(w io.Writer) error {
		return chart.Draw(w, d)
	}), err)
}

// Render writes a document as the flags say.
func (o *Output) Render(w io.Writer, d *report.Document) error {
	d.Verbose = o.Verbose
	switch {
	case o.Wide:
		d.Width = -1
	case o.Results.out != nil:
		d.Width = o.Columns
	}
	return d.Write(w, o.Format)
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

// place returns k, or the sink of FILE.partial if k is a regular file and partial is set; nil for nil.
func (o *Output) place(k *Sink, partial bool) *Sink {
	if k == nil || !partial || !k.replace {
		return k
	}
	to := &Sink{name: k.name + ".partial", path: k.path + ".partial", replace: true}
	shown := report.Plain(to.name)
	if whole, err := filepath.Abs(k.name); err != nil || whole != k.path { // a link
		to.name, shown = to.path, strconv.Quote(to.path) // of any length
	}
	o.Warn("partial results go to " + shown)
	return to
}
