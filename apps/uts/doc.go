// Package uts counts the nodes of an unbalanced tree: the Unbalanced Tree Search benchmark (Olivier and
// others, LCPC 2006). A node's SHA-1 hash says how many children it has, and its children's hashes
// follow from it, so a subtree can be searched anywhere, and its size is unknown before.
//
// The default is the benchmark's tree T1: geometric, of fixed shape, 4 130 071 nodes. Each node is an
// EDT, or each subtree below a depth.
package uts
