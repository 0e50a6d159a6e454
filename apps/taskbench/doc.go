// Package taskbench runs Task Bench's parameterised graphs as graphs of EDTs (Slaughter et al., "Task Bench: A
// Parameterized Benchmark for Evaluating Parallel Runtime Performance", SC20): steps of tasks. Each task reads outputs
// of the step before, runs a kernel and writes an output. The graph unfolds as it runs, in memory that does not grow
// with its steps.
//
//	cfg := taskbench.Defaults()
//	cfg.Graphs[0].Type, cfg.Graphs[0].Steps = taskbench.Stencil1D, 1000
//	if err := cfg.Validate(memoryLimit); err != nil { ... } // *trial.ConfigError
//	app := taskbench.New(cfg)
//	err := runtime.Run(ctx, app.Main(), runtime.Workers(2))
//	result, err := app.Result()
//
// [Config.Floor] runs the same tasks without a runtime.
//
// # Run rules
//
// Every task is an EDT of its own, and every edge between two columns a slot of that EDT, which the producer satisfies.
// No task or edge is fused, grouped or left out, whatever the kernel is. If no column takes another's output, a column
// is one EDT that goes on as its next task (edt.Ctx.Again). There are two kinds of inputs beyond the pattern's edges.
// Tasks check them too, but Task Bench's totals do not count them as dependences:
//
//   - The column's own output of the step before, also if the pattern has no such edge (trivial, tree). The tasks of a
//     column run in the order of the steps: they share output buffers and scratch memory, as those of Task Bench's MPI
//     and OpenMP programs do. The input comes on the slot of the column's own block.
//   - Links back: if column j takes an output of i, and i takes none of j in the same step (dom, tree, spread,
//     random_nearest), i takes an output of j all the same.
//
// A column that spread names twice is one slot and one check, although it counts as two dependencies.
//
// Placement: [PlaceBound] gives each worker with a processor of its own a run of neighbouring columns, as MPI does
// with ranks; no other worker runs them. With [PlaceStealable], idle workers steal them. [PlaceNone] leaves the
// choice to the scheduler.
//
// Cold: a run is one pass over the graph, and its first tasks find cold caches. [Result.Elapsed] begins before the
// first EDT is created and ends after the last task; the columns' blocks are created before ([Result.Build]). Neither
// includes the start and stop of workers. To measure warm, run the App again.
//
// # Verification
//
// An output is pairs of int64: the step, and the column with the number of the graph in its upper bits. Each task
// checks its number of slots, that an input came on exactly the slots that expect one, the graph, step and column in
// every pair of every input, and that the scratch memory is its own. These checks are timed. (The floor has no slots.)
//
// # How columns are linked
//
// An EDT passes its block to the EDTs that take its output with AddDependence, so it must know their GUIDs. Let S be
// the number of sets of links that steps go through in turn, 1 for most patterns. The output of (t,i) carries the GUID
// of the EDT of (t+S+1,i), which (t,i) has just created: the receiver takes the output in step t+1, and passes its own
// output of step t+S to that EDT. The EDTs of a column's first S+1 steps are created at the start and written to
// the blocks of the columns that send to them. So no output needs an event.
//
// A recorded graph ([Config.Recorded]) needs neither GUIDs nor links back (recorded.go). It is recorded before the
// clock starts ([Result.Build]).
//
// # Why no output is overwritten before it is read
//
// A column has a ring of R buffers, R > S; (t,i) overwrites the output of step t-R, whose readers are tasks of step
// t-R+1. Let (t-R+1,j) be such a reader. The set of its edge comes round every S steps, so there is a step s, with
// t-S < s <= t, in which i takes an output of j: that of step s-1. Columns begin late or end early only if S is 1: then
// s is t. So (s-1,j) has ended, and before it all of column j up to step s-1 >= t-S >= t-R+1. A recorded graph has
// R = 2, and edges that order tasks which read a buffer before the task that overwrites it.
//
// # Blocks
//
// The columns of a tile share one data block, for state, outputs and scratch memory (plan.layOut). With [PlaceBound]
// the columns of a worker are a tile, else each column is a tile. An EDT holds its own tile's block in RW, and in RO
// the blocks of other tiles from which it takes outputs. An edge inside a tile passes the block in mode Null: its
// consumer holds the block already. Tasks only touch what the order above gives them.
package taskbench
