package matrix

import (
	"fmt"
	"io"
	"text/tabwriter"

	"ocr/internal/topo"
)

// ClassSummary is what the pairs of one class have in common.
type ClassSummary struct {
	Class            topo.Class
	Count, Missing   int // pairs with a value, and without
	Min, Median, Max float64
	MinPair, MaxPair Pair // the first in the order of rows that has it
}

// Summary returns a summary of each class that has a pair, the nearest first.
// Where Count is 0 the values and pairs mean nothing. A symmetric pair counts once.
func (m *Matrix) Summary() []ClassSummary {
	var classes [topo.CrossPackage + 1]struct {
		ClassSummary
		values []float64
	}
	m.cells(func(row, column int) {
		c := &classes[m.Class(row, column)]
		v, ok := m.Value(row, column)
		if !ok {
			c.Missing++
			return
		}
		if c.Count == 0 || v < c.Min {
			c.Min, c.MinPair = v, m.Pair(row, column)
		}
		if c.Count == 0 || v > c.Max {
			c.Max, c.MaxPair = v, m.Pair(row, column)
		}
		c.Count++
		c.values = append(c.values, v)
	})
	var summary []ClassSummary
	for class, c := range classes {
		if c.Count+c.Missing == 0 {
			continue
		}
		c.Class = topo.Class(class)
		if c.Count > 0 {
			c.Median = median(c.values)
		}
		summary = append(summary, c.ClassSummary)
	}
	return summary
}

// WriteSummary writes the summary by class as a table for people. Classes without
// a value show how many pairs they miss.
func (m *Matrix) WriteSummary(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(out, "%-13s\tpairs\tmin (%[2]s)\tat\tmedian (%[2]s)\tmax (%[2]s)\tat\t\n", "class", m.unit)
	for _, c := range m.Summary() {
		pairs := fmt.Sprint(c.Count)
		if c.Missing > 0 {
			pairs = fmt.Sprintf("%d of %d", c.Count, c.Count+c.Missing)
		}
		if c.Count == 0 {
			fmt.Fprintf(out, "%-13v\t%s\t-\t-\t-\t-\t-\t\n", c.Class, pairs)
			continue
		}
		fmt.Fprintf(out, "%-13v\t%s\t%s\t%v\t%s\t%s\t%v\t\n", c.Class, pairs,
			m.Format(c.Min), c.MinPair, m.Format(c.Median), m.Format(c.Max), c.MaxPair)
	}
	return out.Flush()
}
