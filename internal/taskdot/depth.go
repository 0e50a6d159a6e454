package taskdot

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// maxNamed is how many boxes of an SVG have room for a text.
const maxNamed = 600

// WriteGraph writes the graph as SVG, after all workers have ended. Each EDT is a box, the further to the right the
// longer the longest path to it is. EDTs that go on from each other lie in one lane, so that a wavefront is a slanted
// line. There are no times in it: a run that is repeated with the same order of its EDTs gives the same text.
func (g *Graph) WriteGraph(w io.Writer, title string) error {
	c, spots, into := g.captions(), g.layout(), g.into()
	named, width, gap := len(g.nodes) <= maxNamed, 10.0, 10.0
	if named {
		width, gap = float64(c.fit())*glyph+8, 14
	}
	path, _ := longest(byDepth(spots), into, func(int) int64 { return 1 })
	p := &picture{}
	extent := fmt.Sprintf("%s; the longest path, in red, has %d", g.extent(), len(path))
	if !named {
		extent += "; what boxes say is in their tooltips"
	}
	p.head(title, extent, "line: the EDT on the left satisfies the one on the right; dashed: creates it, and none satisfies it; dotted box: never ran", c)
	top := p.height
	at := func(n int) (x, y float64) {
		return margin + float64(spots[n].depth)*(width+gap), top + float64(spots[n].lane)*(boxHeight+6)
	}
	curves := func(attributes string, links []link) {
		p.path(attributes, links, func(d *strings.Builder, l link) {
			x, y := at(l.from)
			toX, toY := at(l.to)
			x, y, toY = x+width, y+boxHeight/2., toY+boxHeight/2.
			if y == toY && spots[l.to].depth > spots[l.from].depth+1 { // over the boxes between
				fmt.Fprintf(d, "M%.6g %.6gQ%.6g %.6g %.6g %.6g", x, y, (x+toX)/2, y-boxHeight-6, toX, toY)
			} else {
				fmt.Fprintf(d, "M%.6g %.6gL%.6g %.6g", x, y, toX, toY)
			}
		})
	}
	satisfies, creates := g.links()
	curves(` stroke="#888" stroke-dasharray="3 2"`, creates)
	far := slices.DeleteFunc(slices.Clone(satisfies), func(l link) bool { return spots[l.to].depth == spots[l.from].depth+1 })
	near := slices.DeleteFunc(satisfies, func(l link) bool { return spots[l.to].depth > spots[l.from].depth+1 })
	curves(` stroke="#aab" stroke-width="0.6"`, far)
	curves(` stroke="#556" stroke-width="0.8"`, near)
	curves(critical, pathLinks(path))
	onPath := contains(path, len(g.nodes))
	for n, node := range g.nodes {
		text := ""
		if named {
			text = c.box[n]
		}
		x, y := at(n)
		p.box(x, y, width, boxHeight, node.look(c.kind[n], onPath[n]), g.title(node), text)
		p.width, p.height = max(p.width, x+width+margin), max(p.height, y+boxHeight+margin)
	}
	return p.writeTo(w)
}

// look returns how the box of a node is drawn.
func (n *node) look(kind int, onPath bool) string {
	look := fmt.Sprintf(" fill=\"%s\"", colour(kind))
	switch {
	case onPath:
		return look + critical
	case n.worker < 0:
		return look + ` stroke="#555" stroke-dasharray="2 2"`
	}
	return look + ` stroke="#555" stroke-width="0.6"`
}

// pathLinks returns the links of a path.
func pathLinks(path []int) (links []link) {
	for k := 1; k < len(path); k++ {
		links = append(links, link{path[k], path[k-1]})
	}
	return links
}
