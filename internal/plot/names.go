package plot

import (
	"math"
	"strconv"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"ocr/internal/matrix"
)

// nameAt returns how far from the cells the names of a level stand.
func (h *heatMap) nameAt(level matrix.Level) vg.Length {
	for i, l := range h.levels {
		if l == level {
			return h.head - h.band()*(vg.Length(i)+1.5)
		}
	}
	return 0
}

// drawNames draws what stands above the cells, and the same turned left of them.
func (h *heatMap) drawNames(c draw.Canvas, origin vg.Point) {
	columns, rows := "to CPU", "from CPU"
	if h.Symmetric() {
		columns, rows = "CPU", "CPU"
	}
	outermost := h.head - h.band()/2
	h.drawName(c, origin, columns, h.side/2, outermost, false)
	h.drawName(c, origin, rows, h.side/2, outermost, true)
	for _, level := range h.levels {
		for _, group := range h.Groups(level) {
			begin, end := h.span(group.First, group.Last)
			name := h.groupName(group, end-begin)
			h.drawName(c, origin, name, (begin+end)/2, h.nameAt(level), false)
			h.drawName(c, origin, name, (begin+end)/2, h.nameAt(level), true)
		}
	}
	h.drawCPUs(c, origin)
}

// drawName draws a name so far along the columns, or the rows, and so far away.
func (h *heatMap) drawName(c draw.Canvas, origin vg.Point, name string, along, away vg.Length, rows bool) {
	label := h.label
	at := vg.Point{X: origin.X + along, Y: origin.Y + away}
	if rows {
		label.Rotation = math.Pi / 2
		at = vg.Point{X: origin.X - away, Y: origin.Y - along}
	}
	c.FillText(label, at, name)
}

// groupName returns the longest name of a group that fits.
func (h *heatMap) groupName(g matrix.Group, room vg.Length) string {
	if g.Number < 0 {
		return ""
	}
	number := strconv.Itoa(g.Number)
	for _, name := range []string{g.Level.String() + " " + number, number} {
		if h.label.Width(name) <= room {
			return name
		}
	}
	return ""
}

// drawCPUs draws the CPU numbers; where cells are too narrow for them, those above
// the columns are turned.
func (h *heatMap) drawCPUs(c draw.Canvas, origin vg.Point) {
	above, left := h.numbers, h.numbers
	above.YAlign, left.XAlign = text.YBottom, text.XRight
	if h.widestCPU() > h.cell {
		above.Rotation, above.XAlign, above.YAlign = math.Pi/2, text.XLeft, text.YCenter
	}
	const away = 3
	for row := range h.Len() {
		number, at := strconv.Itoa(h.CPU(row)), h.offsets[row]+h.cell/2
		c.FillText(above, vg.Point{X: origin.X + at, Y: origin.Y + away}, number)
		c.FillText(left, vg.Point{X: origin.X - away, Y: origin.Y - at}, number)
	}
}
