// Package runtime runs an EDT graph on a pool of pinned workers.
//
// [Run] is all that most programs need: it starts the workers, runs the main EDT and everything that
// follows from it, and returns when an EDT calls shutdown or abort, when one
// misuses the API or panics, when the context is cancelled, or when nothing is
// left to run. Then all workers have ended and the run's memory is given back.
//
//	err := runtime.Run(ctx, Main, runtime.Workers(4))
//
// A service that runs many graphs, or short ones, keeps its workers: [New] makes a [Pool]. Goroutines
// outside reach a run by an [edt.External].
//
// Each worker is a thread on a processor of its own. It runs what its EDTs make
// ready, newest first; with nothing to run it is idle: it searches for an EDT
// that it can steal. After a while it parks. docs/scheduler.md tells the protocols and why they are right.
package runtime
