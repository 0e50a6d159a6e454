// Package overhead measures what the operations of the task runtime cost, each beside
// plain Go that does a like thing.
//
// A [Row] is one operation: [Rows] lists them, [Select] picks some by name. A sample is
// one run of a graph, on a pool that the caller provides as [Bench.Run]:
//
//	s, err := row.Measure(ctx, bench, workers)
//	fmt.Println(s.NsPerOp(), s.AllocsPerOp())
//
// docs/overhead.md says what is timed in each kind of row: calls (call.go), chains of EDTs
// (chain.go) and whole graphs (graph.go). A team (team.go) runs the rounds of all three.
//
// Every run is verified: the runtime's counters must say that exactly as many EDTs,
// events, blocks and templates were created, ran, were satisfied and destroyed as the
// row comes to, and values that travel in blocks must arrive. An error of that kind is a
// [*trial.VerifyError].
//
// A new row is an entry in the list of its section, one file each.
package overhead
