package picture

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"ocr/internal/show/matrix"
)

// A heatMap is one matrix: both cells of a pair show its one value. Lines and names show the packages, NUMA nodes and
// level 3 caches that divide a greater unit; a frame marks the cells of two threads of one core; cells without a value
// are grey. A bar to the right shows the colours of values.
type heatMap struct {
	*matrix.Matrix
	least, greatest float64
	levels          []int    // indices in [matrix.Levels] of the levels that are shown, the smallest first
	notes           []string // below the cells
	digits          float64  // size of the numbers in the cells and beside them
	number          float64  // width of the widest number of a CPU
	cell, side      float64  // sides of a cell, and of all cells together
}

const (
	mostNumbered = 128  // the most CPUs of a map that writes values in its cells
	barRoom      = 90.0 // width of the colour bar with its numbers
)

func drawMap(m *matrix.Matrix) Drawing {
	h := &heatMap{Matrix: m, digits: 12}
	var values []float64
	pairs, framed := 0, false
	m.Pairs(func(row, column int, v float64) {
		pairs, framed = pairs+1, framed || m.Siblings(row, column)
		if !math.IsNaN(v) {
			values = append(values, v)
		}
	})
	if len(values) > 0 {
		h.least, h.greatest = slices.Min(values), slices.Max(values)
	}
	for level := range matrix.Levels {
		if m.Divides(level) {
			h.levels = append(h.levels, level)
		}
	}
	if framed {
		h.notes = append(h.notes, "framed: both CPUs are threads of one core")
	}
	if n := pairs - len(values); n > 0 {
		h.notes = append(h.notes, fmt.Sprintf("grey: not measured (%d of %d pairs)", n, pairs))
	}
	h.size()
	names := lineHeight * float64(len(h.levels))
	x, y := lineHeight+h.number+8, names+4
	d := Drawing{
		Title: fmt.Sprintf("%s (%s)", m.Title, m.Unit), class: "map", width: x + h.side + names,
		height: y + h.side + h.below() + lineHeight*float64(1+len(h.notes)),
		draw:   func(c *canvas) { c.at(x, y, func() { h.draw(c) }) },
	}
	if h.greatest > h.least {
		d.width += barRoom
	}
	return d
}

// size chooses the sizes of the cells and of the numbers. If cells show values, the cells of a small map are larger.
func (h *heatMap) size() {
	n := len(h.CPUs)
	switch {
	case n > mostNumbered:
		h.digits = 6
	case n > 32:
		h.digits = 9
	}
	h.number = textWidth(strconv.Itoa(h.CPUs[n-1].ID), h.digits)
	h.cell = 1.2 * h.digits
	if n <= mostNumbered {
		widest := max(h.number, textWidth(h.Format(h.least), h.digits), textWidth(h.Format(h.greatest), h.digits))
		h.cell = max(widest+0.9*h.digits, min(64, 320/float64(n)))
	}
	h.side = h.cell * float64(n)
}

// below returns the height of the numbers below the cells.
func (h *heatMap) below() float64 { return h.digits + 8 }

func (h *heatMap) draw(c *canvas) {
	c.group(fmt.Sprintf(`font-size="%g" text-anchor="middle"`, h.digits), func() { h.drawCells(c) })
	c.group(`font-size="12" text-anchor="middle"`, func() { h.drawNames(c) })
	for i, note := range h.notes {
		c.text(0, h.side+h.below()+lineHeight*float64(1+i)+12, `font-size="12"`, note)
	}
	if h.greatest > h.least {
		c.at(h.side+lineHeight*float64(len(h.levels))+24, 0, func() { h.drawBar(c) })
	}
}

// turned draws a text around the point x, y, turned by degrees.
func turned(c *canvas, degrees int, x, y float64, text string) {
	c.text(x, y, fmt.Sprintf(`transform="rotate(%d %.1f %.1f)"`, degrees, x, y), text)
}

// drawCells draws the cells, and the numbers of the CPUs beside them.
func (h *heatMap) drawCells(c *canvas) {
	for row, cpu := range h.CPUs {
		number, middle := strconv.Itoa(cpu.ID), h.cell*(float64(row)+0.5)
		c.text(-5, middle+0.35*h.digits, `text-anchor="end"`, number)
		if every := int(math.Ceil(1.2 * h.number / h.cell)); row%every == 0 { // narrow cells have no room for each
			c.text(middle, h.side+h.digits+4, "", number)
		}
		for column := range h.CPUs {
			if row != column {
				h.drawCell(c, row, column)
			}
		}
	}
}

