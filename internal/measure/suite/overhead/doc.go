// Package overhead measures the cost of the task runtime's operations, each beside plain Go and programs of other
// runtimes that do the same or something similar.
//
// A [Row] is one operation: [Rows] lists them, [Select] picks some by name. Its forms take turns. The first is this
// runtime's: EDTs that work in rounds (lane.go); the first rounds are not timed. This form is of one of three kinds:
//
//   - calls (rows_calls.go): a batch of calls inside an EDT. On several workers, their batches overlap in part. The
//     time of a call is that on one worker, and includes loop and clock: the row empty-loop shows their share.
//   - a chain of EDTs on each worker, from its first EDT to its last.
//   - a graph, made and run on all workers: its time from start to end, divided by the number of its parts.
//
// Programs of other runtimes have as many pinned threads as there are workers; package peers says how they differ.
//
// Every run is verified: all created EDTs have run, no object is left, and values that are passed on have arrived. The
// error is a [*trial.VerifyError].
package overhead
