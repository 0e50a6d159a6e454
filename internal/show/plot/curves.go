package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"ocr/internal/show/svg"
)

// MostSeries is how many curves the eye can tell apart.
const MostSeries = len(svg.Colors)

// Panel is curves over one pair of axes. If there are more than MostSeries, it is drawn as several panels with the same
// scales.
type Panel struct {
	Title  string
	X, Y   Axis
	Series []Series
}

// Series is one curve. Its points are joined in the order given; it may have one or none.
type Series struct {
	Name   string
	Points []Point
	Note   string // beside the name in the legend
	Mark   *Mark  // nil for none
}

// Point is one of a curve.
type Point struct {
	X, Y   float64
	Lo, Hi float64 // interval of Y, drawn as a bar; both 0 for none
}

// Mark is a point to be pointed out, such as where a curve crosses a threshold: a ring with lines to both axes, and a
// bar along the interval of its X if that has one.
type Mark struct {
	X, Y   float64
	Lo, Hi float64 // interval of X; both 0 for none
}

// ends returns what the axes need room for: all points and marks, and the ends of their intervals.
func (s Series) ends() (xs, ys []float64) {
	for _, at := range s.Points {
		xs, ys = append(xs, at.X), append(ys, at.Y)
		if at.Lo != 0 || at.Hi != 0 {
			ys = append(ys, at.Lo, at.Hi)
		}
	}
	if m := s.Mark; m != nil {
		xs, ys = append(xs, m.X), append(ys, m.Y)
		if m.Lo != 0 || m.Hi != 0 {
			xs = append(xs, m.Lo, m.Hi)
		}
	}
	return xs, ys
}

func (p Panel) check() error {
	for _, s := range p.Series {
		for _, v := range slices.Concat(s.ends()) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("series %q has %v", s.Name, v)
			}
		}
	}
	return nil
}

// A chart is a panel, or a part of one, that can be drawn.
type chart struct {
	Panel
	*extent
}

// An extent is what all panels with the same axes have in common: the values that need room on them.
type extent struct{ xs, ys []float64 }

// charts returns the charts of panels: several of a panel with too many series.
func charts(panels []Panel) (list []chart) {
	type axes struct{ x, y Axis }
	extents := map[axes]*extent{}
	for _, p := range panels {
		common := cmp.Or(extents[axes{p.X, p.Y}], &extent{})
		extents[axes{p.X, p.Y}] = common
		for _, s := range p.Series {
			xs, ys := s.ends()
			common.xs, common.ys = append(common.xs, xs...), append(common.ys, ys...)
		}
		title, parts := p.Title, (len(p.Series)+MostSeries-1)/MostSeries
		for part := range max(parts, 1) {
			first := part * MostSeries
			c := chart{p, common}
			c.Series = p.Series[first:min(first+MostSeries, len(p.Series))]
			if parts > 1 {
				c.Title = fmt.Sprintf("%s (%d of %d)", title, part+1, parts)
			}
			list = append(list, c)
		}
	}
	return list
}

// The size of a chart, and where its axes are.
const (
	chartWidth, chartHeight = 400.0, 250.0
	chartLeft, chartRight   = 50.0, chartWidth - 12
	chartTop, chartBottom   = 22.0, chartHeight - 40
)

func (c *chart) scales() (x, y svg.Scale) {
	return c.X.scale(c.xs, chartLeft, chartRight), c.Y.scale(c.ys, chartBottom, chartTop)
}

func (c *chart) draw(p *svg.Picture) {
	const grid, middle = `class="grid" stroke="#ddd"`, `text-anchor="middle"`
	x, y := c.scales()
	p.Group(`font-size="12"`, func() {
		for _, t := range c.Y.ticks(y, c.ys) {
			p.Line(grid, chartLeft, t.At, chartRight, t.At)
			p.Text(chartLeft-5, t.At+4, `text-anchor="end"`, t.Label)
		}
		for _, t := range c.X.ticks(x, c.xs) {
			p.Line(grid, t.At, chartTop, t.At, chartBottom)
			p.Text(t.At, chartBottom+14, middle, t.Label)
		}
		p.Text((chartLeft+chartRight)/2, chartHeight-6, middle, c.X.Name)
		p.Text(2, 11, "", c.Y.Name)
		if len(c.xs) == 0 {
			p.Text((chartLeft+chartRight)/2, (chartTop+chartBottom)/2, middle, "no data")
		}
	})
	p.Line(`class="axis" stroke="#000"`, chartLeft, chartBottom, chartRight, chartBottom)
	if at := y.At(c.Y.Line); c.Y.Line != 0 {
		p.Line(`class="axis threshold" stroke="#000" stroke-dasharray="6 4"`, chartLeft, at, chartRight, at)
		p.Text(chartLeft+4, at-4, `font-size="12"`, svg.Decimal(c.Y.Line))
	}
	for k, s := range c.Series {
		p.Group(color(k), func() { s.draw(p, k, x, y) })
	}
}

// draw draws a curve that is the k-th of its chart.
func (s Series) draw(p *svg.Picture, k int, x, y svg.Scale) {
	var places []string
	var dots, intervals strings.Builder
	for _, at := range s.Points {
		px, py := x.At(at.X), y.At(at.Y)
		places = append(places, fmt.Sprintf("%.1f %.1f", px, py))
		fmt.Fprintf(&dots, "M%.1f %.1f%s", px, py, shapes[k])
		if at.Lo != 0 || at.Hi != 0 {
			fmt.Fprintf(&intervals, "M%.1f %.1fV%.1f", px, y.At(at.Lo), y.At(at.Hi))
		}
	}
	if m := s.Mark; m != nil {
		px, py := x.At(m.X), y.At(m.Y)
		p.Path(`class="mark" stroke-dasharray="3 3"`, fmt.Sprintf("M%.1f %.1fH%.1fV%.1f", chartLeft, py, px, chartBottom))
		fmt.Fprintf(&dots, "M%.1f %.1f%s", px, py, ring)
		if m.Lo != 0 || m.Hi != 0 {
			fmt.Fprintf(&intervals, "M%.1f %.1fH%.1f", x.At(m.Lo), py, x.At(m.Hi))
		}
	}
	p.Path(`class="interval" stroke-width="2" stroke-opacity="0.4"`, intervals.String())
	if len(places) > 1 {
		p.Path(`class="curve" `+dash(k), "M"+strings.Join(places, "L"))
	}
	p.Path(`class="dots"`, dots.String())
}

// Series of a chart differ in colour, dashes and shapes, so that they can be told apart in grey too.
var (
	dashes = [MostSeries]string{"none", "6 3", "2 2", "8 3 2 3", "12 3", "1 3", "4 2 1 2 1 2", "8 8"}
	// In SVG's path language, around a point: circle, square, triangles, cross, plus, lozenge, star.
	shapes = [MostSeries]string{
		"m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0", "m-2.5-2.5h5v5h-5z", "m0-3.5l3 5.5h-6z", "m-2.5-2.5l5 5m0-5l-5 5",
		"m-3 0h6m-3-3v6", "m0-3.5l3.5 3.5-3.5 3.5-3.5-3.5z", "m0 3.5l3-5.5h-6z", "m-3 0h6m-4.5-2.6l3 5.2m0-5.2l-3 5.2",
	}
)

// ring is the shape of a mark.
const ring = "m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0"

func color(k int) string { return fmt.Sprintf(`class="c%d" stroke="%s"`, k, svg.Colors[k]) }

func dash(k int) string { return fmt.Sprintf(`stroke-width="1.6" stroke-dasharray="%s"`, dashes[k]) }
