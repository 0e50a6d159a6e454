package plot

import (
	"errors"
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Figure is panels, one above the other.
type Figure struct {
	Title  string
	Panels []Panel
}

// Panel is curves over one pair of axes.
type Panel struct {
	Title  string
	X, Y   Axis
	Series []Series
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
// Series differ in colour, dashes and marks alike, so that they can be told apart
// in grey, up to forty of them.
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
	return writeSVG(w, f.Title, []panel{newChart(f.Panels)})
}

func (p Panel) check() error {
	for _, s := range p.Series {
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
	height vg.Length // of a panel
}

const (
	panelWidth, lowestPanel vg.Length = 440, 260

	legendGap, thumbnail      vg.Length = 10, 36
	legendLine, besidesLegend vg.Length = 14, 80

	titleGap vg.Length = 6
)

func newChart(panels []Panel) *chart {
	c := &chart{panels: panels, height: lowestPanel}
	for _, p := range panels {
		c.plots = append(c.plots, newPlot(p))
		c.height = max(c.height, besidesLegend+legendLine*vg.Length(len(p.Series)))
		for _, s := range p.Series {
			c.legend = max(c.legend, legendGap+thumbnail+room(legendText(), " "+printable(s.Name)))
		}
	}
	return c
}

func legendText() text.Style { return style(labelSize, text.XLeft, text.YBottom) }

func (c *chart) size() (width, height vg.Length) {
	return panelWidth + c.legend, c.height * vg.Length(len(c.panels))
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
	xs, ys := panel.coordinates()
	setAxis(&p.X, panel.X, xs)
	setAxis(&p.Y, panel.Y, ys)
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{0xdd}, color.Gray{0xdd}
	p.Add(grid)
	if len(xs) == 0 {
		p.Add(notice("no data"))
	}
	for i, s := range panel.Series {
		line, marks := look(i)
		if len(s.Points) > 0 {
			line.XYs, marks.XYs = coordinates(s), coordinates(s)
			p.Add(line, marks)
		}
	}
	return p
}

func (p Panel) coordinates() (xs, ys []float64) {
	for _, s := range p.Series {
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
