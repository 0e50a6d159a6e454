// Package workspan measures a run's work T1 and span Tinf while it runs, whatever its length, and how its workers spent
// the rest of their time.
//
//	meter := workspan.New(workers, sys.Cycles, sys.CyclePeriod)
//	err := runtime.Run(ctx, main, runtime.Workers(workers), runtime.Observe(meter.Observe))
//	result := meter.Result()
//
// # Work
//
// T1 is the time in the bodies of all EDTs together. The runtime's work between bodies is counted apart; the calls that
// a body makes are part of the body. T1 and Tinf include time in which the system took the processor from a body.
//
// # Span
//
// Tinf is the length of the longest path through the graph as it was executed: the least time in which any number of
// workers could have run it, if each body took as long as it did and the runtime took no time. T1/Tinf is the average
// parallelism.
//
// A point in a body has a depth: the depth of the EDT's start plus the time since the body began. The release of blocks
// and the output event have the depth of the end of the body. The start of an EDT has the greatest depth of all for
// which it waited:
//
//   - the call that created it, and those that added its dependences
//   - each satisfaction of each of its slots, by a call directly or through an event; so what a call in mid-body
//     satisfies does not wait for the rest of the body
//   - the release of each block for which it waited: if bodies exclude each other, their order counts. A block that
//     becomes free while the EDT waits for another one does not count
//   - the call that made it ready
//
// An event has the depth of its satisfaction, a latch the greatest depth of its counts. If an event waits for another
// event, it has the depth of that event or, if that is greater, of the call that added the dependence; for an
// idempotent or channel event the call does not count. A satisfaction from outside has the depth of the call that made
// the External, or of the call of a Blocking. Slots that are connected late get the event's depth too. The k-th
// dependence of a channel has the depth of the k-th satisfaction. The output event of a finish EDT has the greatest
// depth of the ends of bodies in its scope.
//
// Tinf is the greatest depth of the end of a body.
//
// If two EDTs satisfy one channel at the same time, their depths may be swapped. A writer that waits for several
// readers follows the reader that releases last.
//
// If a run is observed, an EDT of template "recorded graph" makes the nodes of a recorded graph anew for each run of
// the graph. These EDTs and their bodies count.
//
// # Memory and cost
//
// Depths are kept in tables, by the index of the record of an EDT or event: 16 bytes an EDT and 40 bytes an event, for
// the largest numbers that were alive at one time. A channel also keeps the depths of the satisfactions that it queues.
// A satisfaction that an External has yet to make has an entry. If it is never made, as the External is closed or its
// event destroyed, the entry stays until the end of the run; so does the entry of the check mode.
//
// A call of the API costs one more reading of the clock and one or two atomic operations, and bodies include the cost
// of observing their own calls, by all observers of the run. Observed, a sweep of synch_p2p takes 2.9 times as long on
// one worker.
package workspan
