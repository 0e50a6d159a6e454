// Package machine reads what a result depends on besides its program: the processors, caches and memory nodes, what the
// operating system lets the process use, and how the command was built.
//
// It reads everything and assumes nothing: a fact that it cannot read is "unknown", and placements are those that the
// runtime has read back from its threads.
package machine
