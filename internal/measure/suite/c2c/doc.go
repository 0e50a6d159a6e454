// Package c2c measures core-to-core transfers: the app c2c in its forms, and the same loops
// in C, in trials that take turns, for pairs of processors.
//
// [Run] measures a [Config]. For each pair it forms groups (a test, a width, a length and a layout), and within a group
// every form takes trials in turn. A [Result] has the document, and the matrices of the pairs.
package c2c
