package topo

import (
	"cmp"
	"slices"
)

// Order returns the allowed CPUs in the order in which workers are pinned to them, each once. Workers are near each
// other: the order fills a cache, a node and a package before the next one. But no core gets a second worker before
// every core has one. Allowed CPUs that the topology does not have come last.
func (t *Topology) Order(allowed []int) []int {
	cores, strangers := t.byCore(allowed)
	order := make([]int, 0, len(allowed))
	for round, more := 0, true; more; round++ {
		more = false
		for _, core := range cores {
			if round < len(core) {
				order, more = append(order, core[round].ID), true
			}
		}
	}
	return append(order, strangers...)
}

// byCore returns the allowed CPUs of each core, in the order of the cores' positions, and those that the topology does
// not have, ascending.
func (t *Topology) byCore(allowed []int) (cores [][]CPU, strangers []int) {
	sorted := slices.Clone(allowed)
	slices.Sort(sorted)
	var known []CPU
	for _, id := range slices.Compact(sorted) {
		if c, ok := t.CPU(id); ok {
			known = append(known, c)
		} else {
			strangers = append(strangers, id)
		}
	}
	slices.SortFunc(known, ByPlace)
	for k, c := range known {
		if k == 0 || c.Core != known[k-1].Core {
			cores = append(cores, nil)
		}
		last := len(cores) - 1
		cores[last] = append(cores[last], c)
	}
	return cores, strangers
}

func idsOf(cpus []CPU) []int {
	ids := make([]int, len(cpus))
	for k, c := range cpus {
		ids[k] = c.ID
	}
	return ids
}

// levels are what a CPU lies in, the largest first. A node lies in a package. A level 3 cache may be part of a node or
// span several nodes, and this order is right in either case.
var levels = []func(CPU) int{
	func(c CPU) int { return c.Package },
	func(c CPU) int { return c.Node },
	func(c CPU) int { return c.L3 },
	func(c CPU) int { return c.L2 },
	func(c CPU) int { return c.Core },
}

// ByPlace compares CPUs by their positions: package, node, caches, core.
func ByPlace(a, b CPU) int {
	for _, level := range levels {
		if d := cmp.Compare(level(a), level(b)); d != 0 {
			return d
		}
	}
	return cmp.Compare(a.ID, b.ID)
}
