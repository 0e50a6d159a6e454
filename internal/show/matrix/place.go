package matrix

import (
	"slices"

	"ocr/internal/core/topo"
)

// Level is a kind of boundary between two neighbouring rows. A greater Level contains the smaller ones.
type Level uint8

const (
	None Level = iota
	L3         // level 3 caches
	Node       // NUMA nodes
	Package
	whole // all rows
)

var levelNames = [...]string{"none", "L3", "node", "package"}

// String returns a short name, to be written before a number.
func (l Level) String() string { return levelNames[l] }

// number returns the number of the cache, node or package of this level that a CPU belongs to.
func (l Level) number(c topo.CPU) int {
	return [...]int{None: topo.Unknown, L3: c.L3, Node: c.Node, Package: c.Package, whole: topo.Unknown}[l]
}

// places returns where cpus lie, in the order of rows. CPUs that the topology does not know come last.
func places(t *topo.Topology, cpus []int) []topo.CPU {
	var known, strangers []topo.CPU
	for _, id := range cpus {
		if c, ok := t.CPU(id); ok {
			known = append(known, c)
		} else {
			strangers = append(strangers, topo.CPU{
				ID: id, Package: topo.Unknown, Node: topo.Unknown, L3: topo.Unknown,
			})
		}
	}
	slices.SortFunc(known, topo.ByPlace)
	slices.SortFunc(strangers, topo.ByPlace)
	return append(known, strangers...)
}

// Boundary returns the greatest level that differs between row and the row before it; None if none differs, and for row
// 0.
func (m *Matrix) Boundary(row int) Level {
	if row == 0 {
		return None
	}
	for _, level := range []Level{Package, Node, L3} {
		if level.number(m.places[row-1]) != level.number(m.places[row]) {
			return level
		}
	}
	return None
}

// Group is the rows First to Last, which lie in one cache, node or package.
type Group struct {
	Level       Level
	Number      int // as the topology numbers it, or topo.Unknown
	First, Last int
}

// Groups returns the rows between boundaries of a level or a greater one, in order. A level 3 cache that spans two
// nodes is one group in each.
func (m *Matrix) Groups(level Level) []Group {
	var groups []Group
	for row, c := range m.places {
		if row == 0 || m.Boundary(row) >= level {
			groups = append(groups, Group{Level: level, Number: level.number(c), First: row})
		}
		groups[len(groups)-1].Last = row
	}
	return groups
}

// Divides reports whether a group of the next greater level, or for packages all rows, lie in more than one cache, node
// or package of a level.
func (m *Matrix) Divides(level Level) bool { return len(m.Groups(level)) > len(m.Groups(level+1)) }
