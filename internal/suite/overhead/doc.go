// Package overhead measures what the operations of the task runtime cost, each beside plain Go that does the same.
//
// A [Row] is one operation: [Rows] lists them, [Select] picks some by name. A sample is
// one run of a graph, on a pool that the caller provides as [Bench.Run]:
//
//	s, err := row.Measure(ctx, bench, workers)
//	fmt.Println(s.NsPerOp(), s.AllocsPerOp())
//
// Three kinds of row differ in what is timed. Of a call, batches are timed inside an EDT, between preparing their
// objects and tidying up: on several workers each does so in EDTs of its own, bound to it, and the figure is the time
// that a worker takes. A chain of EDTs on each worker is timed from its first to its last. A graph is made and run on
// all workers together, one after the other, and the figure is the time from start to end over the number of its parts.
// The clock is read so rarely that its own cost is below half a per cent of what is timed, but for loops of a
// nanosecond or two; the row empty-loop shows what loop and clock take together.
//
// Every run is verified: the runtime's counters must say that exactly as many EDTs, events, blocks and templates were
// created, ran, were satisfied and destroyed as the row comes to, and values that travel in blocks must arrive. What
// does not hold is a [*trial.VerifyError].
//
// [Config.Others] has programs for other runtimes take turns too, which are in package peers; rows
// name what they ask of those.
//
// A new row is an entry in the list of its section, a file each.
package overhead
