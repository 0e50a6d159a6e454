// Package bench samples alternatives of one program against each other and describes the samples.
//
// A [Side] is one alternative: a function that runs it once and returns the time of its timed part, and one that turns
// this time into figures. [Plan.Run] takes one sample of every side in each round, in a new random order, so a machine
// that slows down slows down all sides. Ratios are of two samples of one round. A sample repeats its run until the
// timed part adds up to [Plan.SampleTime], so that the resolution of the clock does not matter.
//
// [Summarize] describes a series without assuming a distribution: the ends of the median's interval are two samples.
package bench
