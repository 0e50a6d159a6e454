package matrix

import (
	"fmt"
	"slices"

	"ocr/internal/core/topo"
	"ocr/internal/measure/bench"
	"ocr/internal/show/report"
)

// ClassSummary summarises the values of the pairs of one class.
type ClassSummary struct {
	Class            topo.Class
	Count, Missing   int // pairs with a value, and without
	Min, Median, Max float64
}

// Summary returns a summary of each class that has a pair, the nearest first. If Count is 0 the values mean nothing.
func (m *Matrix) Summary() []ClassSummary {
	var classes [topo.CrossPackage + 1]ClassSummary
	var values [topo.CrossPackage + 1][]float64
	m.cells(func(row, column int) {
		class := m.Class(row, column)
		if v, ok := m.Value(row, column); ok {
			values[class] = append(values[class], v)
		} else {
			classes[class].Missing++
		}
	})
	for class, list := range values {
		s := bench.Summarize(list)
		classes[class] = ClassSummary{topo.Class(class), s.N, classes[class].Missing, s.Min, s.Median, s.Max}
	}
	return slices.DeleteFunc(classes[:], func(c ClassSummary) bool { return c.Count+c.Missing == 0 })
}

// Classes returns the summary by class as a table. Classes without a value show how many values are missing.
func (m *Matrix) Classes() report.Table {
	value := func(head string, of func(ClassSummary) string) report.Column[ClassSummary] {
		return report.Cells(head, func(c ClassSummary) string {
			if c.Count == 0 {
				return ""
			}
			return of(c)
		})
	}
	return report.Tabulate(m.Summary(), []report.Column[ClassSummary]{
		report.Words("class", func(c ClassSummary) string { return c.Class.String() }),
		report.Cells("pairs", func(c ClassSummary) string {
			if c.Missing > 0 {
				return fmt.Sprintf("%d of %d", c.Count, c.Count+c.Missing)
			}
			return fmt.Sprint(c.Count)
		}),
		value("min ("+m.Unit+")", func(c ClassSummary) string { return m.Format(c.Min) }),
		value("median ("+m.Unit+")", func(c ClassSummary) string { return m.Format(c.Median) }),
		value("max ("+m.Unit+")", func(c ClassSummary) string { return m.Format(c.Max) }),
	})
}
