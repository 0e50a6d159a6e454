package matrix

import (
	"slices"

	"ocr/internal/core/topo"
)

// A Level is a kind of unit that CPUs share: level 3 cache, node or package.
type Level struct {
	Name   string // short, to be written before a number
	number func(topo.CPU) int
}

// Levels are from the smallest unit to the greatest.
var Levels = []Level{
	{"L3", func(c topo.CPU) int { return c.L3 }},
	{"node", func(c topo.CPU) int { return c.Node }},
	{"package", func(c topo.CPU) int { return c.Package }},
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

// Group is the rows First to Last, which lie in one unit of a level.
type Group struct {
	Number      int // as the topology numbers it, or topo.Unknown
	First, Last int
}

// Groups returns the rows that lie in one unit of Levels[level] and of all greater levels, in order. A level 3 cache
// that spans two nodes is one group in each.
func (m *Matrix) Groups(level int) (groups []Group) {
	for row, c := range m.CPUs {
		apart := func(l Level) bool { return l.number(m.CPUs[row-1]) != l.number(c) }
		if row == 0 || slices.ContainsFunc(Levels[level:], apart) {
			groups = append(groups, Group{Number: Levels[level].number(c), First: row})
		}
		groups[len(groups)-1].Last = row
	}
	return groups
}

// Divides reports whether a unit of the next greater level, or else all rows, has more than one unit of Levels[level].
func (m *Matrix) Divides(level int) bool {
	whole := 1
	if level+1 < len(Levels) {
		whole = len(m.Groups(level + 1))
	}
	return len(m.Groups(level)) > whole
}
