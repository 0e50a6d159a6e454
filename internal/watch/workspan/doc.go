// Package workspan measures a run's work T1 and span Tinf while it runs, whatever its
// length, and what else its workers did with their time.
//
//	meter := workspan.New(workers, sys.Cycles, sys.CyclePeriod)
//	err := runtime.Run(ctx, main, runtime.Workers(workers), runtime.Observe(meter.Observe))
//	result := meter.Result()
//
// # Work
//
// T1 is the time in the bodies of all EDTs together. What the runtime does between
// bodies is counted apart; the calls that a body makes are part of the body. T1 and Tinf
// include time in which the system took the processor away from a body.
//
// # Span
//
// Tinf is the length of the longest path through the graph as it was executed, and so
// the least time in which workers without number could have run it, with each body as
// long as it was and a runtime that takes no time. T1/Tinf is the average parallelism.
//
// A point in a body has a depth: the start of its EDT plus the time since the body began. The end of the body is as
// deep as what follows from it: the release of blocks and the output event. The start of an EDT is the greatest depth
// of everything that it had to wait for:
//
//   - the call that created it, and those that added its dependences
//   - each satisfaction of each of its slots, by a call directly or through an event;
//     so what is satisfied in mid-body does not wait for the rest of the body
//   - the call that made it ready, which may be the release of a block that it waited
//     for: if bodies exclude each other, the order in which they ran counts
//
// An event is as deep as its satisfaction, a latch as the deepest of all its counts up and down, an event that waits
// for another as both that event and the call that added the dependence. It passes its depth on to slots that are
// connected late, too. The k-th dependence of a channel has the depth of the k-th satisfaction. The output event of a
// finish EDT is as deep as the deepest end of a body in its scope.
//
// Tinf is the greatest depth of the end of a body.
//
// Of two EDTs that satisfy one channel at the same time, the depths may be swapped. A
// writer that waits for several readers follows from the last of them to release.
//
// # Memory and cost
//
// Depths are kept in tables by the index of the record that an EDT or event lives in: 16 bytes for each EDT and 40 for
// each event that were ever alive at one time. A channel also keeps the depths of the satisfactions that it queues.
//
// A call of the API costs a reading of the clock and one or two atomic operations more, and bodies include what
// observing their own calls takes. A sweep of synch_p2p, 66 ns, takes 2.9 times as long observed, an EDT without a body
// up to 3.8 times (BenchmarkCost of package observe, one worker).
package workspan
