// Package matrix holds one value for each pair of a machine's CPUs, such
// as the latency between them, and shows it: as text, and summed up by
// how far the two CPUs lie apart. Package picture draws it.
//
//	m := matrix.New(matrix.Input{
//		Title: "single element, one line, 8 B: one-way latency, p50", Unit: "ns",
//		Topology: topology, CPUs: cpus, Values: values,
//	})
//	cells, legend, summary := m.Table(), m.Legend(), m.Classes()
//
// Rows and columns follow the places of the CPUs (package, NUMA node, level 3
// cache, level 2 cache, core, thread) and not their numbers, which many machines
// deal out in turn. Pairs without a value are shown as missing, so that a run that
// was interrupted can be shown as far as it got.
//
// A Matrix does not change once made: it may be used from any goroutine.
package matrix
