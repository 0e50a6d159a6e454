package picture

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"unicode/utf8"
)

// A canvas collects the elements of an SVG. Lengths are in pixels, from the upper left corner. Colours and widths are
// attributes of the elements: a page of HTML may hold several pictures, and changes the style of their elements by
// class.
type canvas struct{ bytes.Buffer }

func (c *canvas) printf(format string, args ...any) { fmt.Fprintf(c, format, args...) }

// group adds what the function content draws as one element, whose attributes apply to all of it.
func (c *canvas) group(attributes string, content func()) {
	c.printf("<g %s>\n", attributes)
	content()
	c.printf("</g>\n")
}

// at adds what the function content draws, with its upper left corner at x, y.
func (c *canvas) at(x, y float64, content func()) {
	c.group(fmt.Sprintf(`transform="translate(%.1f %.1f)"`, x, y), content)
}

// text adds a line of text that begins at x; an attribute text-anchor moves it. y is its base line.
func (c *canvas) text(x, y float64, attributes, text string) {
	c.printf("<text x=\"%.1f\" y=\"%.1f\" %s>%s</text>\n", x, y, attributes, escape(text))
}

// path adds lines in SVG's path language, if there are any.
func (c *canvas) path(attributes, d string) {
	if d != "" {
		c.printf("<path fill=\"none\" %s d=\"%s\"/>\n", attributes, d)
	}
}

func (c *canvas) line(attributes string, x1, y1, x2, y2 float64) {
	c.path(attributes, fmt.Sprintf("M%.1f %.1fL%.1f %.1f", x1, y1, x2, y2))
}

func (c *canvas) rect(attributes string, x, y, width, height float64) {
	c.printf("<rect %s x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", attributes, x, y, width, height)
}

// textWidth estimates the width of a text. Latin letters hardly exceed it; wide characters, such as Chinese ones, do.
func textWidth(text string, fontSize float64) float64 {
	return 0.61 * fontSize * float64(utf8.RuneCountInString(text))
}

// escape writes a text as XML, with U+FFFD in place of each character that XML does not allow.
func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder cannot fail
	return b.String()
}
