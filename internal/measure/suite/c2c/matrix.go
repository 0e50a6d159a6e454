package c2c

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	app "ocr/apps/c2c"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/matrix"
	"ocr/internal/show/plot"
	"ocr/internal/show/report"
)

// A Result is what was measured.
type Result struct {
	*report.Document
	Matrices []*matrix.Matrix // median times by pair, of each test, width, length and layout

	lengths []plot.Panel // curves over lengths
}

// Files returns the files that show the pairs: a picture, and a table as CSV. Either sink
// may be nil. There are none if there is nothing to show.
func (r *Result) Files(picture, table *testbed.Sink) []testbed.File {
	if len(r.Matrices) == 0 {
		return nil
	}
	return []testbed.File{{Sink: picture, Write: r.writeSVG}, {Sink: table, Write: r.writeCSV}}
}

func (r *Result) writeSVG(w io.Writer) error {
	return plot.Curves(w, plot.Figure{Title: Name + " on " + r.Machine.CPU, Maps: r.Matrices, Panels: r.lengths})
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

// matrices returns the pairs' median times, one matrix for each test, width, length and layout: of form polled, or else
// the first that was measured between two processors. A matrix is symmetric if direction does not matter.
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
			Values: values[kind], Symmetric: !directed(kind.test),
		}))
	}
	return all
}

// lengthPanels returns a panel for each test that was measured with several lengths, of the first pair: a curve for
// each form, width and layout, with the interval of the median at each length.
func (r *run) lengthPanels() []plot.Panel {
	var panels []plot.Panel
	for _, test := range r.Tests {
		rows := slices.DeleteFunc(slices.Clone(r.rows),
			func(x *row) bool { return x.test != test || x.pair != r.pairs[0].Pair || !(x.time() > 0) })
		slices.SortStableFunc(rows, func(a, b *row) int { return cmp.Compare(a.length, b.length) })
		if len(rows) == 0 || rows[0].length == rows[len(rows)-1].length {
			continue
		}
		panel := plot.Panel{
			Title: fmt.Sprintf("%s, CPUs %d and %d; bars: 95 %% interval of the median", test, rows[0].pair.From,
				rows[0].pair.To),
			X: plot.Axis{Name: "length", Unit: "elements", Sizes: true},
			Y: plot.Axis{Name: "time " + timeOf(test), Unit: "ns"},
		}
		for _, x := range rows {
			name := fmt.Sprintf("%s, width %d", x.form, x.width)
			if test.HasLayout() {
				name += ", " + string(x.layout)
			}
			name += x.between()
			i := slices.IndexFunc(panel.Series, func(s plot.Series) bool { return s.Name == name })
			if i < 0 {
				i = len(panel.Series)
				panel.Series = append(panel.Series, plot.Series{Name: name})
			}
			s := x.times()
			panel.Series[i].Points = append(panel.Series[i].Points,
				plot.Point{X: float64(x.length), Y: s.Median, Lo: s.Lo, Hi: s.Hi})
		}
		panels = append(panels, panel)
	}
	return panels
}

// title says in a line what was measured.
func (k key) title() string {
	what := fmt.Sprintf(", %d bytes", k.width)
	if k.test.HasLength() {
		what = fmt.Sprintf(", %d x %d bytes", k.length, k.width)
	}
	if k.test.HasLayout() {
		what += map[app.Layout]string{app.Same: ", one line", app.Separate: ", two lines"}[k.layout]
	}
	return fmt.Sprintf("%s, %s%s%s: median time %s", k.test, k.form, what, k.between(), timeOf(k.test))
}

// between is the part of a title that tells processes from threads.
func (g group) between() string {
	if g.apart {
		return ", two processes"
	}
	return ""
}
