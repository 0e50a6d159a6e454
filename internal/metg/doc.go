// Package metg finds the minimum effective task granularity of a runtime, as Task
// Bench defines it (Slaughter et al., SC20): METG(p) is the smallest average task
// granularity, wall time x cores / tasks, at which p percent of the peak rate of
// computation are reached.
//
// [Search] finds the task sizes that are worth measuring. The measured sizes of one
// sweep are a [Curve], whose [Curve.METG] lies between the last size that reaches the
// efficiency and the first that does not. If the sweep has no such pair the answer
// is a bound and not a number. [Combine] makes one finding of repeated sweeps, and
// [Compare] tells whether the cost of a task grows with the number of tasks.
//
// The package takes no times itself: its caller runs the tasks and gives it figures.
// Every function may be called from any goroutine.
package metg
