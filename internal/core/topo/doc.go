// Package topo tells how a machine's processors lie to each other: packages
// (sockets), dies, cores, hardware threads, caches and NUMA nodes, as Linux
// shows them under /sys and /proc.
//
//	t, err := topo.Local()
//	if err != nil {
//		return err
//	}
//	cpus := t.Order(topo.Compact, allowed)     // where to pin workers 0, 1, ...
//	orders := t.StealOrders(cpus)             // whom each worker robs first
//	fmt.Print(t)                               // for people
//
// Containers and virtual machines hide files and invent others. What is missing
// is replaced by the plainest assumption (a core for each CPU, one package, one
// node) and said in Warnings; reading fails only if no CPU can be found.
//
// A Topology is what was read at one moment and does not change: it may be used
// from any goroutine.
package topo
