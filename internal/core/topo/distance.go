package topo

import "fmt"

// Class is the distance of two CPUs: the smallest part of the machine that they share. A smaller Class is nearer.
type Class uint8

const (
	SameCPU Class = iota
	SMT           // two threads of one core
	SameL2        // two cores that share a level 2 cache
	SameL3
	SameNode
	SamePackage
	CrossPackage // or a CPU is not known
)

var classNames = [...]string{"same-cpu", "smt", "l2", "l3", "node", "package", "cross-package"}

// String returns a short name without spaces, for tables and names of results.
func (c Class) String() string {
	if int(c) >= len(classNames) {
		return fmt.Sprintf("class(%d)", uint8(c))
	}
	return classNames[c]
}

// Distance returns how far CPUs a and b, in the kernel's numbers, lie apart. A CPU that is not online, such as -1, is
// CrossPackage from every other.
func (t *Topology) Distance(a, b int) Class {
	x, okX := t.CPU(a)
	y, okY := t.CPU(b)
	switch {
	case a == b && a >= 0:
		return SameCPU
	case !okX || !okY:
		return CrossPackage
	case x.Core == y.Core:
		return SMT
	case x.L2 == y.L2 && x.L2 != Unknown:
		return SameL2
	case x.L3 == y.L3 && x.L3 != Unknown:
		return SameL3
	case x.Package != y.Package:
		return CrossPackage
	case x.Node == y.Node && x.Node != Unknown:
		return SameNode
	}
	return SamePackage
}
