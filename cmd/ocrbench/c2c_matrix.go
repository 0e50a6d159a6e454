package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	c2capp "ocr/apps/c2c"
	"ocr/internal/harness"
	"ocr/internal/matrix"
	"ocr/internal/plot"
	"ocr/internal/report"
)

// matrixCPUs returns the processors that a matrix of pairs shows: those of pairs of
// two.
func matrixCPUs(pairs []c2cPair) []int {
	var cpus []int
	for _, pair := range pairs {
		if pair.From != pair.To {
			cpus = append(cpus, pair.From, pair.To)
		}
	}
	slices.Sort(cpus)
	return slices.Compact(cpus)
}

// matrixForm returns the form of a test that matrices show: polled, or else the first
// of those asked for that was measured between two processors.
func (r *c2cRun) matrixForm(test c2capp.Test) c2capp.Form {
	forms := slices.DeleteFunc(r.flags.formList(), func(form c2capp.Form) bool {
		return !slices.ContainsFunc(r.rows, func(row *c2cRow) bool {
			return row.test == test && row.form == form && row.pair.From != row.pair.To
		})
	})
	if len(forms) == 0 || slices.Contains(forms, c2capp.Polled) {
		return c2capp.Polled
	}
	return forms[0]
}

// matrices returns the pairs' median times, one matrix for each test, width, length
// and layout, of the form that matrixForm chooses.
func (r *c2cRun) matrices(partial bool) ([]*matrix.Matrix, error) {
	forms := map[c2capp.Test]c2capp.Form{}
	var kinds []c2cGroup // without the pair
	values := map[c2cGroup]map[matrix.Pair]float64{}
	for _, row := range r.rows {
		if _, known := forms[row.test]; !known {
			forms[row.test] = r.matrixForm(row.test)
		}
		if row.form != forms[row.test] || row.pair.From == row.pair.To {
			continue
		}
		kind := row.c2cGroup
		kind.pair = matrix.Pair{}
		if values[kind] == nil {
			kinds = append(kinds, kind)
			values[kind] = map[matrix.Pair]float64{}
		}
		values[kind][row.pair] = row.time()
	}
	var all []*matrix.Matrix
	for _, kind := range kinds {
		m, err := r.matrix(kind, forms[kind.test], values[kind], partial)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

func (r *c2cRun) matrix(kind c2cGroup, form c2capp.Form, values map[matrix.Pair]float64, partial bool) (*matrix.Matrix, error) {
	cpus := matrixCPUs(r.pairs)
	if r.flags.pairs == allPairs {
		cpus = r.machine.Allowed
	}
	title := kind.title(form)
	if partial {
		title += ", partial"
	}
	return matrix.New(matrix.Input{
		Title: title, Unit: "ns", Topology: r.machine.Topology, CPUs: cpus,
		Values: values, Symmetric: !directed(kind.test) && !bothWays(values),
	})
}

// bothWays reports whether a pair was measured in both directions, as a list of
// pairs may ask for.
func bothWays(values map[matrix.Pair]float64) bool {
	for pair := range values {
		if _, back := values[matrix.Pair{From: pair.To, To: pair.From}]; back {
			return true
		}
	}
	return false
}

// title says in a line what was measured.
func (g c2cGroup) title(form c2capp.Form) string {
	what := ""
	switch {
	case g.test.HasLength():
		what = fmt.Sprintf(", %d x %d bytes", g.length, g.width)
	default:
		what = fmt.Sprintf(", %d bytes", g.width)
	}
	if g.test.HasLayout() {
		what += map[c2capp.Layout]string{c2capp.Same: ", one line", c2capp.Separate: ", two lines"}[g.layout]
	}
	return fmt.Sprintf("%s, %s%s: median time %s", g.test, form, what, timeOf(g.test))
}

// matrixSections shows matrices as text, each with its summary by class. The first
// line of a matrix is its title, the next names the columns; that of a summary too.
func (r *c2cRun) matrixSections(all []*matrix.Matrix) []report.Section {
	var sections []report.Section
	for _, m := range all {
		var cells, summary bytes.Buffer
		m.WriteText(&cells)
		m.WriteSummary(&summary)
		title, table, _ := strings.Cut(cells.String(), "\n")
		classes := summary.String()
		if !r.flags.header {
			_, table, _ = strings.Cut(table, "\n")
			_, classes, _ = strings.Cut(classes, "\n")
		}
		sections = append(sections, report.Section{Title: title, Body: table + "\n" + classes})
	}
	return sections
}

// matrixFiles are the files that show the pairs, if there is anything to show.
func (r *c2cRun) matrixFiles(all []*matrix.Matrix) []harness.File {
	if len(all) == 0 {
		return nil
	}
	return []harness.File{{Sink: r.svgFile, Write: func(w io.Writer) error {
		return plot.HeatMap(w, c2cName+" on "+r.machine.Facts(nil).CPU, all...)
	}}, {Sink: r.matrixFile, Write: func(w io.Writer) error {
		for _, m := range all {
			fmt.Fprintf(w, "# %s (%s)\n", m.Title(), m.Unit())
			if err := m.WriteCSV(w); err != nil {
				return err
			}
		}
		return nil
	}}}
}
