package plot

import (
	"bytes"
	"image/color"
	"io"
	"strings"
	"unicode"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// margin is left free around a figure and between its panels.
const margin vg.Length = 12

const titleSize, panelTitleSize, labelSize = 14, 11, 9

// panel is a part of a figure that knows how large it is.
type panel interface {
	size() (width, height vg.Length)
	draw(c draw.Canvas)
}

// writeSVG writes the panels one above the other, under a title.
func writeSVG(w io.Writer, title string, panels []panel) error {
	heading := style(titleSize, text.XLeft, text.YTop)
	title = printable(title)
	width := room(heading, title)
	height := margin
	if title != "" {
		height += heading.Height(title) + margin
	}
	for _, p := range panels {
		panelWidth, panelHeight := p.size()
		width = max(width, panelWidth)
		height += panelHeight + margin
	}
	width += 2 * margin

	svg := vgsvg.New(width, height)
	c := draw.New(svg)
	fillRectangle(c, color.White, c.Rectangle)
	at := vg.Point{X: margin, Y: height - margin}
	if title != "" {
		c.FillText(heading, at, title)
		at.Y -= heading.Height(title) + margin
	}
	for _, p := range panels {
		panelWidth, panelHeight := p.size()
		p.draw(draw.Canvas{Canvas: svg, Rectangle: vg.Rectangle{
			Min: vg.Point{X: at.X, Y: at.Y - panelHeight},
			Max: vg.Point{X: at.X + panelWidth, Y: at.Y},
		}})
		at.Y -= panelHeight + margin
	}
	return writeWithFallbackFonts(w, svg)
}

// writeWithFallbackFonts writes the picture so that a reader without the Liberation
// fonts, by which texts were measured, takes others of the same widths.
func writeWithFallbackFonts(w io.Writer, svg *vgsvg.Canvas) error {
	var b bytes.Buffer
	if _, err := svg.WriteTo(&b); err != nil {
		return err
	}
	const family = "font-family:Liberation Sans"
	_, err := w.Write(bytes.ReplaceAll(b.Bytes(), []byte(family+";"), []byte(family+",Arial,Helvetica,sans-serif;")))
	return err
}

// style is black text of a size in points.
func style(size float64, x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{
		Color:  color.Black,
		Font:   font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, vg.Points(size)),
		XAlign: x, YAlign: y, Handler: plot.DefaultTextHandler,
	}
}

// room returns the width to keep for a text: readers without a font of the measured
// widths may take a wider one.
func room(s text.Style, txt string) vg.Length { return 1.2 * s.Width(txt) }

// printable returns s on one line and without what XML has no place for.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || !unicode.IsGraphic(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, " "))
}

func fillRectangle(c draw.Canvas, fill color.Color, r vg.Rectangle) {
	c.SetColor(fill)
	c.Fill(r.Path())
}
