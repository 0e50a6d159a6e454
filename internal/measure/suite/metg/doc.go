// Package metg finds the minimum effective task granularity of the runtime, as Task Bench defines it (Slaughter et al.,
// SC20): METG(p) is the smallest average task granularity, wall time x cores / tasks, at which p percent of the peak
// rate of computation are reached.
//
// [Run] measures graphs of several types, each in several forms. It samples all sizes of a type in turns. The sizes of
// one repetition are a curve, which has one METG; those of all repetitions are combined into one finding (curve.go).
package metg
