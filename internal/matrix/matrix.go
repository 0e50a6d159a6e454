package matrix

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"ocr/internal/topo"
)

// Pair is two CPUs in the kernel's numbers, in the order in which they are
// measured: From writes or sends first.
type Pair struct{ From, To int }

// String returns the pair as the command's flags spell it: "0:8".
func (p Pair) String() string { return fmt.Sprintf("%d:%d", p.From, p.To) }

func comparePairs(a, b Pair) int {
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
}

// Input is what a matrix is made of.
type Input struct {
	Title string // what was measured, one line
	Unit  string // of the values, such as "ns"

	Topology *topo.Topology // where the CPUs lie
	CPUs     []int          // to be shown, two or more, each once, in any order

	// Values of the pairs measured, each finite and not negative. Pairs may be
	// missing. A Symmetric test gives every pair once, either way round (or both
	// ways with the same value), and the matrix shows it in both triangles.
	Values    map[Pair]float64
	Symmetric bool
}

// Matrix is a value for each ordered pair of CPUs. Row i is the pairs from CPU(i),
// column j those to CPU(j).
type Matrix struct {
	title, unit string
	topology    *topo.Topology
	places      []topo.CPU // by row; strangers to the topology have an ID alone
	values      [][]float64
	symmetric   bool
	decimals    int
}

// missing stands in values for a pair that was not measured.
var missing = math.NaN()

// New returns the matrix of in. It copies what it needs, but keeps the topology.
// An error names the CPU or the pair that is wrong.
func New(in Input) (*Matrix, error) {
	if in.Topology == nil {
		return nil, errors.New("matrix: no topology")
	}
	if len(in.CPUs) < 2 {
		return nil, fmt.Errorf("matrix: %d CPUs, want at least 2", len(in.CPUs))
	}
	m := &Matrix{
		title: in.Title, unit: in.Unit, topology: in.Topology,
		places: places(in.Topology, in.CPUs), symmetric: in.Symmetric,
	}
	rows := map[int]int{}
	for row, c := range m.places {
		if _, twice := rows[c.ID]; twice {
			return nil, fmt.Errorf("matrix: CPU %d is given twice", c.ID)
		}
		rows[c.ID] = row
		m.values = append(m.values, slices.Repeat([]float64{missing}, len(in.CPUs)))
	}
	for _, pair := range slices.SortedFunc(maps.Keys(in.Values), comparePairs) {
		if err := m.set(rows, pair, in.Values[pair]); err != nil {
			return nil, err
		}
	}
	m.decimals = decimals(m.measured())
	return m, nil
}

// set takes in the value of one pair.
func (m *Matrix) set(rows map[int]int, pair Pair, value float64) error {
	row, okFrom := rows[pair.From]
	column, okTo := rows[pair.To]
	switch {
	case !okFrom || !okTo:
		return fmt.Errorf("matrix: pair %v is of CPUs that are not shown", pair)
	case row == column:
		return fmt.Errorf("matrix: pair %v is one CPU", pair)
	case math.IsNaN(value) || math.IsInf(value, 0) || value < 0:
		return fmt.Errorf("matrix: pair %v has value %v, want a finite number that is not negative", pair, value)
	}
	if m.symmetric {
		if other := m.values[row][column]; !math.IsNaN(other) && other != value {
			return fmt.Errorf("matrix: symmetric pair %v has value %v, and %v the other way round", pair, value, other)
		}
		m.values[column][row] = value
	}
	m.values[row][column] = value
	return nil
}

// Title returns what was measured.
func (m *Matrix) Title() string { return m.title }

// Unit returns the unit of the values.
func (m *Matrix) Unit() string { return m.unit }

// Len returns how many rows there are, which is how many columns.
func (m *Matrix) Len() int { return len(m.places) }

// CPU returns the kernel's number of the CPU of a row, or of that column.
func (m *Matrix) CPU(row int) int { return m.places[row].ID }

// Symmetric tells whether the direction of a pair has no meaning.
func (m *Matrix) Symmetric() bool { return m.symmetric }

// Pair returns the CPUs of a cell.
func (m *Matrix) Pair(row, column int) Pair { return Pair{m.CPU(row), m.CPU(column)} }

// Value returns the value of a cell; false is that it is missing or on the
// diagonal.
func (m *Matrix) Value(row, column int) (float64, bool) {
	v := m.values[row][column]
	return v, !math.IsNaN(v)
}

// Class returns how far apart the CPUs of a cell lie.
func (m *Matrix) Class(row, column int) topo.Class {
	return m.topology.Distance(m.CPU(row), m.CPU(column))
}

// Siblings tells whether a cell is of two threads of one core.
func (m *Matrix) Siblings(row, column int) bool { return m.Class(row, column) == topo.SMT }

// HasSiblings tells whether any cell is of two threads of one core.
func (m *Matrix) HasSiblings() bool {
	for row := 1; row < m.Len(); row++ { // they are neighbours
		if m.Siblings(row-1, row) {
			return true
		}
	}
	return false
}

// Pairs returns how many pairs there are to measure. A symmetric pair counts once.
func (m *Matrix) Pairs() int {
	ordered := m.Len() * (m.Len() - 1)
	if m.symmetric {
		return ordered / 2
	}
	return ordered
}

// Missing returns how many of the Pairs have no value.
func (m *Matrix) Missing() int { return m.Pairs() - len(m.measured()) }

// Range returns the least and the greatest value; false is that there is none.
func (m *Matrix) Range() (least, greatest float64, ok bool) {
	measured := m.measured()
	if len(measured) == 0 {
		return 0, 0, false
	}
	return slices.Min(measured), slices.Max(measured), true
}

// cells calls visit for every pair to measure, row by row; a symmetric pair comes
// once, from the upper triangle.
func (m *Matrix) cells(visit func(row, column int)) {
	for row := range m.places {
		for column := range m.places {
			if row < column || row > column && !m.symmetric {
				visit(row, column)
			}
		}
	}
}

// measured returns the values of the pairs that have one.
func (m *Matrix) measured() []float64 {
	var values []float64
	m.cells(func(row, column int) {
		if v, ok := m.Value(row, column); ok {
			values = append(values, v)
		}
	})
	return values
}
