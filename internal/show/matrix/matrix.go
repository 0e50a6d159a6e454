package matrix

import (
	"fmt"
	"math"
	"strconv"

	"ocr/internal/core/topo"
	"ocr/internal/measure/bench"
)

// Pair is two CPUs in the kernel's numbers: From writes or sends first. Its value applies to both directions.
type Pair struct{ From, To int }

// String returns the pair as tables and settings show it: "0:8".
func (p Pair) String() string { return fmt.Sprintf("%d:%d", p.From, p.To) }

// Input is the data of a matrix.
type Input struct {
	Title string // what was measured, one line
	Unit  string // of the values, such as "ns"

	Topology *topo.Topology // places of the CPUs
	CPUs     []int          // to be shown, two or more, each once, in any order

	// Values of pairs of two of the CPUs, each finite and not negative, each pair once, in either direction. Pairs may be
	// missing.
	Values map[Pair]float64
}

// Matrix is a value for each pair of CPUs, in both triangles.
type Matrix struct {
	Input
	places   []topo.CPU // by row; a CPU that is not in the topology has only an ID
	siblings bool       // some CPUs are threads of one core
	measured []float64  // the values of the pairs that have one
	decimals int
}

// New returns the matrix of in, which the caller must not change after the call.
func New(in Input) *Matrix {
	m := &Matrix{Input: in, places: places(in.Topology, in.CPUs)}
	m.cells(func(row, column int) {
		m.siblings = m.siblings || m.Siblings(row, column)
		if v, ok := m.Value(row, column); ok {
			m.measured = append(m.measured, v)
		}
	})
	if s := bench.Summarize(m.measured); s.N > 0 {
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

// Len returns the number of rows, and of columns.
func (m *Matrix) Len() int { return len(m.places) }

// CPU returns the kernel's number of the CPU of a row, or of the column with this number.
func (m *Matrix) CPU(row int) int { return m.places[row].ID }

// Pair returns the CPUs of a cell.
func (m *Matrix) Pair(row, column int) Pair { return Pair{m.CPU(row), m.CPU(column)} }

// Value returns the value of a cell; false if it is missing, or the cell is on the diagonal.
func (m *Matrix) Value(row, column int) (float64, bool) {
	v, ok := m.Values[m.Pair(row, column)]
	if !ok {
		v, ok = m.Values[m.Pair(column, row)]
	}
	return v, ok
}

// Class returns how far apart the CPUs of a cell lie.
func (m *Matrix) Class(row, column int) topo.Class {
	return m.Topology.Distance(m.CPU(row), m.CPU(column))
}

// Siblings reports whether a cell is of two threads of one core.
func (m *Matrix) Siblings(row, column int) bool { return m.Class(row, column) == topo.SMT }

// HasSiblings reports whether any cell is of two threads of one core.
func (m *Matrix) HasSiblings() bool { return m.siblings }

// Pairs returns the number of pairs of the CPUs.
func (m *Matrix) Pairs() int { return m.Len() * (m.Len() - 1) / 2 }

// Missing returns how many of the Pairs have no value.
func (m *Matrix) Missing() int { return m.Pairs() - len(m.measured) }

// Range returns the least and the greatest value; both are 0 if there is none.
func (m *Matrix) Range() (least, greatest float64) {
	s := bench.Summarize(m.measured)
	return s.Min, s.Max
}

// cells calls visit for every pair, row by row of the upper triangle.
func (m *Matrix) cells(visit func(row, column int)) {
	for row := range m.places {
		for column := row + 1; column < m.Len(); column++ {
			visit(row, column)
		}
	}
}
