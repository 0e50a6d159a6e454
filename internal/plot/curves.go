package plot

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"io"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"ocr/internal/matrix"
)

// Figure is heat maps, one above the other, and panels, beside each other and in rows. Panels with the same axes have the
// same numbers on them, so that they can be compared.
type Figure struct {
	Title  string
	Maps   []*matrix.Matrix
	Panels []Panel
}

// Panel is curves over one pair of axes. More than six are drawn as several panels, of
// six at most.
type Panel struct {
	Title  string
	X, Y   Axis
	Series []Series
	xs, ys []float64 // of all points, of other panels with these axes too
}

// Mark is a point of a curve to be pointed out, such as where it crosses a threshold: a ring with lines to both axes, a bar
// along the interval of its X if that has one, and a text in the legend.
type Mark struct {
	X, Y   float64
	Lo, Hi float64 // interval of X; both 0 for none
	Text   string
}

// Axis names what is along an axis, such as "bandwidth" in "MiB/s". It is logarithmic
// unless it is FromZero.
type Axis struct {
	Name, Unit string
	Sizes      bool // marked at powers of two: 64, 1Ki, 1Mi
	FromZero   bool // linear, from 0
}

func (a Axis) label() string {
	if a.Unit == "" {
		return printable(a.Name)
	}
	return printable(fmt.Sprintf("%s (%s)", a.Name, a.Unit))
}

// Series is one curve. Its points are joined in the order given; it may have one
// or none.
type Series struct {
	Name   string
	Points []Point
	Mark   *Mark // nil for none
}

// Point is one of a curve. X and Y are between 1e-100 and 1e100: a logarithmic
// axis has no place for 0, and none for what its ends would overflow at. An axis from
// 0 has a place for 0 too.
type Point struct {
	X, Y   float64
	Lo, Hi float64 // interval of Y, drawn as an error bar; both 0 for none
}

// Curves writes an SVG of the figure: its heat maps, then its panels, with a legend to the right of each.
// Series differ in colour, dashes and shapes alike, so that they can be told apart
// in grey.
//
// The error is that there is nothing to draw; that a point has no place on its axes, with
// the names of its panel and series; or w's.
func Curves(w io.Writer, f Figure) error {
	if len(f.Panels)+len(f.Maps) == 0 {
		return errors.New("plot: a figure of nothing")
	}
	for i, p := range f.Panels {
		if err := p.check(); err != nil {
			return fmt.Errorf("plot: panel %d (%q): %w", i+1, p.Title, err)
		}
	}
	var parts []panel
	for _, m := range f.Maps {
		parts = append(parts, newHeatMap(m))
	}
	if len(f.Panels) > 0 {
		parts = append(parts, newChart(f.split()))
	}
	return writeSVG(w, f.Title, parts)
}

// mostSeries is how many curves of a panel the eye can tell apart.
const mostSeries = 6

// split returns the panels, those with too many series in as many parts as it takes. All
// parts and panels with the same axes have their numbers in common.
func (f Figure) split() []Panel {
	type axes struct{ x, y Axis }
	shared := map[axes]*Panel{}
	for _, p := range f.Panels {
		all := cmp.Or(shared[axes{p.X, p.Y}], &Panel{})
		shared[axes{p.X, p.Y}] = all
		for _, point := range p.ends() {
			all.xs, all.ys = append(all.xs, point.X), append(all.ys, point.Y)
		}
	}
	var list []Panel
	for _, p := range f.Panels {
		p.xs, p.ys = shared[axes{p.X, p.Y}].xs, shared[axes{p.X, p.Y}].ys
		parts := slices.Collect(slices.Chunk(p.Series, mostSeries))
		if len(parts) < 2 {
			list = append(list, p)
			continue
		}
		for i, series := range parts {
			part := p
			part.Series, part.Title = series, fmt.Sprintf("%s (%d of %d)", p.Title, i+1, len(parts))
			list = append(list, part)
		}
	}
	return list
}

// ends returns what the axes have to have room for: all points, marks, and ends of intervals.
func (p Panel) ends() (all []Point) {
	for _, s := range p.Series {
		all = append(all, s.ends()...)
	}
	return all
}

