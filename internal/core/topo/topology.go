package topo

import (
	"cmp"
	"slices"
)

// Unknown is the number of a node or cache that the system does not show.
const Unknown = -1

// Topology is the processors of a machine at the moment when they were read.
type Topology struct {
	CPUs       []CPU   // online, ascending by ID
	Offline    []int   // present but switched off, ascending
	Caches     []Cache // ascending by level, type and first CPU
	Nodes      []Node  // ascending by ID; at least one
	Model      string  // the processor's name, "" if unknown
	Hypervisor bool    // it is a virtual machine that says so (x86 only)
	Governor   string  // frequency governors in use, comma-separated, or "unknown"
	Warnings   []string
}

// CPU is one hardware thread. Its Core, Package, L2 and L3 are numbers from 0 that are unique in the machine, in
// the order in which they first occur (as lscpu numbers them): the kernel's own core_id repeats in every package.
type CPU struct {
	ID       int // the kernel's number, which affinity masks use
	Core     int
	Package  int
	Node     int   // the kernel's number of its NUMA node, or Unknown
	L2, L3   int   // the number of its cache of this level, or Unknown
	Siblings []int // the online CPUs of its core, itself included, ascending
}

// Cache is one cache and the online CPUs that share it.
type Cache struct {
	Level int
	Type  string // Data, Instruction or Unified
	Size  uint64 // bytes, 0 when unknown
	Line  int    // bytes of a line, 0 when unknown
	CPUs  []int  // ascending
}

// Node is a NUMA node. A node without CPUs has only memory.
type Node struct {
	ID     int
	CPUs   []int  // online, ascending
	Memory uint64 // bytes, 0 when unknown
}

// CPU returns the online CPU with the kernel's number id.
func (t *Topology) CPU(id int) (CPU, bool) {
	i, found := slices.BinarySearchFunc(t.CPUs, id, func(c CPU, id int) int { return cmp.Compare(c.ID, id) })
	if !found {
		return CPU{}, false
	}
	return t.CPUs[i], true
}

// Sockets returns the number of packages that have an online CPU.
func (t *Topology) Sockets() int { return t.distinct(func(c CPU) int { return c.Package }) }

// Cores returns the number of cores that have an online CPU.
func (t *Topology) Cores() int { return t.distinct(func(c CPU) int { return c.Core }) }

// SMT returns the largest number of CPUs that share a core; 1 if none do.
func (t *Topology) SMT() int {
	most := 1
	for _, c := range t.CPUs {
		most = max(most, len(c.Siblings))
	}
	return most
}

func (t *Topology) distinct(number func(CPU) int) int {
	seen := map[int]bool{}
	for _, c := range t.CPUs {
		seen[number(c)] = true
	}
	return len(seen)
}
