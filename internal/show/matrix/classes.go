package matrix

import (
	"fmt"
	"math"
	"slices"

	"ocr/internal/core/topo"
	"ocr/internal/measure/bench"
	"ocr/internal/show/report"
)

// A class is a class of distance: the number of pairs at this distance, and the values that they have.
type class struct {
	topo.Class
	pairs  int
	values []float64
}

// Classes returns a table with a summary of each class that has a pair, the nearest first. If pairs of a class have no
// value, the table says how many have a value.
func (m *Matrix) Classes() report.Table {
	classes := make([]class, topo.CrossPackage+1)
	m.Pairs(func(row, column int, v float64) {
		c := &classes[m.Class(row, column)]
		c.Class = m.Class(row, column)
		c.pairs++
		if !math.IsNaN(v) {
			c.values = append(c.values, v)
		}
	})
	value := func(head string, of func(bench.Summary) float64) report.Column[class] {
		return report.Cells(fmt.Sprintf("%s (%s)", head, m.Unit), func(c class) string {
			if len(c.values) == 0 {
				return ""
			}
			return m.Format(of(bench.Summarize(c.values)))
		})
	}
	return report.Tabulate(slices.DeleteFunc(classes, func(c class) bool { return c.pairs == 0 }), []report.Column[class]{
		report.Words("class", func(c class) string { return c.Class.String() }),
		report.Cells("pairs", func(c class) string {
			if len(c.values) < c.pairs {
				return fmt.Sprintf("%d of %d", len(c.values), c.pairs)
			}
			return fmt.Sprint(c.pairs)
		}),
		value("min", func(s bench.Summary) float64 { return s.Min }),
		value("median", func(s bench.Summary) float64 { return s.Median }),
		value("max", func(s bench.Summary) float64 { return s.Max }),
	})
}
