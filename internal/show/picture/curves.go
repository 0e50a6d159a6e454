package picture

import (
	"fmt"
	"strings"
)

// Curves are series over one pair of axes, with a legend below.
type Curves struct {
	Title  string
	X, Y   Axis
	Series []Series
}

// A Series is one curve. Its points are joined in the order given; there may be one or none.
type Series struct {
	Name   string // in the legend
	Points []Point
	// Mark is where the curve crosses a threshold: a ring with lines to both axes. Its interval is of X. Nil for none.
	Mark *Point
}

// A Point is a point of a curve.
type Point struct {
	X, Y   float64
	Lo, Hi float64 // interval of Y; both 0 for none
}

// hasInterval reports whether the point has an interval.
func (p Point) hasInterval() bool { return p.Lo != 0 || p.Hi != 0 }

// MostSeries is how many curves the eye can tell apart.
const MostSeries = len(colors)

// An extent is the values that must fit on a pair of axes.
type extent struct{ xs, ys []float64 }

func (e *extent) add(c Curves) {
	for _, s := range c.Series {
		for _, at := range s.Points {
			e.xs, e.ys = append(e.xs, at.X), append(e.ys, at.Y)
			if at.hasInterval() {
				e.ys = append(e.ys, at.Lo, at.Hi)
			}
		}
		if m := s.Mark; m != nil {
			e.xs, e.ys = append(e.xs, m.X), append(e.ys, m.Y)
			if m.hasInterval() {
				e.xs = append(e.xs, m.Lo, m.Hi)
			}
		}
	}
}

// Where the axes of curves are.
const (
	curvesWidth, curvesHeight = 400.0, 250.0
	left, right               = 50.0, curvesWidth - 12
	top, bottom               = 22.0, curvesHeight - 40
	sampleWidth               = 38.0 // of a piece of a curve in the legend
)

func (v Curves) drawing(room *extent) Drawing {
	width := curvesWidth
	for _, s := range v.Series {
		width = max(width, sampleWidth+textWidth(s.Name, fontSize))
	}
	return Drawing{v.Title, "curves", width, curvesHeight + lineHeight*float64(len(v.Series)), func(c *canvas) {
		x, y := v.X.scale(room.xs, left, right), v.Y.scale(room.ys, bottom, top)
		v.drawAxes(c, x, y, room)
		for k, s := range v.Series {
			c.group(color(k), func() { s.draw(c, k, x, y) })
		}
		c.at(0, curvesHeight, func() { v.drawLegend(c) })
	}}
}

func (v Curves) drawAxes(c *canvas, x, y scale, room *extent) {
	const grid, middle = `class="grid" stroke="#ddd"`, `text-anchor="middle"`
	c.group(`font-size="12"`, func() {
		for _, t := range v.Y.ticks(y, room.ys) {
			c.line(grid, left, t.at, right, t.at)
			c.text(left-5, t.at+4, `text-anchor="end"`, t.label)
		}
		for _, t := range v.X.ticks(x, room.xs) {
			c.line(grid, t.at, top, t.at, bottom)
			c.text(t.at, bottom+14, middle, t.label)
		}
		c.text((left+right)/2, curvesHeight-8, middle, v.X.Name)
		c.text(2, 11, "", v.Y.Name)
		if len(room.xs) == 0 {
			c.text((left+right)/2, (top+bottom)/2, middle, "no data")
		}
		if v.Y.Kind == Percent {
			c.line(`class="axis threshold" stroke="#000" stroke-dasharray="6 4"`, left, y.at(half), right, y.at(half))
			c.text(left+4, y.at(half)-4, "", fmt.Sprint(half))
		}
	})
	c.line(`class="axis" stroke="#000"`, left, bottom, right, bottom)
}

// draw draws the k-th series of a picture.
func (s Series) draw(c *canvas, k int, x, y scale) {
	var places []string
	var dots, intervals strings.Builder
	for _, at := range s.Points {
		px, py := x.at(at.X), y.at(at.Y)
		places = append(places, fmt.Sprintf("%.1f %.1f", px, py))
		fmt.Fprintf(&dots, "M%.1f %.1f%s", px, py, shape(k))
		if at.hasInterval() {
			fmt.Fprintf(&intervals, "M%.1f %.1fV%.1f", px, y.at(at.Lo), y.at(at.Hi))
		}
	}
	if m := s.Mark; m != nil {
		px, py := x.at(m.X), y.at(m.Y)
		c.path(`class="mark" stroke-dasharray="3 3"`, fmt.Sprintf("M%.1f %.1fH%.1fV%.1f", left, py, px, bottom))
		fmt.Fprintf(&dots, "M%.1f %.1f%s", px, py, ring)
		if m.hasInterval() {
			fmt.Fprintf(&intervals, "M%.1f %.1fH%.1f", x.at(m.Lo), py, x.at(m.Hi))
		}
	}
	c.path(`class="interval" stroke-width="2" stroke-opacity="0.4"`, intervals.String())
	if len(places) > 1 {
		c.path(`class="curve" `+dash(k), "M"+strings.Join(places, "L"))
	}
	c.path(`class="dots"`, dots.String())
}

// drawLegend draws a line for each series: a piece of its curve, and its name.
func (v Curves) drawLegend(c *canvas) {
	for k, s := range v.Series {
		middle := lineHeight * (float64(k) + 0.5)
		c.group(color(k), func() {
			c.line(dash(k), 0, middle, sampleWidth-6, middle)
			c.path("", fmt.Sprintf("M%.1f %.1f%s", (sampleWidth-6)/2, middle, shape(k)))
		})
		c.text(sampleWidth, middle+4, `font-size="12"`, s.Name)
	}
}

// Series differ in colour, dashes and shape, so that readers can distinguish them in grey too. The colours are Okabe
// and Ito's, made for the colour-blind, with a darker yellow, and two more.
var (
	colors = [...]string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#7a3fb0", "#808080"}
	dashes = [...]string{"none", "6 3", "2 2", "8 3 2 3", "12 3", "1 3", "4 2 1 2 1 2", "8 8"}
	// In SVG's path language, around a point: circle, square, triangles, cross, plus, lozenge, star.
	shapes = [...]string{
		"m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0", "m-2.5-2.5h5v5h-5z", "m0-3.5l3 5.5h-6z", "m-2.5-2.5l5 5m0-5l-5 5",
		"m-3 0h6m-3-3v6", "m0-3.5l3.5 3.5-3.5 3.5-3.5-3.5z", "m0 3.5l3-5.5h-6z", "m-3 0h6m-4.5-2.6l3 5.2m0-5.2l-3 5.2",
	}
)

// ring is the shape of a mark.
const ring = "m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0"

func color(k int) string {
	return fmt.Sprintf(`class="c%d" stroke="%s"`, k%len(colors), colors[k%len(colors)])
}

// again returns the element for series k. From the ninth series on, colours repeat, with other dashes and shapes.
func again[T any](list []T, k int) T { return list[(k+k/len(list))%len(list)] }

func dash(k int) string {
	return fmt.Sprintf(`stroke-width="1.6" stroke-dasharray="%s"`, again(dashes[:], k))
}

func shape(k int) string { return again(shapes[:], k) }
