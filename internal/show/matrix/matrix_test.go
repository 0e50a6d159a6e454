package matrix_test

import (
	"bytes"
	"slices"
	"testing"

	"ocr/internal/core/topo"
	"ocr/internal/proof/testrun"
	"ocr/internal/show/matrix"
	"ocr/internal/show/report"
)

var (
	pairOnly = regular(1, 1, 1, 2, 1)
	laptop   = regular(1, 1, 1, 2, 2)
	epyc     = regular(2, 2, 4, 8, 1)
	xeonSNC  = regular(2, 2, 1, 4, 2)
)

// regular returns a machine whose CPUs are numbered as Linux does: the first threads of all cores, package by package,
// then their second threads. nodes, l3s and cores are those of a package, threads of a core.
func regular(packages, nodes, l3s, cores, threads int) *topo.Topology {
	t, all := &topo.Topology{}, packages*cores
	for id := range all * threads {
		core := id % all
		cpu := topo.CPU{ID: id, Core: core, L2: core, Package: core / cores, Node: core * nodes / cores}
		cpu.L3 = core * l3s / cores
		for thread := range threads {
			cpu.Siblings = append(cpu.Siblings, core+thread*all)
		}
		t.CPUs = append(t.CPUs, cpu)
	}
	return t
}

type pairs = map[matrix.Pair]float64

// TestClasses: the summary by class, of values with few and with many digits, of which some, or all, are missing.
func TestClasses(t *testing.T) {
	partial := pairs{}
	ns := [...]float64{topo.SMT: 7.2, topo.SameL3: 28.4, topo.CrossPackage: 247}
	for to := range 10 {
		for from := range to {
			spread := 1 + float64((from*7+to*13)%11)/100
			partial[matrix.Pair{From: from, To: to}] = ns[xeonSNC.Distance(from, to)] * spread
		}
	}
	for _, c := range []struct {
		machine *topo.Topology
		values  pairs
		want    string
	}{
		{xeonSNC, partial, `class             pairs  min (ns)  median (ns)  max (ns)
smt              2 of 8       7.4          7.5       7.6
l3             19 of 48      28.4         29.8      31.2
cross-package  24 of 64     247.0        258.1     271.7
`},
		{pairOnly, pairs{{From: 1, To: 0}: 59.27},
			"class  pairs  min (ns)  median (ns)  max (ns)\nl3         1      59.3         59.3      59.3\n"},
		{pairOnly, nil, "class   pairs\nl3     0 of 1\n"},
		{pairOnly, pairs{{From: 0, To: 1}: 26123.4},
			"class  pairs  min (ns)  median (ns)  max (ns)\nl3         1     26123        26123     26123\n"},
	} {
		var b bytes.Buffer
		var cpus []int
		for _, cpu := range c.machine.CPUs {
			cpus = append(cpus, cpu.ID)
		}
		table := matrix.New("", "ns", c.machine, cpus, c.values).Classes()
		table.Write(&b, report.Width)
		testrun.Same(t, c.want, b.String(), "%d values", len(c.values))
	}
}

func order(m *matrix.Matrix) []int {
	var cpus []int
	for _, cpu := range m.CPUs {
		cpus = append(cpus, cpu.ID)
	}
	return cpus
}

// TestOrderAndBoundaries: the order of the rows, and the first row of each cache, node and package.
func TestOrderAndBoundaries(t *testing.T) {
	tests := []struct {
		name       string
		machine    *topo.Topology
		cpus       []int
		want       []int
		boundaries [3][]int
	}{
		{"siblings are neighbours", laptop, []int{3, 2, 1, 0}, []int{0, 2, 1, 3}, [3][]int{{0}, {0}, {0}}},
		{"a cache of two nodes", xeonSNC, []int{0, 1, 2, 3, 4, 8}, []int{0, 8, 1, 2, 3, 4},
			[3][]int{{0, 3, 5}, {0, 3, 5}, {0, 5}}},
		{"all levels", epyc, []int{0, 1, 2, 4, 8}, []int{0, 1, 2, 4, 8}, [3][]int{{0, 2, 3, 4}, {0, 3, 4}, {0, 4}}},
		{"strangers last", pairOnly, []int{9, 1, 5}, []int{1, 5, 9}, [3][]int{{0, 1}, {0, 1}, {0, 1}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := matrix.New("", "", tt.machine, tt.cpus, nil)
			testrun.Same(t, tt.want, order(m), "order")
			for level, want := range tt.boundaries {
				var got []int
				for _, g := range m.Groups(level) {
					got = append(got, g.First)
				}
				testrun.Same(t, want, got, "first rows of each %s", matrix.Levels[level].Name)
			}
		})
	}
}

// Each level counts before all that lie below it.
func TestOrderByLevel(t *testing.T) {
	tests := []struct {
		name      string
		zero, one topo.CPU // the second of them comes first
	}{
		{"package", topo.CPU{Package: 1}, topo.CPU{Node: 1, L3: 1, L2: 1, Core: 1}},
		{"node", topo.CPU{Node: 1}, topo.CPU{L3: 1, L2: 1, Core: 1}},
		{"L3", topo.CPU{L3: 1}, topo.CPU{L2: 1, Core: 1}},
		{"L2", topo.CPU{L2: 1}, topo.CPU{Core: 1}},
		{"core", topo.CPU{Core: 1}, topo.CPU{}},
	}
	for _, tt := range tests {
		tt.one.ID = 1
		m := matrix.New("", "", &topo.Topology{CPUs: []topo.CPU{tt.zero, tt.one}}, []int{0, 1}, nil)
		if got := order(m); !slices.Equal(got, []int{1, 0}) {
			t.Errorf("%s: order %v, want [1 0]", tt.name, got)
		}
	}
}

// TestDivides: a level divides rows only where no greater level does.
func TestDivides(t *testing.T) {
	for cpus, want := range map[[2]int][3]bool{{0, 1}: {}, {0, 2}: {1: true}, {0, 4}: {2: true}} {
		m := matrix.New("", "", xeonSNC, cpus[:], nil)
		got := [3]bool{m.Divides(0), m.Divides(1), m.Divides(2)}
		testrun.Equal(t, want, got, "caches, nodes and packages that divide %v", cpus)
	}
}

func TestFormat(t *testing.T) {
	tests := []struct {
		values []float64
		want   string // of the first
	}{
		{[]float64{59.274, 61}, "59.3"},
		{[]float64{133.4, 140}, "133"},
		{[]float64{7.24, 250, 260}, "7.2"},
		{[]float64{0.61, 0.7}, "0.61"},
		{[]float64{0, 0}, "0"},
		{[]float64{26123.4, 30000}, "26123"},
		{[]float64{0.00012, 5}, "0.00"},
	}
	for _, tt := range tests {
		values := pairs{}
		for i, v := range tt.values {
			values[matrix.Pair{From: 0, To: i + 1}] = v
		}
		m := matrix.New("", "", epyc, []int{0, 1, 2, 3}, values)
		testrun.Same(t, tt.want, m.Format(tt.values[0]), "%v: first", tt.values)
	}
}
