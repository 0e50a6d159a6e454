// Package picture draws measurements as SVG, in a file or in a page of HTML: figures against sizes or settings as
// curves, medians with their intervals as bars, the core-to-core matrices of a machine as heat maps.
//
//	f := picture.Figure{Title: "put", About: "AMD EPYC, 2 workers", Curves: []picture.Curves{{
//		Title: "bandwidth", X: picture.Axis{Name: "bytes", Kind: picture.Sizes}, Y: picture.Axis{Name: "MiB/s"},
//		Series: []picture.Series{{Name: "edt", Points: points}},
//	}}}
//	err := f.Write(file)
//	for _, d := range f.Drawings() { ... d.HTML() }
//
// All numbers are finite, and at most 1e100: [ocr/internal/show/report] reads and writes no others. The same figure
// gives the same bytes. Any goroutine may call every function.
package picture

import (
	"fmt"
	"io"

	"ocr/internal/show/matrix"
)

// A Figure is pictures of one run.
type Figure struct {
	Title     string
	About     string // a line below the title about the machine; may be empty
	Maps      []*matrix.Matrix
	Intervals []Intervals
	Curves    []Curves
}

// A Drawing is one picture of a figure.
type Drawing struct {
	Title         string
	class         string
	width, height float64
	draw          func(*canvas)
}

// Drawings returns the pictures: heat maps, intervals, curves. Curves with the same axes have the same scales, so that
// they can be compared.
func (f Figure) Drawings() (list []Drawing) {
	for _, m := range f.Maps {
		list = append(list, drawMap(m))
	}
	for _, v := range f.Intervals {
		list = append(list, v.drawing())
	}
	extents := map[[2]Axis]*extent{}
	for _, c := range f.Curves {
		axes := [2]Axis{c.X, c.Y}
		if extents[axes] == nil {
			extents[axes] = &extent{}
		}
		extents[axes].add(c)
	}
	for _, c := range f.Curves {
		list = append(list, c.drawing(extents[[2]Axis{c.X, c.Y}]))
	}
	return list
}

// HTML returns the drawing, without its title, as an element of a page.
func (d Drawing) HTML() string {
	var c canvas
	d.draw(&c)
	return fmt.Sprintf(`<svg class="%s" role="img" aria-label="%s" %s>%s</svg>`,
		d.class, escape(d.Title), extentOf(d.width, d.height), c.Bytes())
}

func extentOf(width, height float64) string {
	return fmt.Sprintf(`viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f"`, width, height, width, height)
}

const (
	margin     = 16.0
	lineHeight = 18.0
	mostWidth  = 1400 // of pictures beside each other
)

const bold = `font-size="14" font-weight="bold"`

// Write writes the figure as a file of its own, on white: its pictures beside each other, in rows. A browser shows it
// at most as wide as its window. The error is w's.
func (f Figure) Write(w io.Writer) error {
	var c canvas
	c.text(margin, margin+lineHeight, `font-size="17"`, f.Title)
	c.text(margin, margin+2*lineHeight, `font-size="12"`, f.About)
	width := max(textWidth(f.Title, 17), textWidth(f.About, fontSize))
	x, y, below := margin, 2*(margin+lineHeight), 2*(margin+lineHeight)
	for _, d := range f.Drawings() {
		across := max(d.width, textWidth(d.Title, 14))
		if x > margin && x+across+margin > mostWidth {
			x, y = margin, below
		}
		c.text(x, y+14, bold, d.Title)
		c.at(x, y+lineHeight+4, func() { d.draw(&c) })
		width, below = max(width, x+across-margin), max(below, y+lineHeight+4+d.height+margin)
		x += across + margin
	}
	const paper = `<rect width="100%" height="100%" fill="white"/>`
	_, err := fmt.Fprintf(w, "<svg xmlns=\"http://www.w3.org/2000/svg\" %s style=\"max-width:100%%;height:auto\" "+
		"font-family=\"Liberation Sans,Arial,Helvetica,sans-serif\">\n%s\n%s</svg>\n",
		extentOf(width+2*margin, below), paper, c.Bytes())
	return err
}
