// Package c2c measures core-to-core transfers: the app c2c in its forms, and the same loops
// in C, in trials that take turns, for pairs of processors.
//
// [Run] measures a [Config]. For each pair it forms groups (a test, a width, a length and a
// layout), and within a group every form takes trials in turn. A [Result] has the document,
// and the matrices of the pairs.
//
// # Files
//
// config.go and pairs.go say what is measured, group.go lays it out. side.go is a form
// while it is measured, runner.go how it carries out a trial, measure.go the run. row.go is
// a result; polls.go counts the polls of an array. text.go, tax.go and matrix.go show results to people.
package c2c
