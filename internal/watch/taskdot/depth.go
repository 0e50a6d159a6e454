package taskdot

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"ocr/internal/show/svg"
)

// Sizes of the SVG, in pixels.
const (
	fontSize   = 10
	lineHeight = 16
	margin     = 12
	boxHeight  = 17.0
	laneHeight = boxHeight + 6
	maxNamed   = 600 // the most boxes with a text in them
)

// A picture is the SVG in the making.
type picture struct {
	svg.Picture
	spots         []spot
	boxWidth, gap float64
	rows, across  int     // rows, and how many depths each has
	rowHeight     float64 // with what is free below it
	top           float64 // of the boxes
	right, bottom float64 // of all that is drawn
}

// WriteGraph writes the graph as SVG, after all workers have ended. Each EDT is a box, the further to the right the
// longer the longest path to it is. EDTs that continue each other lie in one lane, so a wavefront is a slanted line. A
// picture that would be a long strip goes on in rows below.
// The picture has no times: a run that is repeated with the same order of its EDTs gives the same text.
func (g *Graph) WriteGraph(w io.Writer, title string) error {
	c := g.captions()
	p := &picture{spots: g.layout(), boxWidth: 10, gap: 10}
	path := longest(p.spots, g.into())
	extent := fmt.Sprintf("%s; the longest path, in red, has %d", g.extent(), len(path))
	names := ""
	if len(g.nodes) <= maxNamed {
		p.boxWidth, p.gap = svg.TextWidth(strings.Repeat(" ", c.fit()), fontSize)+8, 14
	} else {
		clear(c.box)
		names = "; what boxes say is in their tooltips"
	}
	if p.fold(); p.rows > 1 {
		extent += fmt.Sprintf("; folded into %d rows", p.rows)
	}
	extent += names
	p.Group(fmt.Sprintf(`font-size="%d"`, fontSize), func() {
		p.head(title, extent, c.legend)
		p.lines(g, path)
		for n, node := range g.nodes {
			p.box(n, node.look(c.kind[n], slices.Contains(path, n)), g.title(node), c.box[n])
		}
	})
	return p.Write(w, svg.Mono, p.right+margin, p.bottom+margin)
}

// fold chooses how many rows there are: several if the picture would be wider than a screen, and a strip.
func (p *picture) fold() {
	const screen, wide, strip = 1600, 2.5, 8 // width, and width by height
	depths, lanes := 1, 1
	for _, s := range p.spots {
		depths, lanes = max(depths, s.depth+1), max(lanes, s.lane+1)
	}
	p.rows, p.rowHeight = 1, float64(lanes)*laneHeight+boxHeight
	width := float64(depths) * (p.boxWidth + p.gap)
	if ratio := width / p.rowHeight; width > screen && ratio > strip {
		p.rows = int(math.Ceil(math.Sqrt(ratio / wide)))
	}
	p.across = (depths + p.rows - 1) / p.rows
	p.rows = (depths + p.across - 1) / p.across
}

// longest returns the nodes of a longest path, last first.
func longest(spots []spot, into [][]int) (path []int) {
	if len(spots) == 0 {
		return nil
	}
	n := 0
	for k := range spots {
		if spots[k].depth > spots[n].depth {
			n = k
		}
	}
	for path = []int{n}; spots[n].depth > 0; path = append(path, n) {
		before := spots[n].depth - 1
		n = into[n][slices.IndexFunc(into[n], func(from int) bool { return spots[from].depth == before })]
	}
	return path
}

// head draws the title, how much of the run is drawn, what lines mean, and the templates with their colours.
func (p *picture) head(title, extent string, templates []string) {
	const lines = "line: the EDT on the left satisfies the one on the right; dashed: creates it, and none satisfies it;" +
		" dotted box: never ran"
	p.bottom = margin
	line := func(x float64, attributes, text string) {
		p.Text(x, p.bottom-4, attributes, text)
		p.right = max(p.right, x+svg.TextWidth(text, fontSize))
	}
	for k, text := range []string{title, extent, lines} {
		p.bottom += lineHeight
		line(margin, []string{`font-weight="bold"`, "", ""}[k], text)
	}
	for kind, text := range templates {
		p.bottom += lineHeight
		p.Rect(fmt.Sprintf(`fill="%s" stroke="#555"`, colour(kind)), margin, p.bottom-13, 14, 11)
		line(margin+20, "", text)
	}
	p.top = p.bottom + margin
}

