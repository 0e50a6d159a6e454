package plot

import (
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// colorBar shows which colour stands for which value.
type colorBar struct {
	height vg.Length
	label  text.Style
	ticks  []tick // by rising value
}

type tick struct {
	at   float64 // 0 at the foot of the bar, 1 at its top
	text string
}

const barWidth, barGap = 12, 4

// newColorBar returns the bar of a heat map; false is that it has no value.
func (h *heatMap) newColorBar() (colorBar, bool) {
	if _, _, ok := h.Range(); !ok {
		return colorBar{}, false
	}
	bar := colorBar{height: min(h.side, 180), label: style(labelSize, text.XLeft, text.YCenter)}
	if h.least == h.greatest {
		bar.ticks = []tick{{0.5, h.Format(h.least)}}
		return bar, true
	}
	for _, at := range []float64{0, 0.25, 0.5, 0.75, 1} {
		bar.ticks = append(bar.ticks, tick{at, h.Format(h.least + at*(h.greatest-h.least))})
	}
	return bar, true
}

func (b colorBar) width() vg.Length {
	widest := vg.Length(0)
	for _, t := range b.ticks {
		widest = max(widest, room(b.label, t.text))
	}
	return barWidth + barGap + widest
}

// draw draws the bar down from its upper left corner. Colours go on below the next
// ones, so that no seam shows between them.
func (b colorBar) draw(c draw.Canvas, corner vg.Point) {
	foot := corner.Y - b.height
	steps := shades
	if len(b.ticks) == 1 {
		steps = 1
	}
	height := b.height / vg.Length(steps)
	for step := range steps {
		from := foot + height*vg.Length(step)
		fillRectangle(c, shadeColor(step), vg.Rectangle{
			Min: vg.Point{X: corner.X, Y: from},
			Max: vg.Point{X: corner.X + barWidth, Y: min(from+2*height, corner.Y)},
		})
	}
	for _, t := range b.ticks {
		c.FillText(b.label, vg.Point{X: corner.X + barWidth + barGap, Y: foot + b.height*vg.Length(t.at)}, t.text)
	}
}
