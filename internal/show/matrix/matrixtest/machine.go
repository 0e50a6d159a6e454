// Package matrixtest makes machines and latencies for tests of what shows them.
package matrixtest

import (
	"math"

	"ocr/internal/core/topo"
	"ocr/internal/show/matrix"
)

// Machine describes a regular machine, numbered as Linux does: first threads of all
// cores, package by package, then their second threads.
type Machine struct {
	Packages, Nodes, L3s, Cores int // nodes, level 3 caches and cores of one package
	Threads                     int // of one core
}

// Topology returns the machine as the topology would read it.
func (m Machine) Topology() *topo.Topology {
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

// CPUs returns the numbers of all CPUs of a topology.
func CPUs(t *topo.Topology) []int {
	var ids []int
	for _, c := range t.CPUs {
		ids = append(ids, c.ID)
	}
	return ids
}

// latency is a plausible one for a class of pair, in nanoseconds.
var latency = [...]float64{
	topo.SMT: 7.2, topo.SameL2: 18, topo.SameL3: 28.4, topo.SameNode: 96, topo.SamePackage: 131, topo.CrossPackage: 247,
}

// Latencies returns a value for every pair: by its class, and spread by up
// to a tenth.
func Latencies(t *topo.Topology) map[matrix.Pair]float64 {
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

// Input returns the matrix of all pairs of a machine.
func Input(m Machine, title string) matrix.Input {
	t := m.Topology()
	return matrix.Input{Title: title, Unit: "ns", Topology: t, CPUs: CPUs(t), Values: Latencies(t)}
}
