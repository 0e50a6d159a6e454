package plot

import (
	"errors"
	"fmt"
	"io"

	"ocr/internal/show/matrix"
	"ocr/internal/show/svg"
)

// Figure is heat maps and bar charts, one above the other, and below them panels in rows. Panels with the same axes
// have the same scales, so that they can be compared.
type Figure struct {
	Title  string
	Maps   []*matrix.Matrix
	Bars   []Bars
	Panels []Panel
}

// Sizes in pixels.
const (
	margin     = 16.0
	titleSize  = 17.0
	panelTitle = 22.0 // height of a panel's title
	maxWidth   = 1400 // of panels beside each other
)

// Curves writes an SVG of the figure: its heat maps and bar charts, then its panels, with the names of curves to the
// right of each, at the ends of the curves.
//
// The error is that there is nothing to draw; that a number is infinite or none, with the names of its panel and
// series; or w's.
func Curves(w io.Writer, f Figure) error {
	if len(f.Panels)+len(f.Maps)+len(f.Bars) == 0 {
		return errors.New("plot: a figure of nothing")
	}
	for i, p := range f.Panels {
		if err := p.check(); err != nil {
			return fmt.Errorf("plot: panel %d (%q): %w", i+1, p.Title, err)
		}
	}
	p, width, y := &svg.Picture{}, svg.TextWidth(f.Title, titleSize), margin
	if f.Title != "" {
		p.Text(margin, y+titleSize, `font-size="17"`, f.Title)
		y += titleSize + margin
	}
	for _, m := range f.Maps {
		h := newHeatMap(m)
		p.At(margin, y, func() { h.draw(p) })
		width, y = max(width, h.width), y+h.height+margin
	}
	for _, b := range f.Bars {
		p.Text(margin, y+14, `font-size="14" font-weight="bold"`, b.Title)
		p.At(margin, y+panelTitle, func() { b.draw(p) })
		width, y = max(width, chartWidth, svg.TextWidth(b.Title, 14)), y+panelTitle+b.height()+margin
	}
	list := charts(f.Panels)
	across := chartWidth + legendWidth(list) + margin
	columns := max(1, int((maxWidth-2*margin)/across))
	const down = panelTitle + chartHeight + margin
	for k, c := range list {
		x, y := margin+across*float64(k%columns), y+down*float64(k/columns)
		p.Text(x, y+panelTitle-8, `font-size="14" font-weight="bold"`, c.Title)
		p.At(x, y+panelTitle, func() { c.draw(p) })
		p.At(x, y+panelTitle, func() { c.drawNames(p) })
	}
	width = max(width, across*float64(min(columns, len(list))))
	rows := (len(list) + columns - 1) / columns
	return p.Write(w, svg.Sans, width+2*margin, y+down*float64(rows))
}
