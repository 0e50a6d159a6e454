package plot

import (
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
	if s.Mark == nil {
		return s.Name
	}
	return s.Name + ": " + s.Mark.Text
}

// drawLegend draws the legend of a chart, a line for each series.
func (c *chart) drawLegend(p *svg.Picture) {
	for k, s := range c.Series {
		p.At(0, sampleHeight*float64(k), func() {
			drawSample(p, k)
			p.Text(sampleWidth+6, 12, `font-size="12"`, s.legend())
		})
	}
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
