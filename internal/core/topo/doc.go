// Package topo has a machine's processors and how near they are to each other: packages (sockets), cores, hardware
// threads, caches and NUMA nodes, as Linux shows them under /sys and /proc.
//
//	t, err := topo.Local()
//	if err != nil {
//		return err
//	}
//	cpus := t.Order(allowed)         // where to pin workers 0, 1, ...
//	victims := t.StealOrder(cpus, 0)  // from whom worker 0 steals first
//	fmt.Print(t)                      // a description for people
//
// Containers and virtual machines hide files and invent others. For what is missing the package makes the plainest
// assumption (each CPU is a core, and there is one package and one node) and adds a warning; reading fails only if no
// CPU is found.
//
// A Topology is what was read at one moment and does not change: any goroutine may use it.
package topo
