package plot

import (
	"fmt"

	"ocr/internal/show/svg"
)

// Bars is a bar chart from zero: a name, below it the bar with its value.
type Bars struct {
	Title string
	Rows  []Bar
}

// Bar is one of a chart. Bars of one Kind have one colour.
type Bar struct {
	Name          string
	Kind          int
	Value, Lo, Hi float64
	Text          string // the value as written
}

const barDown, barHeight, barText = 36.0, 12.0, 70.0

func (b Bars) height() float64 { return barDown * float64(len(b.Rows)) }

func (b Bars) draw(p *svg.Picture) {
	x := svg.Scale{From: 0, To: chartWidth - barText}
	for _, r := range b.Rows {
		x.High = max(x.High, r.Value, r.Hi)
	}
	for i, r := range b.Rows {
		top := barDown * float64(i)
		k := r.Kind % len(svg.Colors)
		p.Text(0, top+12, `font-size="12"`, r.Name)
		p.Group(color(k), func() {
			p.Path(fmt.Sprintf(`class="bar" stroke-width="%g" stroke-opacity="0.6"`, barHeight),
				fmt.Sprintf("M0 %.1fH%.1f", top+16+barHeight/2, x.At(r.Value)))
			p.Line(`class="interval" stroke-width="2"`, x.At(r.Lo), top+16+barHeight/2, x.At(r.Hi), top+16+barHeight/2)
		})
		p.Text(x.At(max(r.Value, r.Hi))+5, top+16+barHeight-2, `font-size="12"`, r.Text)
	}
}

// InlineBars draws a bar chart for a page of HTML.
func InlineBars(b Bars) Drawing {
	p := &svg.Picture{}
	b.draw(p)
	return Drawing{Title: b.Title, SVG: p.Inline("bars", b.Title, chartWidth, b.height())}
}
