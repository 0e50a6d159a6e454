// Package metg finds the minimum effective task granularity of the runtime, as Task Bench defines it (Slaughter et al.,
// SC20): METG(p) is the smallest average task granularity, wall time x cores / tasks, at which p percent of the peak
// rate of computation are reached.
//
// [Run] measures graphs of several types, each in several forms. It samples all sizes of a type in turns. The sizes of
// one repetition are a curve. Its METG lies between the smallest size that reaches the efficiency and the next smaller
// size; if there is no such pair, METG is a bound and not a number. The METG of all repetitions are combined into one
// finding (curve.go).
package metg
