package compare

import (
	"fmt"
	"slices"
	"strings"

	"ocr/internal/measure/bench"
	"ocr/internal/show/report"
)

// File is a document to compare: of a result file, or of several runs of a binary.
type File struct {
	*report.Document
	Notes []string // reasons to read its figures with care; each begins with a verb
	runs  int      // number of runs in turn with the other binary, one sample each; 0 for a result file
}

// Of returns a document from a file as a File. The error is one line that says what is wrong with the file, without its
// name.
func Of(d *report.Document) (*File, error) {
	if err := d.Empty(); err != nil {
		return nil, err
	}
	f := &File{Document: d}
	if d.Partial {
		f.Notes = append(f.Notes, "is partial: the run was interrupted")
	}
	if !d.Verified {
		f.Notes = append(f.Notes, "is not verified: results were not checked, or not right")
	}
	f.warn(d)
	return f, nil
}

// warn notes the warnings of a document, each once. For one of several runs it leaves out two warnings: of a busy
// machine, as merge counts such runs, and of few samples.
func (f *File) warn(d *report.Document) {
	for _, warning := range d.Warnings {
		note := "warns: " + warning
		ofOneRun := f.runs > 0 && (strings.HasPrefix(warning, report.Busy) || warning == report.FewSamples)
		if !ofOneRun && !slices.Contains(f.Notes, note) {
			f.Notes = append(f.Notes, note)
		}
	}
}

// merge makes one file of the documents of several runs of a binary: a sample is the median of a run. It leaves out
// units that restate others. In place of the runs' conditions, a note says how many runs were on a busy machine.
func merge(path string, runs []*report.Document, note string) *File {
	d := *runs[0]
	d.Path, d.Conditions, d.Results = path, nil, nil
	f := &File{Document: &d, Notes: []string{note}, runs: len(runs)}
	busy, why := 0, ""
	for _, run := range runs {
		d.Verified, d.Partial = d.Verified && run.Verified, d.Partial || run.Partial
		if now := run.Conditions.Busy(); now != "" {
			busy, why = busy+1, now
		}
		f.warn(run)
	}
	rows := slices.DeleteFunc(report.RowsOf(runs...), func(r *report.Row) bool { return r.Restates })
	for _, units := range report.Grouped(rows, report.NameOfRow) {
		r := report.Result{Name: units[0].Name}
		for _, row := range units {
			r.Metrics = append(r.Metrics, medians(row))
		}
		d.Results = append(d.Results, r)
	}
	if busy > 0 {
		f.Notes = append(f.Notes,
			fmt.Sprintf("was made on a busy machine in %d of %d runs, the last: %s", busy, len(runs), why))
	}
	return f
}

// medians returns the medians of a row, one for each run that has the row.
func medians(row *report.Row) bench.Metric {
	m := bench.Metric{Unit: row.Unit}
	for _, samples := range row.Samples {
		if samples != nil {
			m.Samples = append(m.Samples, bench.Summarize(samples).Median)
		}
	}
	return m
}

// peers are parts of names. A result with one of them is of plain Go, of C, or of another library, measured beside this
// project's results.
var peers = []string{"serial", "goroutines", "c", "floor", "peak", "copy", "mpi", "mpi-ranks", "omp-depend"}

// isPeer reports whether a part of a name, except the app's name, is in peers, or begins with goroutines- or peer=.
func isPeer(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/")[1:], func(part string) bool {
		return slices.Contains(peers, part) || strings.HasPrefix(part, "goroutines-") || strings.HasPrefix(part, "peer=")
	})
}