func (h *heatMap) drawCell(c *canvas, row, column int) {
	fill, ink, text := "#ddd", "#000", "not measured"
	v := h.Values[row][column]
	measured := !math.IsNaN(v)
	if measured {
		fill, ink = viridis((v - h.least) / cmp.Or(h.greatest-h.least, 1))
		text = h.Format(v) + " " + escape(h.Unit)
	}
	x, y, seam, inset := h.cell*float64(column), h.cell*float64(row), h.cell/120, h.cell/12
	c.printf(`<rect fill="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f"><title>%d:%d: %s</title></rect>`+"\n",
		fill, x+seam, y+seam, h.cell-2*seam, h.cell-2*seam, h.CPUs[row].ID, h.CPUs[column].ID, text)
	if h.Siblings(row, column) {
		c.rect(fmt.Sprintf(`fill="none" stroke="%s"`, ink), x+inset, y+inset, h.cell-2*inset, h.cell-2*inset)
	}
	if measured && len(h.CPUs) <= mostNumbered { // a style, which the style sheet of a page does not change
		style := fmt.Sprintf(`style="fill:%s" pointer-events="none"`, ink)
		c.text(x+h.cell/2, y+h.cell/2+0.35*h.digits, style, h.Format(v))
	}
}

// widths are the widths of the lines between caches, nodes and packages: those of a greater unit cover the others.
var widths = [...]float64{0.7, 1.4, 2.8}

// drawNames draws the names of the axes, and the boundaries of packages, nodes and caches, with their names above the
// cells and to the right.
func (h *heatMap) drawNames(c *canvas) {
	turned(c, -90, -h.number-12, h.side/2, "CPU")
	c.text(h.side/2, h.side+h.below()+12, "", "CPU")
	for i, level := range h.levels {
		out := lineHeight * float64(i)
		for _, g := range h.Groups(level) {
			middle, name := h.cell*float64(g.First+g.Last+1)/2, h.groupName(level, g)
			c.text(middle, -out-5, "", name)
			turned(c, 90, h.side+out+5, middle, name)
			if g.First > 0 {
				at, end := h.cell*float64(g.First), out+lineHeight
				line := fmt.Sprintf(`class="axis" stroke="#000" stroke-width="%g"`, widths[level])
				c.line(line, at, -end, at, h.side)
				c.line(line, 0, at, h.side+end, at)
			}
		}
	}
}

// groupName returns the longest name of a group that fits.
func (h *heatMap) groupName(level int, g matrix.Group) string {
	if g.Number < 0 {
		return ""
	}
	number := strconv.Itoa(g.Number)
	for _, name := range []string{matrix.Levels[level].Name + " " + number, number} {
		if textWidth(name, fontSize) <= h.cell*float64(g.Last-g.First+1) {
			return name
		}
	}
	return ""
}

// drawBar draws the colours from the greatest value down to the least, with some values beside them.
func (h *heatMap) drawBar(c *canvas) {
	const steps, width = 60, 14.0
	height := min(h.side, 240)
	for k := range steps {
		fill, _ := viridis(1 - (float64(k)+0.5)/steps)
		c.rect(fmt.Sprintf(`fill="%s"`, fill), 0, height*float64(k)/steps, width, height/steps+0.5)
	}
	values := scale{low: h.least, high: h.greatest, from: height}
	for _, t := range values.ticks(values.rounds(), decimal) {
		c.line(`class="axis" stroke="#000"`, width, t.at, width+4, t.at)
		c.text(width+7, t.at+4, `font-size="12"`, t.label)
	}
}

// palette is Matplotlib's viridis at equal steps: its lightness rises evenly, so that it can be read in grey, and by
// readers that see few colours.
var palette = [...][3]float64{
	{0x44, 0x01, 0x54}, {0x48, 0x28, 0x78}, {0x3e, 0x49, 0x89}, {0x31, 0x68, 0x8e}, {0x26, 0x82, 0x8e},
	{0x1f, 0x9e, 0x89}, {0x35, 0xb7, 0x79}, {0x6e, 0xce, 0x58}, {0xb5, 0xde, 0x2b}, {0xfd, 0xe7, 0x25},
}

// viridis returns the colour at a place of the range 0 to 1, and the ink, black or white, that reads better on it.
func viridis(part float64) (fill, ink string) {
	at := min(max(part, 0), 1) * float64(len(palette)-1)
	k := min(int(at), len(palette)-2)
	var mixed [3]float64
	for c := range mixed {
		mixed[c] = palette[k][c] + (at-float64(k))*(palette[k+1][c]-palette[k][c])
	}
	ink = "#fff"
	if 0.299*mixed[0]+0.587*mixed[1]+0.114*mixed[2] > 128 {
		ink = "#000"
	}
	return fmt.Sprintf("#%02x%02x%02x", int(mixed[0]), int(mixed[1]), int(mixed[2])), ink
}
