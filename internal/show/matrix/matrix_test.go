package matrix_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"ocr/internal/core/topo"
	"ocr/internal/proof/testrun"
	"ocr/internal/show/matrix"
	"ocr/internal/show/report"
)

var (
	pairOnly = machine{Packages: 1, Nodes: 1, L3s: 1, Cores: 2, Threads: 1}
	laptop   = machine{Packages: 1, Nodes: 1, L3s: 1, Cores: 2, Threads: 2}
	epyc     = machine{Packages: 2, Nodes: 2, L3s: 4, Cores: 8, Threads: 1}
	xeonSNC  = machine{Packages: 2, Nodes: 2, L3s: 1, Cores: 4, Threads: 2}
)

// machine describes a regular machine, numbered as Linux does: the first threads of all cores, package by package, then
// their second threads.
type machine struct {
	Packages, Nodes, L3s, Cores int // nodes, level 3 caches and cores of one package
	Threads                     int // of one core
}

// Topology returns the machine's topology.
func (m machine) Topology() *topo.Topology {
	cores := m.Packages * m.Cores
	t := &topo.Topology{}
	for id := range cores * m.Threads {
		core := id % cores
		cpu := topo.CPU{
			ID: id, Core: core, L2: core, Package: core / m.Cores,
			Node: core * m.Nodes / m.Cores, L3: core * m.L3s / m.Cores,
		}
		for thread := range m.Threads {
			cpu.Siblings = append(cpu.Siblings, core+thread*cores)
		}
		t.CPUs = append(t.CPUs, cpu)
	}
	return t
}

// cpusOf returns the numbers of all CPUs of a topology.
func cpusOf(t *topo.Topology) []int {
	var ids []int
	for _, c := range t.CPUs {
		ids = append(ids, c.ID)
	}
	return ids
}

// latency is a plausible latency for each class of pair, in nanoseconds.
var latency = [...]float64{
	topo.SMT: 7.2, topo.SameL2: 18, topo.SameL3: 28.4, topo.SameNode: 96, topo.SamePackage: 131, topo.CrossPackage: 247,
}

// latencies returns a value for every pair: by its class, and spread by up
// to a tenth.
func latencies(t *topo.Topology) map[matrix.Pair]float64 {
	values := map[matrix.Pair]float64{}
	for _, a := range t.CPUs {
		for _, b := range t.CPUs {
			if a.ID < b.ID {
				spread := 1 + float64((a.ID*7+b.ID*13)%11)/100
				values[matrix.Pair{From: a.ID, To: b.ID}] = math.Round(latency[t.Distance(a.ID, b.ID)]*spread*100) / 100
			}
		}
	}
	return values
}

// inputOf returns the matrix of all pairs of a machine.
func inputOf(m machine, title string) matrix.Input {
	t := m.Topology()
	return matrix.Input{Title: title, Unit: "ns", Topology: t, CPUs: cpusOf(t), Values: latencies(t)}
}

type pairs = map[matrix.Pair]float64

// TestClasses: the summary by class, of values with few and with many digits, of which some, or all, are missing.
func TestClasses(t *testing.T) {
	partial := inputOf(xeonSNC, "partial")
	for pair := range partial.Values {
		if pair.From > 9 || pair.To > 9 {
			delete(partial.Values, pair)
		}
	}
	pair, nothing, large := inputOf(pairOnly, "pair"), inputOf(pairOnly, "nothing measured"), inputOf(pairOnly, "parked")
	pair.Values = pairs{{From: 1, To: 0}: 59.27}
	nothing.Values = nil
	large.Values = pairs{{From: 0, To: 1}: 26123.4}
	for _, c := range []struct {
		in   matrix.Input
		want string
	}{
		{partial, `class             pairs  min (ns)  median (ns)  max (ns)
smt              2 of 8       7.4          7.5       7.6
l3             19 of 48      28.4         29.8      31.2
cross-package  24 of 64     247.0        258.1     271.7
`},
		{pair, "class  pairs  min (ns)  median (ns)  max (ns)\nl3         1      59.3         59.3      59.3\n"},
		{nothing, "class   pairs\nl3     0 of 1\n"},
		{large, "class  pairs  min (ns)  median (ns)  max (ns)\nl3         1     26123        26123     26123\n"},
	} {
		var b strings.Builder
		table := matrix.New(c.in).Classes()
		testrun.OK(t, table.Write(&b, report.Width))
		testrun.Same(t, c.want, b.String(), "%s", c.in.Title)
	}
}

func order(m *matrix.Matrix) []int {
	var cpus []int
	for row := range m.Len() {
		cpus = append(cpus, m.CPU(row))
	}
	return cpus
}

func TestOrderAndBoundaries(t *testing.T) {
	const none, l3, node, pkg = matrix.None, matrix.L3, matrix.Node, matrix.Package
	tests := []struct {
		name       string
		machine    machine
		cpus       []int
		want       []int
		boundaries []matrix.Level
	}{
		{"siblings are neighbours", laptop, []int{3, 2, 1, 0}, []int{0, 2, 1, 3}, []matrix.Level{none, none, none, none}},
		{"a cache of two nodes", xeonSNC, []int{0, 1, 2, 3, 4, 8}, []int{0, 8, 1, 2, 3, 4},
			[]matrix.Level{none, none, none, node, none, pkg}},
		{"all levels", epyc, []int{0, 1, 2, 4, 8}, []int{0, 1, 2, 4, 8}, []matrix.Level{none, none, l3, node, pkg}},
		{"strangers last", pairOnly, []int{9, 1, 5}, []int{1, 5, 9}, []matrix.Level{none, pkg, none}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := matrix.New(matrix.Input{Topology: tt.machine.Topology(), CPUs: tt.cpus})
			if got := order(m); !slices.Equal(got, tt.want) {
				t.Errorf("order %v, want %v", got, tt.want)
			}
			var got []matrix.Level
			for row := range m.Len() {
				got = append(got, m.Boundary(row))
			}
			if !slices.Equal(got, tt.boundaries) {
				t.Errorf("boundaries %v, want %v", got, tt.boundaries)
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
		m := matrix.New(matrix.Input{Topology: &topo.Topology{CPUs: []topo.CPU{tt.zero, tt.one}}, CPUs: []int{0, 1}})
		if got := order(m); !slices.Equal(got, []int{1, 0}) {
			t.Errorf("%s: order %v, want [1 0]", tt.name, got)
		}
	}
}

func TestDivides(t *testing.T) {
	tests := []struct {
		cpus []int
		want [3]bool // level 3 caches, nodes, packages
	}{
		{[]int{0, 1, 8}, [3]bool{}},
		{[]int{0, 2}, [3]bool{false, true, false}},
		{[]int{0, 4}, [3]bool{false, false, true}},
	}
	for _, tt := range tests {
		m := matrix.New(matrix.Input{Topology: xeonSNC.Topology(), CPUs: tt.cpus})
		if got := [3]bool{m.Divides(matrix.L3), m.Divides(matrix.Node), m.Divides(matrix.Package)}; got != tt.want {
			t.Errorf("%v: %v, want %v", tt.cpus, got, tt.want)
		}
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
		m := matrix.New(matrix.Input{Topology: epyc.Topology(), CPUs: []int{0, 1, 2, 3}, Values: values})
		testrun.Same(t, tt.want, m.Format(tt.values[0]), "%v: first", tt.values)
	}
}
