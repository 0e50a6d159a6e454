package plot

import (
	"cmp"
	"slices"

	"ocr/internal/show/matrix"
	"ocr/internal/show/svg"
)

// A Drawing is a panel, or a part of one, for a page of HTML.
type Drawing struct {
	Title  string
	SVG    string
	Legend []Entry
}

// Entry is a line of a legend: what a curve is called, and a sample of it as SVG.
type Entry struct{ Name, SVG string }

// Inline draws a panel for a page of HTML.
func Inline(panel Panel) (drawings []Drawing) {
	for _, c := range charts([]Panel{panel}) {
		p := &svg.Picture{}
		c.draw(p)
		d := Drawing{Title: c.Title, SVG: p.Inline("curves", c.Title, chartWidth, chartHeight)}
		for k, s := range c.Series {
			p := &svg.Picture{}
			drawSample(p, k)
			d.Legend = append(d.Legend, Entry{s.legend(), p.Inline("sample", "", sampleWidth, sampleHeight)})
		}
		drawings = append(drawings, d)
	}
	return drawings
}

// InlineMap draws a matrix for a page of HTML.
func InlineMap(m *matrix.Matrix) string {
	h, p := newHeatMap(m), &svg.Picture{}
	h.draw(p)
	return p.Inline("map", h.title, h.width, h.height)
}

const sampleWidth, sampleHeight = 32.0, 16.0

// drawSample draws a piece of the k-th curve of a chart.
func drawSample(p *svg.Picture, k int) {
	p.Group(color(k), func() {
		p.Line(dash(k), 0, sampleHeight/2, sampleWidth, sampleHeight/2)
		p.Path("", "M16 8"+shapes[k])
	})
}

// legend returns what the legend says of a series.
func (s Series) legend() string {
	if s.Note == "" {
		return s.Name
	}
	return s.Name + ": " + s.Note
}

// drawNames draws the name of each curve right of the chart, and a line to it from the curve's end.
func (c *chart) drawNames(p *svg.Picture) {
	x, y := c.scales()
	places := c.namePlaces(y)
	for k, s := range c.Series {
		at := places[k]
		p.At(chartWidth, at-sampleHeight/2, func() {
			drawSample(p, k)
			p.Text(sampleWidth+6, 12, `font-size="12"`, s.legend())
		})
		if n := len(s.Points); n > 0 {
			end := s.Points[n-1]
			p.Group(color(k), func() {
				p.Line(`class="leader" stroke-dasharray="1 2"`, x.At(end.X), y.At(end.Y), chartWidth, at)
			})
		}
	}
}

// namePlaces returns the height of each curve's name: that of the curve's end, moved as far as names need to lie apart.
func (c *chart) namePlaces(y svg.Scale) []float64 {
	places, order := make([]float64, len(c.Series)), make([]int, len(c.Series))
	for k, s := range c.Series {
		order[k], places[k] = k, chartBottom // without points: below the others
		if n := len(s.Points); n > 0 {
			places[k] = y.At(s.Points[n-1].Y)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(places[a], places[b]) })
	next := chartTop
	for _, k := range order {
		places[k] = max(places[k], next)
		next = places[k] + sampleHeight
	}
	next = chartBottom
	for _, k := range slices.Backward(order) {
		places[k] = min(places[k], next)
		next = places[k] - sampleHeight
	}
	return places
}

// legendWidth returns the width that has room for the legend of each chart.
func legendWidth(charts []chart) (width float64) {
	for _, c := range charts {
		for _, s := range c.Series {
			width = max(width, sampleWidth+6+svg.TextWidth(s.legend(), 12))
		}
	}
	return width
}