func (s Series) ends() (all []Point) {
	for _, p := range s.Points {
		all = append(all, p)
		if p.hasInterval() {
			all = append(all, Point{X: p.X, Y: p.Lo}, Point{X: p.X, Y: p.Hi})
		}
	}
	if m := s.Mark; m != nil {
		all = append(all, Point{X: m.X, Y: m.Y})
		if m.Lo != 0 || m.Hi != 0 {
			all = append(all, Point{X: m.Lo, Y: m.Y}, Point{X: m.Hi, Y: m.Y})
		}
	}
	return all
}

func (p Point) hasInterval() bool { return p.Lo != 0 || p.Hi != 0 }

func (p Panel) check() error {
	for _, s := range p.Series {
		for _, point := range s.ends() {
			if !p.X.holds(point.X) || !p.Y.holds(point.Y) {
				return fmt.Errorf("series %q has (%v, %v), want numbers from 1e-100 to 1e100, or 0 on an axis from 0",
					s.Name, point.X, point.Y)
			}
		}
	}
	return nil
}

func (a Axis) holds(v float64) bool { return v >= 1e-100 && v <= 1e100 || v == 0 && a.FromZero }

// chart is the panels of a figure in rows, with axes of one size. A legend is to the right
// of its panel.
type chart struct {
	panels  []Panel
	plots   []*plot.Plot
	columns int
	legend  vg.Length // width kept for each
}

const (
	panelWidth, panelHeight vg.Length = 440, 260
	smallWidth, smallHeight vg.Length = 300, 200 // of one of several
	legendGap, thumbnail    vg.Length = 10, 36
	titleGap                vg.Length = 6
)

func newChart(panels []Panel) *chart {
	c := &chart{panels: panels, columns: 1}
	if len(panels) > 1 {
		c.columns = 2
	}
	if len(panels) > 6 {
		c.columns = 3
	}
	for _, p := range panels {
		c.plots = append(c.plots, newPlot(p))
		for _, s := range p.Series {
			for _, name := range s.names() {
				c.legend = max(c.legend, legendGap+thumbnail+room(legendText(), " "+name))
			}
		}
	}
	return c
}

// names returns the lines of a series in the legend.
func (s Series) names() []string {
	if s.Mark == nil {
		return []string{printable(s.Name)}
	}
	return []string{printable(s.Name), printable(s.Mark.Text)}
}

func legendText() text.Style { return style(labelSize, text.XLeft, text.YBottom) }

func (c *chart) rows() int { return (len(c.panels) + c.columns - 1) / c.columns }

func (c *chart) size() (width, height vg.Length) {
	width, height = panelWidth, panelHeight
	if c.columns > 1 {
		width, height = smallWidth, smallHeight
	}
	return (width+c.legend)*vg.Length(c.columns) + margin*vg.Length(c.columns-1), height * vg.Length(c.rows())
}

func (c *chart) draw(dc draw.Canvas) {
	titles := style(panelTitleSize, text.XLeft, text.YBottom)
	tiles := draw.Tiles{
		Rows: c.rows(), Cols: c.columns,
		PadTop: titles.Font.Size + titleGap, PadY: titles.Font.Size + titleGap + margin, PadX: c.legend + margin, PadRight: c.legend,
	}
	left := vg.Length(0) // of the widest numbers beside an axis
	var tile, area []draw.Canvas
	for i, p := range c.plots {
		tile = append(tile, tiles.At(dc, i%c.columns, i/c.columns))
		area = append(area, p.DataCanvas(tile[i]))
		left = max(left, area[i].Min.X-tile[i].Min.X)
	}
	for i, p := range c.plots {
		p.Draw(draw.Crop(tile[i], left-(area[i].Min.X-tile[i].Min.X), 0, 0, 0))
		dc.FillText(titles, vg.Point{X: tile[i].Min.X, Y: area[i].Max.Y + titleGap}, printable(c.panels[i].Title))
		area[i].Min.X, area[i].Max.X = tile[i].Max.X+legendGap, tile[i].Max.X+c.legend
		newLegend(c.panels[i].Series).Draw(area[i])
	}
}

