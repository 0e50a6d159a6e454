package topo

import "slices"

// Part returns the k-th of n parts of the allowed CPUs, ascending: the CPUs of the k-th rank of a machine. All parts
// have the same number of cores, or some have one more, and the CPUs of a part are near each other. So ranks share no
// core if there are enough, and no node or cache if the ranks divide these evenly. If there are fewer CPUs than parts,
// each part is one CPU.
func (t *Topology) Part(allowed []int, k, n int) []int {
	units := t.units(allowed)
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

// units returns what Part does not divide: the CPUs of each core, then each CPU that the topology does not have.
func (t *Topology) units(allowed []int) [][]int {
	cores, strangers := t.byCore(allowed)
	var units [][]int
	for _, core := range cores {
		units = append(units, idsOf(core))
	}
	return append(units, singles([][]int{strangers})...)
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
