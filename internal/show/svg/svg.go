// Package svg writes pictures: curves, heat maps and samples are drawn with it.
//
//	p := &svg.Picture{}
//	p.Text(10, 20, `font-weight="bold"`, "two workers")
//	p.Line(`stroke="#000"`, 10, 30, 90, 30)
//	err := p.Write(file, "", 100, 40)
//
// Colours and widths are attributes of elements. There is no style sheet and no id, so a page of HTML may hold several
// pictures, and restyle their elements by class.
package svg

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// A Picture is the elements of an SVG. The zero Picture is empty. Lengths are in pixels, from the upper left corner.
type Picture struct{ body bytes.Buffer }

// Printf adds markup. A text among args must come from [Escape].
func (p *Picture) Printf(format string, args ...any) { fmt.Fprintf(&p.body, format, args...) }

// Group adds what content draws as one element; its attributes apply to all of it.
func (p *Picture) Group(attributes string, content func()) {
	p.Printf("<g %s>\n", attributes)
	content()
	p.Printf("</g>\n")
}

// At adds what content draws with its upper left corner at x, y.
func (p *Picture) At(x, y float64, content func()) {
	p.Group(fmt.Sprintf(`transform="translate(%.1f %.1f)"`, x, y), content)
}

// Text adds a line of text that begins at x; an attribute text-anchor moves it. y is its base line.
func (p *Picture) Text(x, y float64, attributes, text string) {
	p.Printf("<text x=\"%.1f\" y=\"%.1f\" %s>%s</text>\n", x, y, attributes, Escape(text))
}

// Path adds lines in SVG's path language, if there are any.
func (p *Picture) Path(attributes, d string) {
	if d != "" {
		p.Printf("<path fill=\"none\" %s d=\"%s\"/>\n", attributes, d)
	}
}

// Line adds a straight line.
func (p *Picture) Line(attributes string, x1, y1, x2, y2 float64) {
	p.Path(attributes, fmt.Sprintf("M%.1f %.1fL%.1f %.1f", x1, y1, x2, y2))
}

// Rect adds a rectangle whose upper left corner is at x, y.
func (p *Picture) Rect(attributes string, x, y, width, height float64) {
	p.Printf("<rect %s x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", attributes, x, y, width, height)
}

// Inline returns the picture as an element of a page of HTML. name is for readers that do not see it.
func (p *Picture) Inline(class, name string, width, height float64) string {
	return fmt.Sprintf(`<svg class="%s" role="img" aria-label="%s" %s>%s</svg>`,
		class, Escape(name), extent(width, height), p.body.Bytes())
}

// Write writes the picture as a file of its own, on white, with a font for all its texts. A browser shows it as wide as
// its window at most.
func (p *Picture) Write(w io.Writer, font string, width, height float64) error {
	const fits, paper = `style="max-width:100%;height:auto"`, `<rect width="100%" height="100%" fill="white"/>`
	_, err := fmt.Fprintf(w, "<svg xmlns=\"http://www.w3.org/2000/svg\" %s %s font-family=\"%s\">\n%s\n%s</svg>\n",
		extent(width, height), fits, font, paper, p.body.Bytes())
	return err
}

func extent(width, height float64) string {
	return fmt.Sprintf(`viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f"`, width, height, width, height)
}

// Fonts for [Picture.Write].
const (
	Sans = "Liberation Sans,Arial,Helvetica,sans-serif"
	Mono = "'DejaVu Sans Mono',Menlo,Consolas,monospace"
)

// TextWidth returns the width of a text in the font Mono; the same text in Sans is seldom wider.
func TextWidth(text string, fontSize float64) float64 {
	return 0.61 * fontSize * float64(utf8.RuneCountInString(text))
}

// Escape writes a text as XML does, with another character in place of each that XML does not allow.
func Escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder returns no error
	return b.String()
}

// Colors are lines that colour-blind readers can tell apart: Okabe and Ito's, with a darker yellow, and two more.
var Colors = [...]string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#7a3fb0", "#808080"}
