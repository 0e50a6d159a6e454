package topo

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ocr/internal/proof/testrun"
)

// For any mask and number of parts, the parts have every allowed CPU once; if there are enough cores, each core is in
// one part; and if the parts divide the nodes evenly, each part is in one node.
func TestParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, name := range machineNames(t) {
		topology := mustRead(t, name)
		for range 50 {
			all := idsOf(topology.CPUs)
			if rng.IntN(2) > 0 {
				all = slices.DeleteFunc(all, func(int) bool { return rng.IntN(3) == 0 })
			}
			n := 1 + rng.IntN(max(1, len(all)))
			cores := len(topology.units(all))
			owner := map[int]int{} // by core
			var got []int
			for k := range n {
				part := topology.Part(all, k, n)
				got = append(got, part...)
				for _, id := range part {
					c, _ := topology.CPU(id)
					if first, taken := owner[c.Core]; taken && first != k && n <= cores {
						t.Errorf("%s: core %d is in parts %d and %d of %d of %v", name, c.Core, first, k, n, all)
					}
					owner[c.Core] = k
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, all) {
				t.Errorf("%s: %d parts have %v, not %v", name, n, got, all)
			}
		}
		nodeOf := func(id int) int { c, _ := topology.CPU(id); return c.Node }
		perNode := map[int]int{}
		for _, core := range topology.units(idsOf(topology.CPUs)) {
			perNode[nodeOf(core[0])]++
		}
		even := true
		for _, cores := range perNode {
			even = even && cores*len(perNode) == len(topology.units(idsOf(topology.CPUs)))
		}
		for k := 0; even && k < len(perNode); k++ {
			part := topology.Part(idsOf(topology.CPUs), k, len(perNode))
			if slices.ContainsFunc(part, func(id int) bool { return nodeOf(id) != nodeOf(part[0]) }) {
				t.Errorf("%s: part %d of %d, %v, is in two nodes", name, k, len(perNode), part)
			}
		}
	}
}

func TestPartsOfFew(t *testing.T) {
	topology := mustRead(t, machineNames(t)[0])
	testrun.Same(t, []int{7000}, topology.Part([]int{7000, 7001}, 2, 3),
		"the third of three parts of two CPUs")
	if got := topology.Part(nil, 0, 2); got != nil {
		t.Errorf("a part of nothing = %v", got)
	}
}
