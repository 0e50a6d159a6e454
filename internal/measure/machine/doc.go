// Package machine gathers what a result depends on besides its program: the
// processors, caches and memory nodes, what the operating system lets the
// process use, and how the command was built.
//
// Everything is read, nothing is assumed: a fact that cannot be had reads
// "unknown", and a placement is the one read back from the threads.
package machine
