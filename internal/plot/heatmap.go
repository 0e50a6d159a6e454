package plot

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"ocr/internal/matrix"
	"ocr/internal/viridis"
)

const (
	maxNumbered = 128 // the most CPUs of a heat map with numbers in its cells
	shades      = 128 // how many colours it tells apart
)

// absent is the colour of a pair that was not measured.
var absent = color.RGBA{0xdd, 0xdd, 0xdd, 0xff}

// heatMap is one matrix: a plot of cells, with a colour bar to its right and colours of its own from its least value to its
// greatest. A cell is one by one in the units of the plot's axes; row 0 is the uppermost.
//
// A row is the pairs from a CPU, a column those to one. Lines and names show the
// packages, NUMA nodes and level 3 caches that divide what contains them, a frame the
// cells of two threads of one core; what was not measured is grey. Up to 128 CPUs
// the cells have their values in them.
type heatMap struct {
	*matrix.Matrix
	least, greatest float64
	colors          []color.Color  // of values from the least to the greatest
	levels          []matrix.Level // whose names are shown, the smallest first
	numbers, names  text.Style
	side            vg.Length // of all cells together
	cells           *plot.Plot
	bar             *plot.Plot // nil if there are not two values
}

func newHeatMap(m *matrix.Matrix) *heatMap {
	h := &heatMap{Matrix: m, names: style(labelSize, text.XCenter, text.YCenter)}
	h.least, h.greatest, _ = m.Range()
	h.numbers = style(numberSize(m.Len()), text.XCenter, text.YCenter)
	h.side = cellSide(m, h.numbers) * vg.Length(m.Len())
	for _, level := range []matrix.Level{matrix.L3, matrix.Node, matrix.Package} {
		if m.Divides(level) {
			h.levels = append(h.levels, level)
		}
	}
	h.cells = h.newCells()
	var shown []color.Color
	for _, c := range viridis.Colors {
		shown = append(shown, c)
	}
	scale, err := moreland.NewLuminance(shown)
	if err != nil {
		panic(err) // the palette is a constant
	}
	scale.SetMin(h.least)
	scale.SetMax(max(h.greatest, math.Nextafter(h.least, math.Inf(1))))
	h.colors = scale.Palette(shades).Colors()
	if h.greatest > h.least {
		h.bar = newBar(scale)
	}
	return h
}

// newCells returns the plot of the cells between its axes of CPU numbers.
func (h *heatMap) newCells() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	p.Title.Text = printable(fmt.Sprintf("%s (%s)", h.Title, h.Unit))
	p.Title.TextStyle = style(panelTitleSize, text.XCenter, text.YTop)
	p.Title.Padding = h.band()*vg.Length(len(h.levels)) + 4
	columns, rows := "to CPU", "from CPU"
	if h.Symmetric {
		columns, rows = "CPU", "CPU"
	}
	p.X.Label.Text, p.Y.Label.Text = strings.Join(append([]string{columns}, h.notes()...), "\n"), rows
	n := h.Len()
	var across, down plot.ConstantTicks
	for row := range n {
		number := strconv.Itoa(h.CPU(row))
		across = append(across, plot.Tick{Value: float64(row) + 0.5, Label: number})
		down = append(down, plot.Tick{Value: float64(n-row) - 0.5, Label: number})
	}
	p.X.Tick.Marker, p.Y.Tick.Marker = across, down
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Min, axis.Max, axis.Padding = 0, float64(n), 0
		axis.LineStyle.Width, axis.Tick.Length = 0, 0
		axis.Label.TextStyle.Font = h.names.Font
		axis.Tick.Label.Font = h.numbers.Font
	}
	if widest := h.numbers.Width(strconv.Itoa(h.CPU(n - 1))); widest > h.cell() {
		p.X.Tick.Label.Rotation, p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = math.Pi/2, text.XRight, text.YCenter
	}
	p.Add(h)
	return p
}

func newBar(scale palette.ColorMap) *plot.Plot {
	bar := plot.New()
	bar.BackgroundColor = nil
	bar.Add(&plotter.ColorBar{ColorMap: scale, Vertical: true, Colors: shades})
	bar.HideX()
	bar.Y.Padding = 0
	bar.Y.Tick.Label.Font = style(labelSize, 0, 0).Font
	return bar
}

func (h *heatMap) notes() []string {
	var notes []string
	if h.HasSiblings() {
		notes = append(notes, "framed: both CPUs are threads of one core")
	}
	if n := h.Missing(); n > 0 {
		notes = append(notes, fmt.Sprintf("grey: not measured (%d of %d pairs)", n, h.Pairs()))
	}
	return notes
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
	if m.Len() > maxNumbered {
		return numbers.Font.Size * 1.2
	}
	widest := numbers.Width(strconv.Itoa(m.CPU(m.Len() - 1)))
	if least, greatest, ok := m.Range(); ok {
		widest = max(widest, numbers.Width(m.Format(least)), numbers.Width(m.Format(greatest)))
	}
	const roomy, few = 48, 240
	return max(widest+numbers.Font.Size, min(roomy, few/vg.Length(m.Len())))
}

func (h *heatMap) cell() vg.Length { return h.side / vg.Length(h.Len()) }

// band is the height of a line of names.
func (h *heatMap) band() vg.Length { return 1.7 * h.names.Font.Size }

// besides is the width of what stands to the right of the cells: names, and the bar.
func (h *heatMap) besides() vg.Length {
	width := h.band() * vg.Length(len(h.levels))
	if h.bar != nil {
		width += 2*margin + 60
	}
	return width
}

