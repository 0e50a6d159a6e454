package taskdot

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"ocr/guid"
)

// colours are of workers, in turn.
var colours = []string{"#cfe8ff", "#ffe2b8", "#d5f2cd", "#f6d0d8", "#e4d7f5", "#fff3a8", "#cdeeea", "#e6e0d8"}

const legend = `solid arrow: satisfies the slot of that number; dashed: creates
box: template, which EDT, worker and its colour, time; dotted box: did not run`

// Sizes in points, for the fonts that Write asks for.
const (
	charWidth = 6
	nodeGap   = 40
	rowHeight = 90
)

// Write writes the graph in Graphviz's language, after all workers have ended.
func (g *Graph) Write(w io.Writer, title string) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, `digraph tasks {
	layout=nop; splines=line; outputorder=edgesfirst; label=%s; labelloc=t; fontname="sans-serif";
	node [shape=box, style="rounded,filled", fontname="sans-serif", fontsize=10];
	edge [fontname="sans-serif", fontsize=8, arrowsize=0.6];
`, quote(title+"\n"+g.extent()+"\n"+legend))
	spots, step := g.layout(), g.widest()+nodeGap
	for k, n := range g.nodes {
		x, y := spots[k].lane*step, -spots[k].depth*rowHeight
		fmt.Fprintf(out, "\te%d [%s, pos=\"%d,%d\"];\n", n.number, g.attributes(n), x, y)
	}
	edges := slices.Clone(g.edges)
	slices.SortFunc(edges, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.slot, b.slot),
			strings.Compare(a.via, b.via))
	})
	for _, e := range edges {
		fmt.Fprintf(out, "\te%d -> e%d [%s];\n", e.from, e.to, e.attributes())
	}
	fmt.Fprintf(out, "}\n")
	return out.Flush()
}

// lane names a worker.
func lane(worker int) string { return fmt.Sprintf("worker %d", worker) }

// extent says how much of the run is drawn.
func (g *Graph) extent() string {
	total, drawn := g.Size()
	text := fmt.Sprintf("%d EDTs", total)
	if uint64(drawn) < total {
		text = fmt.Sprintf("the first %d of %d EDTs", drawn, total)
	}
	if g.dropped > 0 {
		text += fmt.Sprintf(", without %d edges among them", g.dropped)
	}
	return text
}

// widest returns the width of the widest node. Times have one width, so that positions do not depend on them.
func (g *Graph) widest() int {
	chars := len("worker 0000, 000.0ms")
	for _, n := range g.nodes {
		for line := range strings.SplitSeq(n.template+"\n"+n.about+"\n"+lane(n.worker)+", 000.0ms", "\n") {
			chars = max(chars, len(line))
		}
	}
	return chars * charWidth
}

func (g *Graph) attributes(n *node) string {
	state, look := "never ran", `style="rounded,dotted"`
	if n.worker >= 0 {
		state = lane(n.worker) + ", not ended"
		if n.returned {
			state = fmt.Sprintf("%s, %v", lane(n.worker), rounded(n.took))
		}
		look = fmt.Sprintf(`fillcolor="%s"`, colours[n.worker%len(colours)])
	}
	label := n.template + "\n" + cmp.Or(guid.Shorten(n.about), n.guid.Short()) + "\n" + state
	return fmt.Sprintf("label=%s, tooltip=%s, %s", quote(label), quote(n.guid.String()), look)
}

// rounded keeps three digits or so.
func rounded(d time.Duration) time.Duration {
	for unit := time.Second; unit >= time.Microsecond; unit /= 1000 {
		if d >= unit {
			return d.Round(unit / 100)
		}
	}
	return d
}

func (e edge) attributes() string {
	if e.slot < 0 {
		return `style=dashed, color="gray50", tooltip="creates"`
	}
	return fmt.Sprintf("label=\"%d\", tooltip=%s", e.slot, quote(cmp.Or(e.via, "directly")))
}

// quote writes a string of Graphviz's language. A backslash in it would begin an escape, and what cannot be printed has
// no place in a label.
func quote(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < ' ' || r == 0x7f:
			b.WriteByte('?')
		default:
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}
