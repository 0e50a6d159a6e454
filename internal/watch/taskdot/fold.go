package taskdot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// FoldAbove is the number of EDTs above which EDTs that are alike are drawn as one box. EDTs of one template are alike
// if their creators are in one box, and if, slot by slot, the EDTs that satisfy them are in one box. So a fan-out, or a
// level of a tree, is one box.
const FoldAbove = 200

// A box is the EDTs that are drawn as one box.
type box struct {
	number int // from 1
	level  int
	nodes  []*node
}

// fold puts each node into a box. It returns the boxes by level.
func (g *Graph) fold() (boxes []*box) {
	nodes := slices.Clone(g.nodes)
	slices.SortStableFunc(nodes, func(a, b *node) int { return cmp.Compare(a.depth(), b.depth()) })
	known := map[string]*box{}
	for _, n := range nodes {
		key := fmt.Sprint(n.number)
		if len(nodes) > FoldAbove {
			key = n.alike()
		}
		if known[key] == nil {
			known[key] = &box{number: len(boxes) + 1, level: n.level}
			boxes = append(boxes, known[key])
		}
		n.box = known[key]
		n.box.nodes = append(n.box.nodes, n)
	}
	return boxes
}

// depth returns the node's level: 1, or one more than the highest level of the nodes from which edges lead to it. There
// are no circles: an EDT is created, and its slots are satisfied, before it begins.
func (n *node) depth() int {
	if n.level == 0 {
		n.level = 1
		for _, e := range n.into {
			if e.from != n {
				n.level = max(n.level, e.from.depth()+1)
			}
		}
	}
	return n.level
}

// alike returns a text that is equal for EDTs that share a box. The nodes that lead to n have their boxes already.
func (n *node) alike() string {
	var parts []string
	for _, e := range n.into {
		if e.from != n {
			parts = append(parts, fmt.Sprint(e.from.box.number, " ", e.slot))
		}
	}
	slices.Sort(parts)
	return n.template + "\n" + strings.Join(slices.Compact(parts), "\n")
}