// colour returns the colour of a template: neighbours are far apart on the circle of hues.
func colour(kind int) string {
	if kind < len(colours) {
		return colours[kind]
	}
	return fmt.Sprintf("hsl(%d,60%%,80%%)", kind*137%360)
}

// at returns the upper left corner of a node's box.
func (p *picture) at(n int) (x, y float64) {
	s := p.spots[n]
	return margin + float64(s.depth%p.across)*(p.boxWidth+p.gap),
		p.top + float64(s.depth/p.across)*p.rowHeight + float64(s.lane)*laneHeight
}

// box draws the box of a node, with a text in the middle.
func (p *picture) box(n int, look, title, text string) {
	x, y := p.at(n)
	p.Printf("<g><title>%s</title>", svg.Escape(title))
	p.Rect(look, x, y, p.boxWidth, boxHeight)
	if text != "" {
		p.Text(x+p.boxWidth/2, y+boxHeight-5, `text-anchor="middle"`, text)
	}
	p.Printf("</g>\n")
	p.right, p.bottom = max(p.right, x+p.boxWidth), max(p.bottom, y+boxHeight)
}

// critical is how boxes and lines of the longest path are drawn.
const critical = `stroke="#d00" stroke-width="1.6"`

// look returns how the box of a node is drawn.
func (n *node) look(kind int, onPath bool) string {
	fill := fmt.Sprintf(`fill="%s" `, colour(kind))
	switch {
	case onPath:
		return fill + critical
	case n.worker < 0:
		return fill + `stroke="#555" stroke-dasharray="2 2"`
	}
	return fill + `stroke="#555" stroke-width="0.6"`
}

// link is a line between two nodes, of all their edges.
type link struct{ from, to int } // counted from 0

// lines draws a line for each pair of nodes of which one satisfies the other, and for each creator of an EDT that no
// EDT satisfies. Long ones are faint, and those of the path are red.
func (p *picture) lines(g *Graph, path []int) {
	satisfied, seen := make([]bool, len(g.nodes)), map[link]bool{}
	var near, far, creates, red strings.Builder
	draw := func(e edge, d *strings.Builder) {
		if l := (link{e.from - 1, e.to - 1}); l.from != l.to && !seen[l] {
			seen[l] = true
			p.line(d, l)
		}
	}
	for _, e := range g.edges {
		if e.slot >= 0 {
			satisfied[e.to-1] = true
			if p.spots[e.to-1].depth == p.spots[e.from-1].depth+1 {
				draw(e, &near)
			} else {
				draw(e, &far)
			}
		}
	}
	for _, e := range g.edges {
		if e.slot < 0 && !satisfied[e.to-1] {
			draw(e, &creates)
		}
	}
	for k := 1; k < len(path); k++ {
		p.line(&red, link{path[k], path[k-1]})
	}
	p.Path(`stroke="#888" stroke-dasharray="3 2"`, creates.String())
	p.Path(`stroke="#aab" stroke-width="0.6"`, far.String())
	p.Path(`stroke="#556" stroke-width="0.8"`, near.String())
	p.Path(critical, red.String())
}

// line adds a line from one box to another one: over the boxes between if there may be some. A line to another row
// leaves at the right, and comes in at the left, in the lane where it ends.
func (p *picture) line(d *strings.Builder, l link) {
	x, y := p.at(l.from)
	toX, toY := p.at(l.to)
	x, y, toY = x+p.boxWidth, y+boxHeight/2, toY+boxHeight/2
	if from, to := p.spots[l.from], p.spots[l.to]; from.depth/p.across != to.depth/p.across {
		out := margin + float64(p.across)*(p.boxWidth+p.gap)
		turn := y + float64(to.lane-from.lane)*laneHeight
		fmt.Fprintf(d, "M%.1f %.1fL%.1f %.1fM%.1f %.1fH%.1f", x, y, out, turn, margin-p.gap, toY, toX)
		p.right = max(p.right, out)
		return
	}
	if y == toY && p.spots[l.to].depth > p.spots[l.from].depth+1 {
		fmt.Fprintf(d, "M%.1f %.1fQ%.1f %.1f %.1f %.1f", x, y, (x+toX)/2, y-boxHeight-6, toX, toY)
	} else {
		fmt.Fprintf(d, "M%.1f %.1fL%.1f %.1f", x, y, toX, toY)
	}
}
