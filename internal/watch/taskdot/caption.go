package taskdot

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Captions are what the boxes of an SVG say. A box has room for little: if all EDTs of a template are described by the
// same words around some numbers, as "rank=3 step=0", a box has the numbers alone, "3,0", and the legend has the words.
type captions struct {
	box    []string // by node
	kind   []int    // by node: which of the templates
	legend []string // by template
}

// maxCaption is how many characters a box has room for.
const maxCaption = 12

var (
	numbers = regexp.MustCompile(`-?\d+(\.\d+)?`)
	guids   = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`) // no two runs have the same
)

func (g *Graph) captions() captions {
	c := captions{box: make([]string, len(g.nodes)), kind: make([]int, len(g.nodes))}
	kinds := map[string]int{}
	var members [][]int
	for n, node := range g.nodes {
		kind, known := kinds[node.template]
		if !known {
			kind = len(members)
			kinds[node.template], members = kind, append(members, nil)
		}
		c.kind[n], members[kind] = kind, append(members[kind], n)
	}
	for _, nodes := range members {
		words := g.sameWords(nodes)
		for _, n := range nodes {
			c.box[n] = g.caption(n, words != "")
		}
		name := fmt.Sprintf("%s: %d", g.nodes[nodes[0]].template, len(nodes))
		if words != "" {
			name += ", boxes say " + words
		}
		c.legend = append(c.legend, name)
	}
	return c
}

// sameWords returns the words around the numbers in what is said of each of the nodes, with # for a number; empty if
// they differ or there are too many numbers.
func (g *Graph) sameWords(nodes []int) (words string) {
	for _, n := range nodes {
		about := g.nodes[n].about
		if about == "" {
			continue
		}
		own := numbers.ReplaceAllString(about, "#")
		if words == "" {
			words = own
		}
		if count := strings.Count(own, "#"); own != words || count == 0 || count > 4 {
			return ""
		}
	}
	return words
}

func (g *Graph) caption(n int, numbersAlone bool) string {
	text, name := g.nodes[n].about, g.nodes[n].template
	if numbersAlone && text != "" {
		return strings.Join(numbers.FindAllString(text, -1), ",")
	}
	if text == "" || utf8.RuneCountInString(text) > maxCaption {
		return name[strings.LastIndexByte(name, '.')+1:]
	}
	return text
}

// fit cuts captions to the length that most of them have at most, so that few long ones do not make all boxes wide. It
// returns that length.
func (c *captions) fit() (room int) {
	const least = 4
	lengths := []int{least}
	for _, text := range c.box {
		lengths = append(lengths, utf8.RuneCountInString(text))
	}
	slices.Sort(lengths)
	room = min(max(lengths[len(lengths)*9/10], least), maxCaption)
	for n, text := range c.box {
		if runes := []rune(text); len(runes) > room {
			c.box[n] = string(runes[:room-1]) + "…"
		}
	}
	return room
}

// title says all of a node, for its tooltip.
func (g *Graph) title(n *node) string {
	name := n.template
	if n.about != "" {
		name += " " + guids.ReplaceAllString(n.about, "(GUID)")
	}
	name += fmt.Sprintf("\nEDT %d, ", n.number)
	if n.worker < 0 {
		return name + "never ran"
	}
	return name + lane(n.worker)
}
