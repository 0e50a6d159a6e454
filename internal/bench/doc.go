// Package bench samples alternatives of one program against each other and
// describes what was sampled.
//
// A [Side] is one alternative: something to run once, which answers with the
// time of its timed part, and how that time becomes figures. [Plan.Run] takes
// one sample of every side in each round, in an order drawn anew for the round,
// so that a machine that slows down slows down all sides and a ratio of two
// sides comes from one run. A sample repeats its run until the timed part adds
// up to [Plan.Shortest], so no figure hangs on the resolution of the clock.
//
// Cancelling the context ends a run between or inside samples: the series
// gathered so far come back with the context's error, without the sample that
// was under way.
//
// [Summarize] describes a series without assuming a distribution: the interval
// of the median is taken from order statistics.
package bench
