package plot

import (
	"strconv"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"ocr/internal/matrix"
)

// maxNumbered is the most CPUs of a heat map with numbers in its cells.
const maxNumbered = 128

// gaps are left free between rows, and columns, on either side of a boundary.
var gaps = map[matrix.Level]vg.Length{matrix.L3: 3, matrix.Node: 6, matrix.Package: 10}

// strokes are the widths of the lines in the middle of the gaps.
var strokes = map[matrix.Level]vg.Length{matrix.L3: 0.5, matrix.Node: 1, matrix.Package: 2}

// grid is where the cells of a heat map lie. Rows and columns have the same
// offsets, from the top and from the left.
type grid struct {
	numbers text.Style // of the cells and of their CPUs
	cell    vg.Length  // the side of a cell
	offsets []vg.Length
	side    vg.Length // of all cells together
}

func newGrid(m *matrix.Matrix) grid {
	n := m.Len()
	g := grid{numbers: style(numberSize(n), text.XCenter, text.YCenter)}
	g.cell = cellSide(m, g.numbers)
	for row := range n {
		g.side += gaps[m.Boundary(row)]
		g.offsets = append(g.offsets, g.side)
		g.side += g.cell
	}
	return g
}

// numberSize returns the size of numbers, in points, for so many rows.
func numberSize(rows int) float64 {
	switch {
	case rows <= 32:
		return 9
	case rows <= 64:
		return 8
	case rows <= maxNumbered:
		return 7
	}
	return 5
}

// cellSide returns the side of cells that hold their numbers; few cells are larger.
func cellSide(m *matrix.Matrix, numbers text.Style) vg.Length {
	widest := vg.Length(0)
	if m.Len() > maxNumbered {
		return numbers.Font.Size * 1.2
	}
	for row := range m.Len() {
		widest = max(widest, numbers.Width(strconv.Itoa(m.CPU(row))))
	}
	if least, greatest, ok := m.Range(); ok {
		widest = max(widest, numbers.Width(m.Format(least)), numbers.Width(m.Format(greatest)))
	}
	const roomy, few = 48, 240
	return max(widest+numbers.Font.Size, min(roomy, few/vg.Length(m.Len())))
}

// span returns where the rows first to last begin and end.
func (g grid) span(first, last int) (begin, end vg.Length) {
	return g.offsets[first], g.offsets[last] + g.cell
}
