// Package taskbench is Task Bench's parameterised graphs as graphs of EDTs (Slaughter et al., "Task Bench: A
// Parameterized Benchmark for Evaluating Parallel Runtime Performance", SC20): steps of tasks, of which each takes
// outputs of the step before, runs a kernel and writes an output. The graph unfolds as it runs, in memory that does
// not grow with its steps.
//
//	cfg := taskbench.Defaults()
//	cfg.Graphs[0].Type, cfg.Graphs[0].Steps = taskbench.Stencil1D, 1000
//	if err := cfg.Validate(memoryLimit); err != nil { ... } // *trial.ConfigError
//	app := taskbench.New(cfg)
//	err := runtime.Run(ctx, app.Main(), runtime.Workers(2))
//	result, err := app.Result() // *trial.VerifyError if an input is wrong
//
// [Config.Floor] runs the same tasks without a runtime.
//
// # Run rules
//
// Every task is an EDT of its own, and every edge between two columns a slot of it, which the producer satisfies. No
// task or edge is fused, grouped or left out, whatever the kernel is. There are two orders beyond the pattern's
// edges:
//
//   - The tasks of a column run in the order of the steps, also without an edge between them (trivial, tree): they
//     share output buffers and scratch memory, as those of Task Bench's MPI and OpenMP programs do. The own output of
//     the step before is an input without a slot beside that of the own block.
//   - No column is more than a window of steps ahead of a column that takes its outputs ([Result.InFlight],
//     bounded by [Config.Window]). Most patterns have a lower bound themselves.
//
// A column that spread names twice is one slot and one check, although it counts as two dependencies.
//
// Placement: [PlaceBound] gives each worker with a processor of its own a run of neighbouring columns, as MPI does
// with ranks; no other worker runs them. With [PlaceStealable], idle workers steal them. [PlaceNone] leaves the
// choice to the scheduler.
//
// Fields: Task Bench's -field is the number of buffers of a column; here it follows from the pattern and the window,
// and is [Result.InFlight].
//
// Cold: a run is one pass over the graph, and the first tasks meet cold caches. [Result.Elapsed] begins before the
// first EDT is created and ends after the last task; the columns' blocks and events are made before ([Result.Build]).
// Starting and stopping workers is no part of either. To measure warm, run the App again.
//
// # Verification
//
// An output is pairs of int64: the step, and the column with the number of the graph in its upper bits. Each task
// checks its number of slots, that exactly the slots with an input have one, every pair of every input for graph,
// step and column, and that the scratch memory is its own. All forms do so, in the measured time.
//
// # How columns are linked
//
// An EDT passes its block to the EDTs that take its output with AddDependence, so it must know their GUIDs: EDTs are
// created some steps ahead. How a task learns them depends on the pattern's edges (plan.choose). S is the number of
// sets of edges that steps go through in turn, 1 for most patterns.
//
//   - Alone: no edges between columns. A task goes on as the next one (edt.Ctx.Again).
//
//   - Mutual: a column that sends to another in a set of edges also receives from it in the same set. An output of
//     step t carries the GUID of the sender's EDT of step t+S+1, which (t,i) has just created: the receiver's next
//     output to that column, S-1 steps after it takes this one, goes there.
//
//   - Announced: all others. (t,i) creates (t+window,i). Every half window each column announces its next EDTs to
//     its producers, over a channel event for each two columns; a producer takes the announcement half a window
//     later, in a turn: an EDT with an additional slot for each.
//
//   - Recorded ([Config.Recorded]): a task need not know GUIDs, as the steps are graphs that are recorded once,
//     before the clock starts ([Result.Build]), and run again and again (recorded.go). R is 2: edges also order
//     tasks that read a buffer before the one that overwrites it.
//
// No output needs an event, and no event is created while the graph runs.
//
// # Why no output is overwritten before it is read
//
// A column has a ring of R buffers; (t,i) overwrites the output of step t-R, whose readers are tasks of step t-R+1.
// They have ended:
//
//   - Alone: R is 2 and the reader is (t-R+1,i) itself, which came before (t,i).
//   - Mutual: R is at least S+1. Let j take the column's output of step t-R. The edge's set comes round every S
//     steps, so there is a step s with t-S < s <= t in which i takes an output of j: that of step s-1. So (s-1,j)
//     has ended, and before it all of column j up to step s-1 >= t-S >= t-R+1.
//   - Announced: R is at least two half windows h. In the steps from a turn u = (n+1)h on to the next, i has j's
//     announcement number n, made at the end of step nh of j. With t <= u+h-1 the reader is of step t-2h+1 <= nh: it
//     has ended. If no announcement was due yet (t < h, or j began after nh), there was no reader of step t-2h+1
//     either. None is left in the end, because producers end no later than their consumers; graph_test.go checks it.
//
// The same steps show that i knows the EDT it sends to: with mutual links by construction, with announcements because
// number n has the EDTs up to step nh+2h = u+h, and i sends to step t+1 <= u+h.
//
// # Blocks
//
// The columns of a tile share one data block, for state, outputs and scratch memory (plan.layOut). With [PlaceBound]
// the columns of a worker are a tile, else each is one. An EDT holds its own tile's block in RW, and those of other
// tiles whose columns it takes from in RO. An edge inside a tile passes the block in mode Null: its consumer holds
// the block already. Tasks only touch what the order above gives them.
package taskbench