// size asks the plot what its axes and title take, and adds it to the cells.
func (h *heatMap) size() (width, height vg.Length) {
	const enough = 1e4
	all := draw.New(vgsvg.New(enough, enough))
	area := h.cells.DataCanvas(all)
	return max(h.side+h.besides()+enough-(area.Max.X-area.Min.X), room(h.cells.Title.TextStyle, h.cells.Title.Text)),
		h.side + enough - (area.Max.Y - area.Min.Y)
}

func (h *heatMap) draw(c draw.Canvas) {
	left := draw.Crop(c, 0, -h.besides(), 0, 0)
	var area draw.Canvas
	for range 12 { // half the way each time: what the plot keeps free beside its cells depends on its width
		area = h.cells.DataCanvas(left)
		spare := area.Max.X - area.Min.X - h.side // a long title makes the panel wider than its cells
		left = draw.Crop(left, spare/4, -spare/4, 0, 0)
	}
	h.cells.Draw(left)
	if h.bar != nil {
		bar := c
		bar.Min.X = left.Max.X + h.band()*vg.Length(len(h.levels)) + margin
		bar.Max.X = bar.Min.X + 60
		bar.Min.Y, bar.Max.Y = max(area.Min.Y, area.Max.Y-180), area.Max.Y
		h.bar.Draw(bar)
	}
}

// Plot draws the cells, all of one colour as one shape, for a small file; then what is
// written on them, and the boundaries.
func (h *heatMap) Plot(c draw.Canvas, p *plot.Plot) {
	var byShade [shades]vg.Path
	var without vg.Path
	for row := range h.Len() {
		for column := range h.Len() {
			outline := h.cellAt(c, p, row, column).Path()
			if v, ok := h.Value(row, column); ok {
				byShade[h.shade(v)] = append(byShade[h.shade(v)], outline...)
			} else if row != column {
				without = append(without, outline...)
			}
		}
	}
	for s, cells := range byShade {
		fillPath(c, h.colors[s], cells)
	}
	fillPath(c, absent, without)
	for row := range h.Len() {
		for column := range h.Len() {
			h.drawOnCell(c, h.cellAt(c, p, row, column), row, column)
		}
	}
	h.drawLevels(c, p)
}

// shade returns which of the colours stands for v.
func (h *heatMap) shade(v float64) int {
	if h.greatest <= h.least {
		return 0
	}
	return min(int((v-h.least)/(h.greatest-h.least)*shades), shades-1)
}

func (h *heatMap) cellAt(c draw.Canvas, p *plot.Plot, row, column int) vg.Rectangle {
	x, y := p.Transforms(&c)
	seam, n := h.cell()/120, h.Len()
	return vg.Rectangle{
		Min: vg.Point{X: x(float64(column)) + seam, Y: y(float64(n-row-1)) + seam},
		Max: vg.Point{X: x(float64(column+1)) - seam, Y: y(float64(n-row)) - seam},
	}
}

func fillPath(c draw.Canvas, fill color.Color, p vg.Path) {
	if len(p) > 0 {
		c.SetColor(fill)
		c.Fill(p)
	}
}

// drawOnCell draws the value of a cell and the frame of siblings.
func (h *heatMap) drawOnCell(c draw.Canvas, at vg.Rectangle, row, column int) {
	v, ok := h.Value(row, column)
	ink := inkOn(absent)
	if ok {
		ink = inkOn(h.colors[h.shade(v)])
	}
	if h.Siblings(row, column) {
		inset := vg.Point{X: h.cell() / 12, Y: h.cell() / 12}
		frame := vg.Rectangle{Min: at.Min.Add(inset), Max: at.Max.Sub(inset)}
		c.SetLineStyle(draw.LineStyle{Color: ink, Width: h.cell() / 30})
		c.Stroke(frame.Path())
	}
	if ok && h.Len() <= maxNumbered {
		number := h.numbers
		number.Color = ink
		c.FillText(number, at.Min.Add(at.Max).Scale(0.5), h.Format(v))
	}
}

// inkOn returns black or white, whichever is easier to read on a background.
func inkOn(background color.Color) color.Color {
	if color.GrayModel.Convert(background).(color.Gray).Y > 0x80 {
		return color.Black
	}
	return color.White
}

// strokes are the widths of boundaries.
var strokes = map[matrix.Level]vg.Length{matrix.L3: 0.5, matrix.Node: 1, matrix.Package: 2}

// drawLevels draws the boundaries of packages, nodes and caches, and their names above
// the cells and to the right of them.
func (h *heatMap) drawLevels(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	n := h.Len()
	top, right := y(float64(n)), x(float64(n))
	turned := h.names
	turned.Rotation = -math.Pi / 2
	for i, level := range h.levels {
		out := h.band() * (vg.Length(i) + 0.5)
		for _, g := range h.Groups(level) {
			column, row := x(float64(g.First+g.Last+1)/2), y(float64(n)-float64(g.First+g.Last+1)/2)
			name := h.groupName(g)
			c.FillText(h.names, vg.Point{X: column, Y: top + out}, name)
			c.FillText(turned, vg.Point{X: right + out, Y: row}, name)
			if g.First > 0 && h.Boundary(g.First) == level {
				stroke := draw.LineStyle{Color: color.Black, Width: strokes[level]}
				c.StrokeLine2(stroke, x(float64(g.First)), y(0), x(float64(g.First)), top+out+h.band()/2)
				c.StrokeLine2(stroke, x(0), y(float64(n-g.First)), right+out+h.band()/2, y(float64(n-g.First)))
			}
		}
	}
}

// groupName returns the longest name of a group that fits.
func (h *heatMap) groupName(g matrix.Group) string {
	if g.Number < 0 {
		return ""
	}
	number := strconv.Itoa(g.Number)
	for _, name := range []string{g.Level.String() + " " + number, number} {
		if h.names.Width(name) <= h.cell()*vg.Length(g.Last-g.First+1) {
			return name
		}
	}
	return ""
}
