package taskdot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// FoldAbove is the number of EDTs above which EDTs of one template are drawn as one node if their creators are one
// node, and the EDTs that satisfy their slots too. So a fan-out, or a level of a tree, is one node.
const FoldAbove = 200

// A group is the EDTs that are drawn as one node.
type group struct {
	level int // number of edges of the longest path to it
	nodes []*node
}

// fold puts each node into a group. It returns the groups by level, and the group of each node, from 0.
func (g *Graph) fold() (groups []*group, of []int) {
	into := g.into()
	level := levels(into)
	order := make([]int, len(g.nodes))
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(level[a], level[b]) })
	of = make([]int, len(g.nodes))
	known := make(map[string]int)
	for _, n := range order {
		key := fmt.Sprint(n)
		if len(g.nodes) > FoldAbove {
			key = alike(g.nodes[n].template, into[n], of)
		}
		at, ok := known[key]
		if !ok {
			at = len(groups)
			known[key], groups = at, append(groups, &group{level: level[n]})
		}
		of[n] = at
		groups[at].nodes = append(groups[at].nodes, g.nodes[n])
	}
	return groups, of
}

// alike returns a text that is equal for EDTs that are drawn as one. of has the groups of the nodes before them.
func alike(template string, into []edge, of []int) string {
	var parts []string
	for _, e := range into {
		parts = append(parts, fmt.Sprint(of[e.from-1], " ", e.slot))
	}
	slices.Sort(parts)
	return template + "\n" + strings.Join(slices.Compact(parts), "\n")
}

// into lists the edges to each node, from 0, from others.
func (g *Graph) into() [][]edge {
	into := make([][]edge, len(g.nodes))
	for _, e := range g.edges {
		if e.from != e.to {
			into[e.to-1] = append(into[e.to-1], e)
		}
	}
	return into
}

// levels returns the level of each node. There are no circles: an EDT is created, and its slots are satisfied, before
// it begins.
func levels(into [][]edge) []int {
	level := make([]int, len(into))
	for n := range level {
		level[n] = -1
	}
	var of func(n int) int
	of = func(n int) int {
		if level[n] < 0 {
			level[n] = 0
			for _, e := range into[n] {
				level[n] = max(level[n], of(e.from-1)+1)
			}
		}
		return level[n]
	}
	for n := range into {
		of(n)
	}
	return level
}

// ran returns how many of a group's EDTs have run, and their time together.
func (p *group) ran() (ended int, took time.Duration) {
	for _, n := range p.nodes {
		if n.returned {
			ended++
			took += n.took
		}
	}
	return ended, took
}
