package page

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"ocr/internal/show/svg"
)

// Sizes of the drawing of samples, in pixels if it is as wide as a card.
const (
	samplesWidth = 360.0
	edge         = 8.0  // free at both sides
	letterRoom   = 14.0 // of the file's letter, if there are several
	histHeight   = 34.0
	dotsHeight   = 40.0
	stripGap     = 8.0
	axisHeight   = 18.0
	mostDots     = 1000
	leastBinned  = 10 // samples; fewer are dots only
	leastBins    = 5
	mostBins     = 40
)

// drawSamples draws the samples of each side on one axis: a histogram if there are many, below it the samples in their
// order from top to bottom, and behind both the interval of the median.
func drawSamples(name string, sides []side, letters bool) template.HTML {
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range sides {
		low, high = min(low, s.Min), max(high, s.Max)
	}
	left := edge
	if letters {
		left += letterRoom
	}
	x := svg.NewScale(low, high, left, samplesWidth-edge)
	bottom := 0.0
	p := &svg.Picture{}
	for _, s := range sides {
		top := bottom
		bottom += s.histogramHeight() + dotsHeight + stripGap
		p.Group(fmt.Sprintf(`class="c%d"`, s.Color), func() {
			s.drawStrip(p, x, top)
			if letters {
				p.Text(0, top+histHeight, "", s.Letter) // beside the histogram's base, or the dots
			}
		})
	}
	p.Line(`class="axis"`, x.From, bottom, x.To, bottom)
	for _, t := range x.Ticks(x.Rounds(), svg.Decimal) {
		p.Line(`class="axis"`, t.At, bottom, t.At, bottom+3)
		if half := svg.TextWidth(t.Label, svg.TickSize) / 2; t.At >= half && t.At <= samplesWidth-half {
			p.Text(t.At, bottom+14, `text-anchor="middle"`, t.Label)
		}
	}
	return template.HTML(p.Inline("samples", "samples of "+name, samplesWidth, bottom+axisHeight))
}

// drawStrip draws the samples of one side.
func (s side) drawStrip(p *svg.Picture, x svg.Scale, top float64) {
	base := top + s.histogramHeight()
	p.Rect(`class="interval"`, x.At(s.Lo), top, max(x.At(s.Hi)-x.At(s.Lo), 1), base-top+dotsHeight)
	if base > top {
		s.drawHistogram(p, x, base)
	}
	var dots strings.Builder // one shape, for a small page
	step := (len(s.samples) + mostDots - 1) / mostDots
	for i := 0; i < len(s.samples); i += step {
		y := base + 5 + (dotsHeight-8)*float64(i)/float64(max(len(s.samples)-1, 1))
		fmt.Fprintf(&dots, "M%.1f %.1fh0", x.At(s.samples[i]), y)
	}
	p.Path(`class="dots"`, dots.String())
	p.Line(`class="median"`, x.At(s.Median), top, x.At(s.Median), base+dotsHeight)
}

// histogramHeight returns the height of the side's histogram: 0 for few samples, of which bins would say nothing.
func (s side) histogramHeight() float64 {
	if len(s.samples) < leastBinned {
		return 0
	}
	return histHeight
}

func (s side) drawHistogram(p *svg.Picture, x svg.Scale, base float64) {
	bins := histogram(s.samples, x)
	most := slices.Max(bins)
	width := (x.To - x.From) / float64(len(bins))
	for i, n := range bins {
		if n > 0 {
			height := (histHeight - 2) * float64(n) / float64(most)
			p.Rect(`class="bin"`, x.From+width*float64(i)+0.5, base-height, width-1, height)
		}
	}
}

// histogram counts samples in bins of equal width along the axis, about twice the square root of their number.
func histogram(samples []float64, x svg.Scale) []int {
	bins := make([]int, min(max(2*int(math.Ceil(math.Sqrt(float64(len(samples))))), leastBins), mostBins))
	for _, v := range samples {
		part := (x.At(v) - x.From) / (x.To - x.From)
		bins[min(max(int(part*float64(len(bins))), 0), len(bins)-1)]++
	}
	return bins
}
