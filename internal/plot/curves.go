package plot

import (
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
)

// Figure is panels, one above the other.
type Figure struct {
	Title  string
	Panels []Panel
}

// Panel is curves over one pair of axes. More than six are drawn as several panels, of
// six at most.
type Panel struct {
	Title  string
	X, Y   Axis
	Series []Series
	Marks  []Mark
	xs, ys []float64 // of all points, of other parts of a panel too
}

// Mark is a point to be pointed out, such as where a curve crosses a threshold: lines from
// it to both axes, and a text beside it.
type Mark struct {
	Point
	Text string
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
}

// Point is one of a curve. Both of it are between 1e-100 and 1e100: a logarithmic
// axis has no place for 0, and none for what its ends would overflow at. An axis from
// 0 has a place for 0 too.
type Point struct{ X, Y float64 }

// Curves writes an SVG of the figure, with a legend to the right of each panel.
// Series differ in colour, dashes and shapes alike, so that they can be told apart
// in grey.
//
// The error is that there is no panel; that a point has no place on its axes, with
// the names of its panel and series; or w's.
func Curves(w io.Writer, f Figure) error {
	if len(f.Panels) == 0 {
		return errors.New("plot: a figure without panels")
	}
	for i, p := range f.Panels {
		if err := p.check(); err != nil {
			return fmt.Errorf("plot: panel %d (%q): %w", i+1, p.Title, err)
		}
	}
	return writeSVG(w, f.Title, []panel{newChart(f.split())})
}

// mostSeries is how many curves of a panel the eye can tell apart.
const mostSeries = 6

// split returns the panels, those with too many series in as many parts as it takes. All
// parts have the axes of the whole.
func (f Figure) split() []Panel {
	var list []Panel
	for _, p := range f.Panels {
		p.xs, p.ys = p.coordinates()
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

// all returns the series, and each mark as one more.
func (p Panel) all() []Series {
	all := slices.Clone(p.Series)
	for _, m := range p.Marks {
		all = append(all, Series{Name: "mark " + m.Text, Points: []Point{m.Point}})
	}
	return all
}

func (p Panel) check() error {
	for _, s := range p.all() {
		for i, point := range s.Points {
			if !p.X.holds(point.X) || !p.Y.holds(point.Y) {
				return fmt.Errorf("series %q, point %d is (%v, %v), want numbers from 1e-100 to 1e100, or 0 on an axis from 0",
					s.Name, i+1, point.X, point.Y)
			}
		}
	}
	return nil
}

func (a Axis) holds(v float64) bool { return v >= 1e-100 && v <= 1e100 || v == 0 && a.FromZero }

// chart is the panels of a figure, drawn with one left edge for their axes.
type chart struct {
	panels []Panel
	plots  []*plot.Plot
	legend vg.Length // width kept at the right
}

const (
	panelWidth, panelHeight vg.Length = 440, 260
	legendGap, thumbnail    vg.Length = 10, 36
	titleGap                vg.Length = 6
)

func newChart(panels []Panel) *chart {
	c := &chart{panels: panels}
	for _, p := range panels {
		c.plots = append(c.plots, newPlot(p))
		for _, s := range p.Series {
			c.legend = max(c.legend, legendGap+thumbnail+room(legendText(), " "+printable(s.Name)))
		}
	}
	return c
}

func legendText() text.Style { return style(labelSize, text.XLeft, text.YBottom) }

func (c *chart) size() (width, height vg.Length) {
	return panelWidth + c.legend, panelHeight * vg.Length(len(c.panels))
}

func (c *chart) draw(dc draw.Canvas) {
	var rows [][]*plot.Plot
	for _, p := range c.plots {
		rows = append(rows, []*plot.Plot{p})
	}
	titles := style(panelTitleSize, text.XLeft, text.YBottom)
	above := titles.Font.Size + titleGap
	tiles := draw.Tiles{Rows: len(rows), Cols: 1, PadTop: above, PadY: above + margin}
	for i, row := range plot.Align(rows, tiles, draw.Crop(dc, 0, -c.legend, 0, 0)) {
		p, area := c.plots[i], c.plots[i].DataCanvas(row[0])
		p.Draw(row[0])
		dc.FillText(titles, vg.Point{X: dc.Min.X, Y: area.Max.Y + titleGap}, printable(c.panels[i].Title))
		area.Min.X, area.Max.X = dc.Max.X-c.legend+legendGap, dc.Max.X
		newLegend(c.panels[i].Series).Draw(area)
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
			p.Add(line, marks)
		}
	}
	for _, m := range panel.Marks {
		p.Add(m)
	}
	return p
}

// Plot draws the mark.
func (m Mark) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	at := vg.Point{X: x(m.X), Y: y(m.Y)}
	thin := draw.LineStyle{Color: color.Gray{0x60}, Width: 0.8, Dashes: []vg.Length{2, 2}}
	c.StrokeLines(thin, []vg.Point{{X: c.Min.X, Y: at.Y}, at, {X: at.X, Y: c.Min.Y}})
	c.DrawGlyph(draw.GlyphStyle{Color: color.Black, Radius: 4, Shape: draw.RingGlyph{}}, at)
	label, away := style(labelSize, text.XLeft, text.YTop), vg.Point{X: 7, Y: -5}
	if at.X > c.Center().X {
		label.XAlign, away.X = text.XRight, -7
	}
	c.FillText(label, at.Add(away), printable(m.Text))
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

func (p Panel) coordinates() (xs, ys []float64) {
	for _, s := range p.all() {
		for _, point := range s.Points {
			xs, ys = append(xs, point.X), append(ys, point.Y)
		}
	}
	return xs, ys
}

func coordinates(s Series) plotter.XYs {
	var xys plotter.XYs
	for _, point := range s.Points {
		xys = append(xys, plotter.XY(point))
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
		l.Add(printable(s.Name), line, marks)
	}
	return &l
}
