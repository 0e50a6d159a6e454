// Package overhead measures what the operations of the task runtime cost, each beside plain Go that does the same.
// docs/overhead.md says what is timed, and what a figure is of.
//
// A [Row] is one operation: [Rows] lists them, [Select] picks some by name. A sample is one run of a graph, on a pool
// that the caller provides as [Bench.Run]:
//
//	s, err := row.Measure(ctx, bench, workers)
//	fmt.Println(s.NsPerOp(), s.AllocsPerOp())
//
// A row is a call, a chain or a graph, in the files of those names. Every run is verified: the runtime's counters must
// be what the row comes to, and values that travel in blocks must arrive; else the error is a [*trial.VerifyError].
// What other runtimes do beside a row is in package peers.
//
// A new row is an entry in the list of its section, a file each.
package overhead
