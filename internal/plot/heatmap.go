package plot

import (
	"errors"
	"fmt"
	"image/color"
	"io"
	"strconv"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"ocr/internal/matrix"
)

// HeatMap writes an SVG with a heat map of each panel, one above the other, each
// with colours of its own from its least value to its greatest.
//
// A row is the pairs from a CPU, a column those to one. Lines and names show the
// packages, NUMA nodes and level 3 caches where there is more than one, a frame the
// cells of two threads of one core; what was not measured is grey. Up to 128 CPUs
// the cells have their values in them.
//
// The error is that there is no panel, or w's.
func HeatMap(w io.Writer, title string, panels ...*matrix.Matrix) error {
	if len(panels) == 0 {
		return errors.New("plot: a heat map of no matrix")
	}
	var maps []panel
	for i, m := range panels {
		if m == nil {
			return fmt.Errorf("plot: matrix %d of the heat map is nil", i+1)
		}
		maps = append(maps, newHeatMap(m))
	}
	return writeSVG(w, title, maps)
}

// heatMap is one matrix, laid out. From the top: title, name of the columns, names
// of packages, nodes and caches, CPU numbers, cells, notes; from the left the same
// without title and notes, and the colour bar after the cells.
type heatMap struct {
	*matrix.Matrix
	grid
	least, greatest float64 // of all values
	title           string
	levels          []matrix.Level // whose names are shown, the greatest first
	label           text.Style
	notes           []string
	head            vg.Length // above the cells and left of them, without the title
}

func newHeatMap(m *matrix.Matrix) *heatMap {
	h := &heatMap{Matrix: m, grid: newGrid(m), label: style(labelSize, text.XCenter, text.YCenter)}
	h.least, h.greatest, _ = m.Range()
	h.title = printable(fmt.Sprintf("%s (%s)", m.Title(), m.Unit()))
	for _, level := range []matrix.Level{matrix.Package, matrix.Node, matrix.L3} {
		if m.Divides(level) {
			h.levels = append(h.levels, level)
		}
	}
	h.notes = notes(m)
	h.head = h.band()*vg.Length(1+len(h.levels)) + h.widestCPU() + 6
	return h
}

func notes(m *matrix.Matrix) []string {
	var notes []string
	if m.HasSiblings() {
		notes = append(notes, "framed: both CPUs are threads of one core")
	}
	if n := m.Missing(); n > 0 {
		notes = append(notes, fmt.Sprintf("grey: not measured (%d of %d pairs)", n, m.Pairs()))
	}
	return notes
}

// band is the height of a line of names.
func (h *heatMap) band() vg.Length { return 1.7 * h.label.Font.Size }

func (h *heatMap) widestCPU() vg.Length {
	widest := h.numbers.Font.Size
	for row := range h.Len() {
		widest = max(widest, h.numbers.Width(strconv.Itoa(h.CPU(row))))
	}
	return widest
}

func (h *heatMap) titleStyle() text.Style { return style(panelTitleSize, text.XLeft, text.YTop) }

func (h *heatMap) titleHeight() vg.Length { return 1.6 * h.titleStyle().Font.Size }

func (h *heatMap) size() (width, height vg.Length) {
	width = h.head + h.side
	if bar, ok := h.newColorBar(); ok {
		width += margin + bar.width()
	}
	width = max(width, room(h.titleStyle(), h.title))
	for _, note := range h.notes {
		width = max(width, room(h.label, note))
	}
	return width, h.titleHeight() + h.head + h.side + h.band()*vg.Length(len(h.notes))
}

func (h *heatMap) draw(c draw.Canvas) {
	c.FillText(h.titleStyle(), vg.Point{X: c.Min.X, Y: c.Max.Y}, h.title)
	origin := vg.Point{X: c.Min.X + h.head, Y: c.Max.Y - h.titleHeight() - h.head}
	h.drawCells(c, origin)
	h.drawBoundaries(c, origin)
	h.drawNames(c, origin)
	if bar, ok := h.newColorBar(); ok {
		bar.draw(c, vg.Point{X: origin.X + h.side + margin, Y: origin.Y})
	}
	note := h.label
	note.XAlign = text.XLeft
	for i, s := range h.notes {
		c.FillText(note, vg.Point{X: c.Min.X, Y: origin.Y - h.side - h.band()*(vg.Length(i)+0.5)}, s)
	}
}

// cellAt returns a cell's place on the canvas, where origin is the upper left
// corner of all cells.
func (h *heatMap) cellAt(origin vg.Point, row, column int) vg.Rectangle {
	seam := h.cell / 120
	corner := vg.Point{X: origin.X + h.offsets[column], Y: origin.Y - h.offsets[row]}
	return vg.Rectangle{
		Min: vg.Point{X: corner.X + seam, Y: corner.Y - h.cell + seam},
		Max: vg.Point{X: corner.X + h.cell - seam, Y: corner.Y - seam},
	}
}

// drawCells draws all cells of one colour as one shape, for a small file, and then
// what is written on them.
func (h *heatMap) drawCells(c draw.Canvas, origin vg.Point) {
	var byShade [shades]vg.Path
	var without vg.Path
	for row := range h.Len() {
		for column := range h.Len() {
			outline := h.cellAt(origin, row, column).Path()
			if v, ok := h.Value(row, column); ok {
				s := shade(v, h.least, h.greatest)
				byShade[s] = append(byShade[s], outline...)
			} else if row != column {
				without = append(without, outline...)
			}
		}
	}
	for s, cells := range byShade {
		fillPath(c, shadeColor(s), cells)
	}
	fillPath(c, absent, without)
	for row := range h.Len() {
		for column := range h.Len() {
			h.drawOnCell(c, h.cellAt(origin, row, column), row, column)
		}
	}
}

func fillPath(c draw.Canvas, fill color.Color, p vg.Path) {
	if len(p) == 0 {
		return
	}
	c.SetColor(fill)
	c.Fill(p)
}

// drawOnCell draws the value of a cell and the frame of siblings.
func (h *heatMap) drawOnCell(c draw.Canvas, at vg.Rectangle, row, column int) {
	v, ok := h.Value(row, column)
	ink := inkOn(absent)
	if ok {
		ink = inkOn(shadeColor(shade(v, h.least, h.greatest)))
	}
	if h.Siblings(row, column) {
		inset := h.cell / 12
		frame := vg.Rectangle{
			Min: at.Min.Add(vg.Point{X: inset, Y: inset}), Max: at.Max.Sub(vg.Point{X: inset, Y: inset}),
		}
		c.SetLineStyle(draw.LineStyle{Color: ink, Width: h.cell / 30})
		c.Stroke(frame.Path())
	}
	if ok && h.Len() <= maxNumbered {
		number := h.numbers
		number.Color = ink
		c.FillText(number, middle(at), h.Format(v))
	}
}

func middle(r vg.Rectangle) vg.Point { return r.Min.Add(r.Max).Scale(0.5) }

// drawBoundaries draws a line in the middle of each gap, through the names of the
// level that changes there.
func (h *heatMap) drawBoundaries(c draw.Canvas, origin vg.Point) {
	for row := range h.Len() {
		level := h.Boundary(row)
		if level == matrix.None {
			continue
		}
		at := h.offsets[row] - gaps[level]/2
		stroke := line(strokes[level])
		c.StrokeLine2(stroke, origin.X+at, origin.Y+h.nameAt(level)+h.band()/2, origin.X+at, origin.Y-h.side)
		c.StrokeLine2(stroke, origin.X-h.nameAt(level)-h.band()/2, origin.Y-at, origin.X+h.side, origin.Y-at)
	}
}
