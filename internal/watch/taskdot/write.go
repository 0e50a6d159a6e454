package taskdot

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"ocr/guid"
	"ocr/internal/show/report"
)

// colours are the colours of the workers, in turn.
var colours = []string{"#cfe8ff", "#ffe2b8", "#d5f2cd", "#f6d0d8", "#e4d7f5", "#fff3a8", "#cdeeea", "#e6e0d8"}

const legend = `solid arrow: satisfies the slot of that number; dashed: creates
box: template, which EDT, worker and its colour, time; dotted box: did not run`

// quickly makes Graphviz take seconds, not minutes, for some thousand nodes: it tries less to straighten edges and to
// avoid crossings.
const quickly = "nslimit=2; nslimit1=2; mclimit=0.2; splines=line;"

// Write writes the graph in Graphviz's language, after all workers have ended. Graphviz places the nodes; those of a
// level lie side by side.
func (g *Graph) Write(w io.Writer, title string) error {
	out := bufio.NewWriter(w)
	boxes := g.fold()
	fmt.Fprintf(out, `digraph tasks {
	label=%s; labelloc=t; fontname="sans-serif"; outputorder=edgesfirst; newrank=true;
	node [shape=box, style="rounded,filled", fontname="sans-serif", fontsize=10];
	edge [fontname="sans-serif", fontsize=8, arrowsize=0.6];
`, quote(title+"\n"+g.extent(len(boxes))+"\n"+legend))
	if len(boxes) > FoldAbove {
		fmt.Fprintln(out, "\t"+quickly)
	}
	for _, p := range boxes {
		fmt.Fprintf(out, "\te%d [%s];\n", p.number, p.attributes())
	}
	for _, level := range report.Grouped(boxes, func(p *box) string { return strconv.Itoa(p.level) }) {
		fmt.Fprintf(out, "\t{rank=same;")
		for _, p := range level {
			fmt.Fprintf(out, " e%d;", p.number)
		}
		fmt.Fprintf(out, "}\n")
	}
	for _, a := range g.arrows() {
		fmt.Fprintf(out, "\te%d -> e%d [%s];\n", a.from, a.to, a.attributes())
	}
	fmt.Fprintf(out, "}\n")
	return out.Flush()
}

// An arrow joins two boxes: EDTs of the first have created EDTs of the second, or satisfied their slots.
type arrow struct {
	from, to    int // numbers of boxes
	first, last int // slots, the lowest and the highest; -1: creation
	via         string
	times       int
}

// arrows returns the edges. Above FoldAbove EDTs it merges those between two boxes, creations and slots separately.
func (g *Graph) arrows() (all []arrow) {
	var edges []arrow
	for _, n := range g.nodes {
		for _, e := range n.into {
			edges = append(edges, arrow{e.from.box.number, n.box.number, e.slot, e.slot, e.via, 1})
		}
	}
	slices.SortFunc(edges, func(a, b arrow) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.first, b.first),
			strings.Compare(a.via, b.via))
	})
	for _, e := range edges {
		if last := len(all) - 1; len(g.nodes) > FoldAbove && last >= 0 && all[last].from == e.from &&
			all[last].to == e.to && all[last].first < 0 == (e.first < 0) {
			all[last].last = e.last
			all[last].times++
			continue
		}
		all = append(all, e)
	}
	return all
}

// extent says how much of the run is drawn, and in how many boxes.
func (g *Graph) extent(boxes int) string {
	total, drawn := g.Size()
	text := fmt.Sprintf("%d EDTs", total)
	if uint64(drawn) < total {
		text = fmt.Sprintf("the first %d of %d EDTs", drawn, total)
	}
	if boxes < drawn {
		text += fmt.Sprintf(", those that are alike in one box: %d boxes", boxes)
	}
	return text
}

func (p *box) attributes() string {
	if len(p.nodes) == 1 {
		return p.nodes[0].attributes()
	}
	ended, took := 0, time.Duration(0)
	for _, n := range p.nodes {
		if n.returned {
			ended++
			took += n.took
		}
	}
	label := fmt.Sprintf("%s\n%d EDTs\n%v together", p.nodes[0].template, len(p.nodes), rounded(took))
	if ended < len(p.nodes) {
		label += fmt.Sprintf(", %d not run or ended", len(p.nodes)-ended)
	}
	return fmt.Sprintf("label=%s, shape=box3d, style=filled, fillcolor=gray92", quote(label))
}

func (n *node) attributes() string {
	state, look := "never ran", `style="rounded,dotted"`
	if n.worker >= 0 {
		state = fmt.Sprintf("worker %d, not ended", n.worker)
		if n.returned {
			state = fmt.Sprintf("worker %d, %v", n.worker, rounded(n.took))
		}
		look = fmt.Sprintf(`fillcolor="%s"`, colours[n.worker%len(colours)])
	}
	label := n.template + "\n" + cmp.Or(guid.Shorten(n.about), n.guid.Short()) + "\n" + state
	return fmt.Sprintf("label=%s, tooltip=%s, %s", quote(label), quote(n.guid.String()), look)
}

// rounded rounds to about three digits.
func rounded(d time.Duration) time.Duration {
	for unit := time.Second; unit >= time.Microsecond; unit /= 1000 {
		if d >= unit {
			return d.Round(unit / 100)
		}
	}
	return d
}

func (a arrow) attributes() string {
	var label []string
	if a.first >= 0 {
		label = append(label, fmt.Sprint(a.first))
	}
	if a.last > a.first {
		label = append(label, "to", fmt.Sprint(a.last))
	}
	if a.times > 1 {
		label = append(label, "x", fmt.Sprint(a.times))
	}
	if a.first >= 0 {
		return fmt.Sprintf("label=%s, tooltip=%s", quote(strings.Join(label, " ")), quote(cmp.Or(a.via, "directly")))
	}
	look := `style=dashed, color="gray50", tooltip="creates"`
	if len(label) > 0 {
		look = fmt.Sprintf("label=%s, ", quote(strings.Join(label, " "))) + look
	}
	return look
}

// quote writes a string of Graphviz's language, which is quoted as in Go, with a question mark for a character that
// does not print.
func quote(s string) string {
	return strconv.Quote(strings.Map(func(r rune) rune {
		if r != '\n' && !strconv.IsPrint(r) {
			return '?'
		}
		return r
	}, s))
}
