package topo

import "slices"

// Part returns the k-th of n parts of the allowed CPUs, ascending: the CPUs of the k-th rank of a machine. All parts
// have the same number of cores, or some have one more, and the CPUs of a part are near each other: ranks share no core
// if there are enough, and no node or cache if the ranks divide these evenly. If there are fewer CPUs than parts, each
// part is one CPU.
func (t *Topology) Part(allowed []int, k, n int) []int {
	units := t.byCore(allowed)
	if len(units) < n {
		units = singles(units)
	}
	if len(units) == 0 {
		return nil
	}
	if len(units) < n {
		return units[k%len(units)]
	}
	part := slices.Concat(units[k*len(units)/n : (k+1)*len(units)/n]...)
	slices.Sort(part)
	return part
}

// byCore returns the CPUs of each core, in the order of the cores' positions. A CPU that the topology does not have is
// a core of its own, after the others.
func (t *Topology) byCore(allowed []int) (cores [][]int) {
	ids := slices.Clone(allowed)
	slices.Sort(ids)
	var known []CPU
	var strangers [][]int
	for _, id := range slices.Compact(ids) {
		if c, ok := t.CPU(id); ok {
			known = append(known, c)
		} else {
			strangers = append(strangers, []int{id})
		}
	}
	slices.SortFunc(known, ByPlace)
	for k, c := range known {
		if k == 0 || c.Core != known[k-1].Core {
			cores = append(cores, nil)
		}
		last := len(cores) - 1
		cores[last] = append(cores[last], c.ID)
	}
	return append(cores, strangers...)
}

// singles makes a unit of each CPU.
func singles(units [][]int) (cpus [][]int) {
	for _, unit := range units {
		for _, id := range unit {
			cpus = append(cpus, []int{id})
		}
	}
	return cpus
}
