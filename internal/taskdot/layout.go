package taskdot

import (
	"cmp"
	"slices"
	"strings"
)

// A place is where the middle of a node is, in points; y grows upwards.
type place struct{ x, y int }

// Sizes in points, for the fonts that Write asks for.
const (
	charWidth = 6
	nodeGap   = 40
	rowHeight = 90
)

// layout places the nodes in rows, so that Graphviz does not have to: its own layout
// takes many seconds for some hundred nodes. Every edge leads to a lower row. In its row
// a node is as near as can be to those that it has edges from: they are placed before,
// and each row is sorted by the middle of them.
func (g *Graph) layout() []place {
	into := make([][]int, len(g.nodes)) // by node, counted from 0
	for _, e := range g.edges {
		into[e.to-1] = append(into[e.to-1], e.from-1)
	}
	places := make([]place, len(g.nodes))
	step := g.widest() + nodeGap
	for depth, row := range rows(into) {
		slices.SortStableFunc(row, func(a, b int) int { return cmp.Compare(middle(into[a], places), middle(into[b], places)) })
		for k, n := range row {
			places[n] = place{k*step - (len(row)-1)*step/2, -depth * rowHeight}
		}
	}
	return places
}

// widest returns the width of the widest node.
func (g *Graph) widest() int {
	chars := 0
	for _, n := range g.nodes {
		for line := range strings.SplitSeq(n.template+"\n"+n.about+"\nworker 0000, 000.0ms", "\n") {
			chars = max(chars, len(line))
		}
	}
	return chars * charWidth
}

// rows sorts the nodes into rows: each is in the one below the lowest of those that it
// has edges from. An EDT is created, and its slots are satisfied, before it begins; so
// there are no circles.
func rows(into [][]int) (all [][]int) {
	depth := make([]int, len(into))
	var of func(n int) int
	of = func(n int) int {
		if depth[n] == 0 {
			depth[n] = 1 // also for an edge from the node itself
			for _, from := range into[n] {
				depth[n] = max(depth[n], of(from)+1)
			}
		}
		return depth[n]
	}
	for n := range into {
		for len(all) < of(n) {
			all = append(all, nil)
		}
		all[depth[n]-1] = append(all[depth[n]-1], n)
	}
	return all
}

// middle returns the mean x of some nodes, 0 for none.
func middle(of []int, places []place) int {
	sum := 0
	for _, n := range of {
		sum += places[n].x
	}
	return sum / max(1, len(of))
}
