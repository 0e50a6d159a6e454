package page

import (
	"fmt"
	"html/template"
	"math"
	"strings"
)

// Sizes of the drawing of samples, in its own units: CSS pixels if it is as wide as a card.
const (
	chartWidth  = 360.0
	chartEdge   = 8.0  // free at both sides
	letterRoom  = 14.0 // of the file's letter, if there are several
	histHeight  = 34.0
	dotsHeight  = 40.0
	stripGap    = 8.0
	axisHeight  = 18.0
	digitWidth  = 7.0 // of text of the axis, about
	mostDots    = 1000
	leastBins   = 5
	mostBins    = 40
	labelMargin = 10.0
)

// svg is a drawing under way.
type svg struct{ strings.Builder }

// newSVG begins a drawing of a size that scales, with a name for those who do not see it.
func newSVG(class, name string, width, height float64) *svg {
	s := &svg{}
	s.add(`<svg class="%s" viewBox="0 0 %g %g" role="img" aria-label="%s">`, class, width, height, template.HTMLEscapeString(name))
	return s
}

// add writes markup. What is not a number in args is escaped by the caller.
func (s *svg) add(format string, args ...any) { fmt.Fprintf(s, format, args...) }

func (s *svg) line(class string, x1, y1, x2, y2 float64) {
	s.add(`<path class="%s" d="M%.1f %.1fL%.1f %.1f"/>`, class, x1, y1, x2, y2)
}

func (s *svg) rect(class string, x, y, width, height float64) {
	s.add(`<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`, class, x, y, width, height)
}

// text writes a text whose anchor is start, middle or end.
func (s *svg) text(anchor string, x, y float64, text string) {
	s.add(`<text text-anchor="%s" x="%.1f" y="%.1f">%s</text>`, anchor, x, y, template.HTMLEscapeString(text))
}

// points draws a dot at each place, as one shape for a small page.
func (s *svg) points(class string, xs, ys []float64) {
	s.add(`<path class="%s" d="`, class)
	for i := range xs {
		s.add("M%.1f %.1fh0", xs[i], ys[i])
	}
	s.add(`"/>`)
}

func (s *svg) end() template.HTML {
	s.add("</svg>")
	return template.HTML(s.String())
}

// labelWidth is the room that a number on an axis takes.
func labelWidth(label string) float64 { return digitWidth*float64(len(label)) + labelMargin }

// distribution draws the samples of each side on one axis: a histogram, below it the samples
// in their order from top to bottom, and behind both the interval of the median.
func distribution(name string, sides []side, letters bool) template.HTML {
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range sides {
		low, high = min(low, s.Min), max(high, s.Max)
	}
	left := chartEdge
	if letters {
		left += letterRoom
	}
	x := newScale(low, high, left, chartWidth-chartEdge)
	each := histHeight + dotsHeight + stripGap
	bottom := each * float64(len(sides))
	c := newSVG("samples", "samples of "+name, chartWidth, bottom+axisHeight)
	for i, s := range sides {
		top := each * float64(i)
		c.add(`<g class="c%d">`, s.Color)
		c.strip(s, x, top)
		if letters {
			c.text("start", 0, top+histHeight, s.Letter)
		}
		c.add("</g>")
	}
	c.line("axis", x.from, bottom, x.to, bottom)
	for _, t := range x.ticks(x.rounds(), prefixed) {
		c.line("axis", t.at, bottom, t.at, bottom+3)
		if half := (labelWidth(t.label) - labelMargin) / 2; t.at >= half && t.at <= chartWidth-half {
			c.text("middle", t.at, bottom+14, t.label)
		}
	}
	return c.end()
}

// strip draws the samples of one side.
func (c *svg) strip(s side, x scale, top float64) {
	base := top + histHeight
	c.rect("interval", x.at(s.Lo), top, max(x.at(s.Hi)-x.at(s.Lo), 1), histHeight+dotsHeight)
	bins := histogram(s.samples, x)
	most := 0
	for _, n := range bins {
		most = max(most, n)
	}
	width := (x.to - x.from) / float64(len(bins))
	for i, n := range bins {
		if n > 0 {
			height := (histHeight - 2) * float64(n) / float64(most)
			c.rect("bin", x.from+width*float64(i)+0.5, base-height, width-1, height)
		}
	}
	var xs, ys []float64
	step := (len(s.samples) + mostDots - 1) / mostDots
	for i := 0; i < len(s.samples); i += step {
		xs = append(xs, x.at(s.samples[i]))
		ys = append(ys, base+5+(dotsHeight-8)*float64(i)/float64(max(len(s.samples)-1, 1)))
	}
	c.points("dots", xs, ys)
	c.line("median", x.at(s.Median), top, x.at(s.Median), base+dotsHeight)
}

// histogram counts samples in bins of equal width along the axis, about the square root of
// their number.
func histogram(samples []float64, x scale) []int {
	bins := make([]int, min(max(int(math.Ceil(math.Sqrt(float64(len(samples)))))*2, leastBins), mostBins))
	for _, v := range samples {
		part := (x.at(v) - x.from) / (x.to - x.from)
		bins[min(max(int(part*float64(len(bins))), 0), len(bins)-1)]++
	}
	return bins
}
