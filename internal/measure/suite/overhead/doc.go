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
// Programs of other runtimes (package peers) have as many pinned threads as there are workers, and keep their data from
// round to round. In general they do less: their tasks have no names, no data blocks acquired in a mode, no event
// objects, and no checks for wrong use.
//
// Every run is verified: all created EDTs have run, no object is left, and values that are passed on have arrived. The
// error is a [*trial.VerifyError].
//
// A new row is an entry of a list in one of the files rows_*.go.
package overhead
