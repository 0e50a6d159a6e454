package taskdot

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Sizes of the SVGs, in pixels. Texts are of one width a character, so that their widths are known.
const (
	fontSize   = 10
	glyph      = 6.1 // width of a character
	lineHeight = 16
	margin     = 12
	boxHeight  = 17
)

// A picture is an SVG in the making. It has no ids and no styles, so that a page may have several in it.
type picture struct {
	body          bytes.Buffer
	width, height float64
}

// printf adds to the picture. Texts among the arguments come from escape.
func (p *picture) printf(format string, args ...any) { fmt.Fprintf(&p.body, format, args...) }

// escape writes a text as XML does, without what XML has no place for.
func escape(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(s)) // a Builder takes all
	return b.String()
}

func textWidth(s string) float64 { return glyph * float64(utf8.RuneCountInString(s)) }

// text adds a line of text; y is its base line.
func (p *picture) text(x, y float64, attributes, s string) {
	p.printf("<text x=\"%.5g\" y=\"%.5g\"%s>%s</text>\n", x, y, attributes, escape(s))
	p.width = max(p.width, x+textWidth(s)+margin)
}

// head adds the title, how much of the run is drawn, what lines mean, and the templates with their colours. What
// follows begins at the height that p then has.
func (p *picture) head(title, extent, lines string, c captions) {
	p.height = margin
	for k, line := range []string{title, extent, lines} {
		p.height += lineHeight
		p.text(margin, p.height-4, []string{` font-weight="bold"`, "", ""}[k], line)
	}
	for kind, name := range c.legend {
		p.height += lineHeight
		p.printf("<rect x=\"%d\" y=\"%.5g\" width=\"14\" height=\"11\" fill=\"%s\" stroke=\"#555\"/>\n", margin, p.height-13, colour(kind))
		p.text(margin+20, p.height-4, "", name)
	}
	p.height += margin
}

// colour returns the colour of a template: neighbours are far apart on the circle of hues.
func colour(kind int) string {
	if kind < len(colours) {
		return colours[kind]
	}
	return fmt.Sprintf("hsl(%d,60%%,80%%)", kind*137%360)
}

// box adds the box of a node, with its text in the middle if there is one.
func (p *picture) box(x, y, width, height float64, attributes, title, text string) {
	p.printf("<g><title>%s</title><rect x=\"%.6g\" y=\"%.6g\" width=\"%.5g\" height=\"%.4g\"%s/>", escape(title), x, y, width, height, attributes)
	if text != "" {
		p.printf("<text x=\"%.6g\" y=\"%.6g\">%s</text>", x+(width-textWidth(text))/2, y+height-5, escape(text))
	}
	p.printf("</g>\n")
}

// path adds lines as one element; draw writes one of them in SVG's path language.
func (p *picture) path(attributes string, links []link, draw func(d *strings.Builder, l link)) {
	var d strings.Builder
	for _, l := range links {
		draw(&d, l)
	}
	if d.Len() > 0 {
		p.printf("<path fill=\"none\"%s d=\"%s\"/>\n", attributes, d.String())
	}
}

// writeTo writes the picture.
func (p *picture) writeTo(w io.Writer) error {
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" font-family="'DejaVu Sans Mono',Menlo,Consolas,monospace" font-size="%d">
<rect width="100%%" height="100%%" fill="white"/>
%s</svg>
`, p.width, p.height, p.width, p.height, fontSize, p.body.Bytes())
	return err
}

// link is a line between two nodes, of all their edges.
type link struct{ from, to int } // counted from 0

// links returns a line for each pair of nodes of which one satisfies the other, and for each creator of an EDT that no
// EDT satisfies.
func (g *Graph) links() (satisfies, creates []link) {
	satisfied, seen := make([]bool, len(g.nodes)), map[link]bool{}
	add := func(list []link, e edge) []link {
		l := link{e.from - 1, e.to - 1}
		if l.from == l.to || seen[l] {
			return list
		}
		seen[l] = true
		return append(list, l)
	}
	for _, e := range g.edges {
		if e.slot >= 0 {
			satisfied[e.to-1] = true
			satisfies = add(satisfies, e)
		}
	}
	for _, e := range g.edges {
		if e.slot < 0 && !satisfied[e.to-1] {
			creates = add(creates, e)
		}
	}
	return satisfies, creates
}

// longest returns the nodes of a path of which the sum of weights is the greatest, last first, and that sum.
func longest(order []int, into [][]int, weight func(n int) int64) (path []int, sum int64) {
	through, before := make([]int64, len(order)), make([]int, len(order))
	end := -1
	for _, n := range order {
		before[n] = -1
		for _, from := range into[n] {
			if b := before[n]; b < 0 || through[from] > through[b] {
				before[n] = from
			}
		}
		if b := before[n]; b >= 0 {
			through[n] = through[b]
		}
		if through[n] += weight(n); end < 0 || through[n] > through[end] {
			end = n
		}
	}
	if end >= 0 {
		sum = through[end]
	}
	for n := end; n >= 0; n = before[n] {
		path = append(path, n)
	}
	return path, sum
}

// contains reports which nodes are in a path.
func contains(path []int, nodes int) []bool {
	in := make([]bool, nodes)
	for _, n := range path {
		in[n] = true
	}
	return in
}

// critical is how boxes and lines of the longest path are drawn.
const critical = ` stroke="#d00" stroke-width="1.6"`
