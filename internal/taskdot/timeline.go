package taskdot

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"
)

// Sizes of the timeline, in pixels.
const (
	laneHeight = 54 // of a worker: lines above, its EDTs below
	laneMargin = 76 // room for the name of a worker
	leastSpan  = 900.0
	mostSpan   = 6000.0
	roomForEDT = 9 // of the worker that ran most
)

// WriteTimeline writes what each worker ran as SVG, after all workers have ended: time goes to the right, a worker has
// a lane, and an EDT is a box as long as its body.
func (g *Graph) WriteTimeline(w io.Writer, title string) error {
	t := newTimeline(g)
	path, sum := longest(byDepth(g.layout()), g.into(), func(n int) int64 { return int64(g.nodes[n].took) })
	extent := fmt.Sprintf("%s; the longest path, in red, has %d, with %v in their bodies", g.extent(), len(path), rounded(time.Duration(sum)))
	t.head(title, extent, "line: the EDT on the left satisfies the one on the right; a box without text has its name in its tooltip", t.captions)
	t.top = t.height
	t.axis()
	satisfies, _ := g.links()
	t.lines(` stroke="#667" stroke-width="0.6" stroke-opacity="0.6"`, satisfies)
	t.lines(critical, pathLinks(path))
	onPath := contains(path, len(g.nodes))
	for n := range g.nodes {
		t.box(n, onPath[n])
	}
	return t.writeTo(w)
}

// A timeline is a picture of EDTs by time and worker.
type timeline struct {
	picture
	captions
	graph      *Graph
	margin     float64 // to the left of all EDTs, for the names of workers
	nodes      []*node
	first, end int64 // ns
	span       float64
	top        float64
	workers    int // lanes; EDTs that never ran lie in one more
	waits      int // EDTs that never ran, so far
}

func newTimeline(g *Graph) *timeline {
	t := &timeline{captions: g.captions(), graph: g, margin: laneMargin, nodes: g.nodes, first: math.MaxInt64}
	ran := map[int]int{}
	for _, n := range g.nodes {
		if n.worker >= 0 {
			t.workers = max(t.workers, n.worker+1)
			t.margin = max(t.margin, textWidth(g.lane(n.worker))+margin)
			t.first, t.end = min(t.first, n.began), max(t.end, n.began+int64(n.took))
			ran[n.worker]++
			t.span = max(t.span, float64(ran[n.worker]*roomForEDT))
		}
	}
	t.first = min(t.first, t.end)
	t.end = max(t.end, t.first+1)
	t.span = min(max(t.span, leastSpan), mostSpan)
	return t
}

// x returns where a time lies.
func (t *timeline) x(at int64) float64 {
	return t.margin + float64(at-t.first)/float64(t.end-t.first)*t.span
}

// y returns the upper edge of the boxes of a lane.
func (t *timeline) y(lane int) float64 {
	return t.top + float64(lane+1)*laneHeight - boxHeight
}

// axis draws the lanes, and some times below them.
func (t *timeline) axis() {
	bottom := t.y(t.workers-1) + boxHeight + 8
	step := niceStep(float64(t.end-t.first) / t.span * 100)
	for at := int64(0); at <= t.end-t.first; at += step {
		x := t.x(t.first + at)
		t.printf("<path stroke=\"#ddd\" d=\"M%.6g %.6gV%.6g\"/>\n", x, t.top, bottom)
		t.text(x, bottom+10, "", time.Duration(at).String())
	}
	for lane := range t.workers {
		t.text(margin, t.y(lane)+boxHeight-5, "", t.graph.lane(lane))
	}
	t.width, t.height = max(t.width, t.margin+t.span+margin), bottom+10+margin
}

// niceStep returns 1, 2 or 5 times a power of ten, no less than least.
func niceStep(least float64) int64 {
	for step := int64(1); ; step *= 10 {
		for _, times := range []int64{1, 2, 5} {
			if float64(step*times) >= least {
				return step * times
			}
		}
	}
}

// place returns where a node lies; one that has not ended lasts until the end.
func (t *timeline) place(n *node) (x, width float64) {
	end := n.began + int64(n.took)
	if !n.returned {
		end = t.end
	}
	x = t.x(n.began)
	return x, max(t.x(end)-x, 1)
}

// lines draws a line from the end of each EDT to the beginning of one that it satisfies; from before its end if that
// begins earlier. In one lane it is a curve over the boxes.
func (t *timeline) lines(attributes string, links []link) {
	t.path(attributes, links, func(d *strings.Builder, l link) {
		from, to := t.nodes[l.from], t.nodes[l.to]
		if from.worker < 0 || to.worker < 0 {
			return
		}
		x, width := t.place(from)
		toX, _ := t.place(to)
		x = max(t.x(from.began), min(x+width, toX))
		y, toY := t.y(from.worker), t.y(to.worker)
		if from.worker == to.worker {
			up := min(laneHeight-boxHeight-6, 6+(toX-x)/4)
			fmt.Fprintf(d, "M%.6g %.6gC%.6g %.6g %.6g %.6g %.6g %.6g", x, y, x, y-up, toX, y-up, toX, y)
		} else {
			fmt.Fprintf(d, "M%.6g %.6gL%.6g %.6g", x, y+boxHeight/2., toX, toY+boxHeight/2.)
		}
	})
}

// box draws an EDT; one that never ran lies below the axis.
func (t *timeline) box(n int, onPath bool) {
	node, look := t.nodes[n], t.nodes[n].look(t.kind[n], onPath)
	if node.worker < 0 {
		t.never(n, look)
		return
	}
	text := t.captions.box[n]
	x, width := t.place(node)
	if textWidth(text)+4 > width {
		text = ""
	}
	title := t.graph.title(node)
	if node.returned {
		title += ", " + rounded(node.took).String()
	} else {
		title, look = title+", not ended", look+` fill-opacity="0.4"`
	}
	t.picture.box(x, t.y(node.worker), width, boxHeight, look, title, text)
}

// never draws an EDT that never ran, in rows below the axis.
func (t *timeline) never(n int, look string) {
	const width = 10
	if t.waits == 0 {
		t.height += lineHeight
		t.text(margin, t.height-4, "", "never ran")
	}
	perRow := int(t.span) / (width + 2)
	row, column := t.waits/perRow, t.waits%perRow
	y := t.height - lineHeight + float64(row)*(boxHeight+4)
	t.picture.box(t.margin+float64(column)*(width+2), y, width, boxHeight, look, t.graph.title(t.nodes[n]), "")
	t.waits++
}
