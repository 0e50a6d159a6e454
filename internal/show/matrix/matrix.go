package matrix

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"ocr/internal/core/topo"
	"ocr/internal/measure/bench"
)

// Pair is two CPUs in the kernel's numbers: From writes or sends first. The value of a pair applies to both directions.
type Pair struct{ From, To int }

// String returns the pair as tables and settings show it: "0:8".
func (p Pair) String() string { return fmt.Sprintf("%d:%d", p.From, p.To) }

// Matrix is a value for each pair of CPUs, in both triangles.
type Matrix struct {
	Title  string      // what was measured, one line
	Unit   string      // of the values, such as "ns"
	CPUs   []topo.CPU  // by row, and by column; a CPU that is not in the topology has only an ID
	Values [][]float64 // by row and column; NaN for a pair without a value, and on the diagonal

	topology *topo.Topology
	decimals int
}

// New returns a matrix of two or more CPUs, each given once, in any order. The values are finite and not negative. A
// pair has one value at most, in either direction.
func New(title, unit string, t *topo.Topology, cpus []int, values map[Pair]float64) *Matrix {
	m := &Matrix{Title: title, Unit: unit, CPUs: places(t, cpus), topology: t}
	for _, from := range m.CPUs {
		row := make([]float64, len(m.CPUs))
		for column, to := range m.CPUs {
			v, ok := values[Pair{from.ID, to.ID}]
			if !ok {
				v, ok = values[Pair{to.ID, from.ID}]
			}
			if row[column] = v; !ok {
				row[column] = math.NaN()
			}
		}
		m.Values = append(m.Values, row)
	}
	if s := bench.Summarize(slices.Collect(maps.Values(values))); s.N > 0 {
		m.decimals = max(decimals(s.Median, 3), decimals(s.Min, 2))
	}
	return m
}

// decimals returns the number of digits after the point, at most two, with which v shows this number of significant
// digits.
func decimals(v float64, significant int) int {
	if v == 0 {
		return 0
	}
	magnitude := int(math.Floor(math.Log10(v)))
	return min(max(significant-1-magnitude, 0), 2)
}

// Format returns v as a cell of this matrix shows it. All cells have the same number of decimals, at most two: enough
// for three significant digits of the median and two of the least value.
func (m *Matrix) Format(v float64) string { return strconv.FormatFloat(v, 'f', m.decimals, 64) }

// Class returns how far apart the CPUs of a cell lie.
func (m *Matrix) Class(row, column int) topo.Class {
	return m.topology.Distance(m.CPUs[row].ID, m.CPUs[column].ID)
}

// Siblings reports whether a cell is of two threads of one core.
func (m *Matrix) Siblings(row, column int) bool { return m.Class(row, column) == topo.SMT }

// Pairs calls visit for each pair, row by row of the upper triangle. The value of a pair that has none is NaN.
func (m *Matrix) Pairs(visit func(row, column int, value float64)) {
	for row, values := range m.Values {
		for column := row + 1; column < len(values); column++ {
			visit(row, column, values[column])
		}
	}
}