func newPlot(panel Panel) *plot.Plot {
	p := plot.New()
	setAxis(&p.X, panel.X, panel.xs)
	setAxis(&p.Y, panel.Y, panel.ys)
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{0xdd}, color.Gray{0xdd}
	p.Add(grid)
	if len(panel.xs) == 0 {
		p.Add(notice("no data"))
	}
	for i, s := range panel.Series {
		line, marks := look(i)
		if len(s.Points) > 0 {
			line.XYs, marks.XYs = coordinates(s), coordinates(s)
			p.Add(line, intervals{s.Points, line.Color}, marks)
		}
		if s.Mark != nil {
			p.Add(colouredMark{s.Mark, line.Color})
		}
	}
	return p
}

// intervals are the error bars of points.
type intervals struct {
	points []Point
	color  color.Color
}

// Plot draws the bars.
func (e intervals) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, at := range e.points {
		if at.hasInterval() {
			bar(c, e.color, vg.Point{X: x(at.X), Y: y(at.Lo)}, vg.Point{X: x(at.X), Y: y(at.Hi)}, vg.Point{X: 3})
		}
	}
}

// bar draws a line with short ones across its ends.
func bar(c draw.Canvas, ink color.Color, from, to, across vg.Point) {
	thin := draw.LineStyle{Color: ink, Width: 0.9}
	c.StrokeLines(thin, []vg.Point{from, to}, []vg.Point{from.Sub(across), from.Add(across)}, []vg.Point{to.Sub(across), to.Add(across)})
}

// colouredMark is a mark in the colour of its curve.
type colouredMark struct {
	*Mark
	color color.Color
}

// Plot draws the mark.
func (m colouredMark) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	at := vg.Point{X: x(m.X), Y: y(m.Y)}
	thin := draw.LineStyle{Color: m.color, Width: 0.8, Dashes: []vg.Length{2, 2}}
	c.StrokeLines(thin, []vg.Point{{X: c.Min.X, Y: at.Y}, at, {X: at.X, Y: c.Min.Y}})
	if m.Lo != 0 || m.Hi != 0 {
		bar(c, m.color, vg.Point{X: x(m.Lo), Y: at.Y}, vg.Point{X: x(m.Hi), Y: at.Y}, vg.Point{Y: 4})
	}
	c.DrawGlyph(ring(m.color), at)
}

func ring(ink color.Color) draw.GlyphStyle {
	return draw.GlyphStyle{Color: ink, Radius: 4.5, Shape: draw.RingGlyph{}}
}

// colors are Okabe and Ito's, chosen for colour-blind readers, without the yellow, which
// is faint on white.
var colors = [mostSeries]color.RGBA{
	{0x00, 0x72, 0xb2, 0xff}, {0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x9e, 0x73, 0xff},
	{0xcc, 0x79, 0xa7, 0xff}, {0x00, 0x00, 0x00, 0xff}, {0x56, 0xb4, 0xe9, 0xff},
}

// look returns the line and the shapes of a panel's i-th series, without points.
func look(i int) (*plotter.Line, *plotter.Scatter) {
	stroke := draw.LineStyle{Color: colors[i], Width: 1.2, Dashes: plotutil.Dashes(i)}
	return &plotter.Line{LineStyle: stroke}, &plotter.Scatter{GlyphStyle: draw.GlyphStyle{Color: colors[i], Radius: 2.5, Shape: plotutil.Shape(i)}}
}

func coordinates(s Series) plotter.XYs {
	var xys plotter.XYs
	for _, point := range s.Points {
		xys = append(xys, plotter.XY{X: point.X, Y: point.Y})
	}
	return xys
}

// notice is a text in the middle of a plot.
type notice string

func (n notice) Plot(c draw.Canvas, _ *plot.Plot) {
	c.FillText(style(labelSize, text.XCenter, text.YCenter), c.Center(), string(n))
}

func newLegend(series []Series) *plot.Legend {
	l := plot.NewLegend()
	l.TextStyle = legendText()
	l.Top, l.Left, l.ThumbnailWidth, l.Padding = true, true, thumbnail, 3
	l.YPosition = draw.PosCenter
	for i, s := range series {
		line, marks := look(i)
		names := s.names()
		l.Add(names[0], line, marks)
		if s.Mark != nil {
			l.Add(names[1], &plotter.Scatter{GlyphStyle: ring(line.Color)})
		}
	}
	return &l
}
