package topo

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"ocr/internal/core/cpulist"
	"ocr/internal/proof/testrun"
)

func TestDistance(t *testing.T) {
	tests := []struct {
		machine string
		a, b    int
		want    Class
	}{
		{"xeon-2s-smt", 3, 3, SameCPU},
		{"xeon-2s-smt", 3, 11, SMT},
		{"xeon-2s-smt", 0, 3, SameL3},
		{"xeon-2s-smt", 0, 4, CrossPackage},
		{"xeon-2s-smt", 0, 99, CrossPackage},
		{"xeon-2s-smt", -1, -1, CrossPackage},
		{"epyc-2s-ccx", 0, 1, SameL3},
		{"epyc-2s-ccx", 0, 2, SameNode},
		{"epyc-2s-ccx", 0, 15, CrossPackage},
		{"epyc-nps2", 0, 2, SameNode},
		{"epyc-nps2", 0, 4, SamePackage},
		{"xeon-2s-snc2", 0, 3, SameL3},
		{"arm64-clusters", 0, 1, SameL2},
		{"arm64-clusters", 1, 2, SameNode},
		{"no-sysfs", 0, 1, SameNode},
	}
	for _, tt := range tests {
		topology := mustRead(t, tt.machine)
		for _, pair := range [][2]int{{tt.a, tt.b}, {tt.b, tt.a}} {
			testrun.Equal(t, tt.want, topology.Distance(pair[0], pair[1]),
				"%s: Distance(%d, %d)", tt.machine, pair[0], pair[1])
		}
	}
}

func TestClassString(t *testing.T) {
	testrun.Equal(t, int(CrossPackage)+1, len(classNames), "names for %d classes", CrossPackage+1)
	testrun.Equal(t, "l3 cross-package class(9)", SameL3.String()+" "+CrossPackage.String()+" "+Class(9).String(),
		"names")
}

func TestOrder(t *testing.T) {
	tests := []struct {
		machine, allowed string
		want             []int
	}{
		{"xeon-2s-smt", "0-15", []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
		{"xeon-2s-smt", "2,3,10,11,14", []int{2, 3, 14, 10, 11}},
		{"xeon-2s-smt", "8-11", []int{8, 9, 10, 11}},
		{"epyc-2s-ccx", "0-7", []int{0, 1, 2, 3, 4, 5, 6, 7}},
		{"laptop-offline", "0-3", []int{0, 1, 2, 3}}, // 3 is offline: last
		{"bare-vm", "", []int{}},
	}
	for _, tt := range tests {
		allowed, err := cpulist.Parse(tt.allowed)
		testrun.OK(t, err)
		testrun.Same(t, tt.want, mustRead(t, tt.machine).Order(allowed),
			"%s: Order(%s)", tt.machine, tt.allowed)
	}
	testrun.Same(t, []int{0, 1, 9}, mustRead(t, "xeon-2s-smt").Order([]int{9, 1, 9, 0}),
		"Order of an unsorted list with repeats")
}

// If the numbers of CPUs alternate between packages, as on many two-socket machines, the order follows the positions
// and not the numbers.
func TestOrderInterleavedNumbers(t *testing.T) {
	files := machines["xeon-2s-smt"].files()
	turns := [2]string{"0,2,4,6,8,10,12,14", "1,3,5,7,9,11,13,15"}
	for cpu := range 16 {
		dir := fmt.Sprintf("%s/cpu%d/", cpuDir, cpu)
		put(files, dir+"topology/physical_package_id", "%d", cpu%2)
		put(files, dir+"cache/index3/shared_cpu_list", "%s", turns[cpu%2])
	}
	put(files, nodeDir+"/node0/cpulist", turns[0])
	put(files, nodeDir+"/node1/cpulist", turns[1])
	order := mustReadFiles(t, files).Order([]int{0, 1, 2, 3, 4, 5, 6, 7})
	testrun.Same(t, []int{0, 2, 4, 6, 1, 3, 5, 7}, order)
}

// For any mask, an order has every allowed CPU once, and no core gets a second worker before every core has one.
func TestOrderProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, name := range machineNames(t) {
		topology := mustRead(t, name)
		for range 50 {
			var allowed []int
			for _, c := range topology.CPUs {
				if rng.IntN(3) > 0 {
					allowed = append(allowed, c.ID)
				}
			}
			order := topology.Order(allowed)
			taken, round := map[int]int{}, 0
			for _, id := range order {
				c, _ := topology.CPU(id)
				if taken[c.Core] < round {
					t.Fatalf("%s: Order(%v) = %v: core %d comes late", name, allowed, order, c.Core)
				}
				round = taken[c.Core]
				taken[c.Core]++
			}
			slices.Sort(order)
			if !slices.Equal(order, allowed) {
				t.Fatalf("%s: Order gave %v for %v", name, order, allowed)
			}
		}
	}
}

func TestStealOrder(t *testing.T) {
	all := func(n int) []int {
		cpus := make([]int, n)
		for i := range cpus {
			cpus[i] = i
		}
		return cpus
	}
	for _, tt := range []struct {
		machine   string
		self      int
		placement []int
		want      []int
	}{
		{"xeon-2s-smt", 0, all(16), []int{8, 1, 2, 3, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15}},
		{"xeon-2s-smt", 5, all(16), []int{13, 6, 7, 12, 14, 15, 4, 8, 9, 10, 11, 0, 1, 2, 3}},
		{"epyc-2s-ccx", 0, all(8), []int{1, 2, 3, 4, 5, 6, 7}},
		{"epyc-2s-ccx", 3, all(8), []int{2, 0, 1, 4, 5, 6, 7}},
		{"epyc-nps2", 5, all(8), []int{4, 6, 7, 0, 1, 2, 3}},
		{"xeon-2s-snc2", 0, []int{0, 6, 1, 2, 4}, []int{2, 3, 1, 4}},
		{"xeon-2s-smt", 1, []int{4, 0, 8, 5, 0}, []int{4, 2, 3, 0}}, // two workers on CPU 0; from worker 1 on
		{"xeon-2s-smt", 1, []int{-1, -1, -1, -1}, []int{2, 3, 0}},
		{"bare-vm", 0, []int{0}, []int{}},
	} {
		testrun.Same(t, tt.want, mustRead(t, tt.machine).StealOrder(tt.placement, tt.self),
			"%s: StealOrder(%v, %d)", tt.machine, tt.placement, tt.self)
	}
	testrun.Same(t, []int{3, 0, 1}, (*Topology)(nil).StealOrder([]int{0, 1, 2, 3}, 2), "without a topology")
}

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
