package page

import (
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"

	"ocr/internal/sizes"
)

// panel is curves over one pair of axes.
type panel struct {
	Title string
	Chart template.HTML
	Lines []*line
}

// line is one curve.
type line struct {
	Name   string
	Color  int
	points []point
	keys   []string // settings of all its results
	mark   float64  // where METG is, 0 for nowhere
}

// point is a median with its interval.
type point struct{ x, y, low, high float64 }

// chart is a panel under way.
type chart struct {
	title, xName, yName string
	percent             bool // y is from 0 to 100
	swept               bool // x has the values that were chosen
	lines               []*line
}

// charts collects panels by their titles.
type charts struct {
	order []*chart
}

func (cs *charts) get(title, x, y string) *chart {
	i := slices.IndexFunc(cs.order, func(c *chart) bool { return c.title == title })
	if i < 0 {
		i = len(cs.order)
		cs.order = append(cs.order, &chart{title: title, xName: x, yName: y})
	}
	return cs.order[i]
}

// nameLines adds to the names what tells lines apart.
func (c *chart) nameLines() {
	common := map[string]int{}
	for _, l := range c.lines {
		for _, key := range l.keys {
			common[key]++
		}
	}
	maps.DeleteFunc(common, func(_ string, n int) bool { return n < len(c.lines) })
	for i, l := range c.lines {
		for _, key := range l.keys {
			if common[key] == 0 && key != "" {
				l.Name += " " + strings.TrimSpace(key)
			}
		}
		l.Name = cmp.Or(strings.TrimSpace(l.Name), c.yName)
		l.Color = i % colors
		slices.SortFunc(l.points, func(a, b point) int { return cmp.Compare(a.x, b.x) })
	}
}

// xTicks are the values that were chosen, or round numbers.
func (c *chart) xTicks(x scale) []tick {
	if !c.swept {
		return x.ticks(x.rounds(), prefixed)
	}
	var xs []float64
	for _, l := range c.lines {
		for _, p := range l.points {
			xs = append(xs, p.x)
		}
	}
	if c.xName == "bytes" {
		return x.ticks(distinct(xs), func(v float64) string { return sizes.Format(int(v)) })
	}
	return x.ticks(distinct(xs), prefixed)
}

// Sizes of a panel, in its own units.
const (
	panelWidth, panelHeight = 400.0, 250.0
	panelLeft, panelBottom  = 50.0, 40.0
	panelTop                = 22.0
)

// draw draws the curves, in as many panels as it takes.
func (c *chart) draw() []panel {
	c.nameLines()
	var xs, lows, highs []float64
	for _, l := range c.lines {
		for _, p := range l.points {
			xs, lows, highs = append(xs, p.x), append(lows, p.low), append(highs, p.high)
		}
	}
	if len(xs) == 0 {
		return nil
	}
	least := slices.Min(xs)
	if positive := slices.DeleteFunc(distinct(xs), func(x float64) bool { return x <= 0 }); least == 0 && len(positive) > 0 {
		least = positive[0] / 4 // 0 is at the left end of an axis that is logarithmic
	}
	x := newScale(least, slices.Max(xs), panelLeft, panelWidth-12)
	if !x.log {
		x = newScale(slices.Min(xs), slices.Max(xs), panelLeft, panelWidth-12)
	}
	y := newScale(slices.Min(lows), slices.Max(highs), panelHeight-panelBottom, panelTop)
	if c.percent {
		y = scale{0, max(105, slices.Max(highs)), panelHeight - panelBottom, panelTop, false}
	}
	var list []panel
	parts := slices.Collect(slices.Chunk(c.lines, colors))
	for i, lines := range parts {
		title := c.title
		if len(parts) > 1 {
			title += fmt.Sprintf(" (%d of %d)", i+1, len(parts))
		}
		list = append(list, panel{title, c.drawPart(title, lines, x, y), lines})
	}
	return list
}

func (c *chart) drawPart(title string, lines []*line, x, y scale) template.HTML {
	s := newSVG("curves", title, panelWidth, panelHeight)
	bottom := panelHeight - panelBottom
	for _, t := range y.ticks(y.rounds(), prefixed) {
		s.line("grid", panelLeft, t.at, panelWidth-12, t.at)
		s.text("end", panelLeft-5, t.at+4, t.label)
	}
	for _, t := range c.xTicks(x) {
		s.line("grid", t.at, panelTop, t.at, bottom)
		s.text("middle", t.at, bottom+14, t.label)
	}
	s.line("axis", panelLeft, bottom, panelWidth-12, bottom)
	s.text("middle", (panelLeft+panelWidth)/2, panelHeight-6, c.xName)
	s.text("start", 2, 11, c.yName)
	for _, l := range lines {
		s.add(`<g class="c%d">`, l.Color)
		var px, py []float64
		for _, p := range l.points {
			px, py = append(px, x.at(p.x)), append(py, y.at(p.y))
			s.line("error", x.at(p.x), y.at(p.low), x.at(p.x), y.at(p.high))
		}
		s.add(`<path class="curve" d="M`)
		for i := range px {
			s.add("%.1f %.1f ", px[i], py[i])
		}
		s.add(`"/>`)
		s.points("dots", px, py)
		if l.mark > 0 {
			s.line("mark", x.at(l.mark), y.at(50), x.at(l.mark), bottom)
		}
		s.add("</g>")
	}
	if c.percent {
		s.line("mark", panelLeft, y.at(50), panelWidth-12, y.at(50))
	}
	return s.end()
}
