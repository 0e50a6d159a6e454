// Package matrix holds one value for each pair of a machine's CPUs, such as the latency between them. It summarises the
// values by the distance of the two CPUs. Package picture draws them.
//
//	m := matrix.New("single element, one line, 8 B: one-way latency, p50", "ns", topology, cpus, values)
//	summary := m.Classes()
//
// Rows and columns are in the order of the CPUs' places (package, NUMA node, level 3 cache, level 2 cache, core,
// thread), not of their numbers, which on many machines alternate between places. Pairs without a value are shown as
// missing, so that an interrupted run can be shown.
//
// A Matrix does not change once made: it may be used from any goroutine.
package matrix
