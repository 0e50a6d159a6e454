package taskdot

import (
	"cmp"
	"slices"
)

// A spot is where a node is in the drawings by depth: how many edges the longest path to it has, and in which lane.
type spot struct{ depth, lane int }

// maxOwnLanes is how many lanes there are before one that has come to its end is used again.
const maxOwnLanes = 64

// layout gives each node a lane. The lane of a node continues with the EDT whose first slot it satisfied; if there is
// none, with the EDT whose next slot it satisfied, or that it created. A node that continues no lane begins one. So the
// EDTs of a loop, a rank or a column of a grid lie in one lane, and a wavefront is a slanted line. A lane lies after
// the one that it branches off from, the deeper it begins the nearer, so that a tree has few crossings.
func (g *Graph) layout() []spot {
	into := g.into()
	spots := make([]spot, len(g.nodes))
	for n, depth := range depths(into) {
		spots[n].depth = depth
	}
	l := lanes{spots: spots, waiting: make([]int, len(spots)), heir: g.heirs(spots)}
	for _, list := range into {
		for _, from := range list {
			l.waiting[from]++
		}
	}
	for _, n := range byDepth(spots) {
		l.place(n, into[n])
	}
	l.sort()
	return spots
}

// heirs returns for each node the one that continues its lane, -1 for none.
func (g *Graph) heirs(spots []spot) []int {
	heir, by := make([]int, len(spots)), make([]edge, len(spots))
	for n := range heir {
		heir[n] = -1
	}
	for _, e := range g.edges {
		from, to := e.from-1, e.to-1
		if best := by[from]; from != to && (heir[from] < 0 ||
			cmp.Or(cmp.Compare(uint(e.slot), uint(best.slot)), cmp.Compare(spots[to].depth, spots[heir[from]].depth),
				cmp.Compare(to, heir[from])) < 0) {
			heir[from], by[from] = to, e
		}
	}
	return heir
}

// into lists for each node, counted from 0, those that it has edges from: by slot, its creator last.
func (g *Graph) into() [][]int {
	edges := slices.Clone(g.edges)
	slices.SortFunc(edges, func(a, b edge) int {
		return cmp.Or(cmp.Compare(uint(a.slot), uint(b.slot)), cmp.Compare(a.from, b.from)) // -1 is the greatest uint
	})
	into := make([][]int, len(g.nodes))
	for _, e := range edges {
		if list := into[e.to-1]; e.from != e.to && !slices.Contains(list, e.from-1) {
			into[e.to-1] = append(list, e.from-1)
		}
	}
	return into
}

// depths returns the depth of each node. An EDT is created, and its slots are satisfied, before it begins; so there
// are no circles.
func depths(into [][]int) []int {
	depth := make([]int, len(into))
	for n := range depth {
		depth[n] = -1
	}
	var of func(n int) int
	of = func(n int) int {
		if depth[n] < 0 {
			depth[n] = 0
			for _, from := range into[n] {
				depth[n] = max(depth[n], of(from)+1)
			}
		}
		return depth[n]
	}
	for n := range into {
		of(n)
	}
	return depth
}

// byDepth lists the nodes, those of one depth in the order of their creation.
func byDepth(spots []spot) []int {
	order := make([]int, len(spots))
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(spots[a].depth, spots[b].depth) })
	return order
}

// lanes places nodes, each after those that it has edges from.
type lanes struct {
	spots   []spot
	waiting []int // by node: nodes after it that are not placed yet
	heir    []int // by node
	last    []int // by lane: the node placed last
	roots   []int // lanes that branch off from none
	below   [][]int
}

func (l *lanes) place(n int, from []int) {
	for _, f := range from {
		l.waiting[f]--
	}
	lane := -1
	for _, f := range from {
		if l.heir[f] == n && l.last[l.spots[f].lane] == f {
			lane = l.spots[f].lane
			break
		}
	}
	if lane < 0 && len(l.last) >= maxOwnLanes {
		lane = slices.IndexFunc(l.last, func(last int) bool {
			return l.waiting[last] == 0 && l.spots[last].depth < l.spots[n].depth
		})
	}
	if lane < 0 {
		lane = l.begin(from)
	}
	l.spots[n].lane, l.last[lane] = lane, n
}

// begin makes a lane; it branches off from that of the deepest node that leads to it.
func (l *lanes) begin(from []int) int {
	lane := len(l.last)
	l.last, l.below = append(l.last, -1), append(l.below, nil)
	if len(from) == 0 {
		l.roots = append(l.roots, lane)
	} else {
		deepest := slices.MaxFunc(from, func(a, b int) int { return cmp.Compare(l.spots[a].depth, l.spots[b].depth) })
		above := l.spots[deepest].lane
		l.below[above] = append(l.below[above], lane)
	}
	return lane
}

// sort numbers the lanes anew, in the order in which they are drawn.
func (l *lanes) sort() {
	first := make([]int, len(l.last)) // depth at which a lane begins
	for n := len(l.spots) - 1; n >= 0; n-- {
		first[l.spots[n].lane] = -1
	}
	for _, n := range byDepth(l.spots) {
		if lane := l.spots[n].lane; first[lane] < 0 {
			first[lane] = l.spots[n].depth
		}
	}
	row, next := make([]int, len(l.last)), 0
	var number func(lanes []int)
	number = func(lanes []int) {
		for _, lane := range lanes {
			row[lane] = next
			next++
			slices.SortStableFunc(l.below[lane], func(a, b int) int { return cmp.Compare(first[b], first[a]) })
			number(l.below[lane])
		}
	}
	number(l.roots)
	for n := range l.spots {
		l.spots[n].lane = row[l.spots[n].lane]
	}
}
