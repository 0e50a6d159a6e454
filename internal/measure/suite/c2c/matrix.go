package c2c

import (
	"fmt"
	"io"
	"slices"

	app "ocr/apps/c2c"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/chart"
	"ocr/internal/show/matrix"
	"ocr/internal/show/report"
)

// A Result is what was measured.
type Result struct {
	*report.Document
	Matrices []*matrix.Matrix // median times by pair, of each test, width and length
}

// Files returns the files that show the pairs: a picture, and a table as CSV. Either sink
// may be nil. There are none if there is nothing to show.
func (r *Result) Files(picture, table *testbed.Sink) []testbed.File {
	if len(r.Matrices) == 0 {
		return nil
	}
	return []testbed.File{{Sink: picture, Write: r.writeSVG}, {Sink: table, Write: r.writeCSV}}
}

// writeSVG draws the pairs: as maps, with the curves of the first pair, or as bars if there are few processors.
func (r *Result) writeSVG(w io.Writer) error {
	ends := func(x report.Result) string { return x.Labels.Text("cpu-a") + "," + x.Labels.Text("cpu-b") }
	d := *r.Document
	if r.Matrices[0].Len() >= chart.LeastCPUs {
		d.Results = slices.DeleteFunc(slices.Clone(d.Results),
			func(x report.Result) bool { return ends(x) != ends(r.Results[0]) })
	}
	return chart.Draw(w, &d, r.Matrices...)
}

func (r *Result) writeCSV(w io.Writer) error {
	for _, m := range r.Matrices {
		if _, err := fmt.Fprintf(w, "# %s (%s)\n", m.Title, m.Unit); err != nil {
			return err
		}
		if err := m.WriteCSV(w); err != nil {
			return err
		}
	}
	return nil
}

// matrices returns the pairs' median times, one matrix for each test, width and length: of form polled, or else
// the first that was measured between two processors.
func (r *run) matrices(partial bool) []*matrix.Matrix {
	shown := map[app.Test]app.Form{}
	for _, row := range r.rows {
		if _, known := shown[row.test]; row.pair.From != row.pair.To && (!known || row.form == app.Polled) {
			shown[row.test] = row.form
		}
	}
	var kinds []key // without the pair
	values := map[key]map[matrix.Pair]float64{}
	for _, row := range r.rows {
		if row.form != shown[row.test] || row.pair.From == row.pair.To {
			continue
		}
		kind := row.key
		kind.pair = matrix.Pair{}
		if values[kind] == nil {
			kinds = append(kinds, kind)
			values[kind] = map[matrix.Pair]float64{}
		}
		values[kind][row.pair] = row.time()
	}
	cpus := r.cpus()
	if r.AllPairs {
		cpus = r.bed.Machine.Allowed
	}
	var all []*matrix.Matrix
	for _, kind := range kinds {
		title := kind.title()
		if partial {
			title += ", partial"
		}
		all = append(all, matrix.New(matrix.Input{
			Title: title, Unit: "ns", Topology: r.bed.Machine.Topology, CPUs: cpus,
			Values: values[kind],
		}))
	}
	return all
}

// title says in a line what was measured.
func (k key) title() string {
	what := fmt.Sprintf(", %d bytes", k.width)
	if k.test.HasLength() {
		what = fmt.Sprintf(", %d x %d bytes", k.length, k.width)
	}
	return fmt.Sprintf("%s, %s%s: median time one way", k.test, k.form, what)
}
