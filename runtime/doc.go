// Package runtime runs an EDT graph on a pool of pinned workers.
//
// Most programs need only [Run]: it starts the workers, and runs the main EDT and all EDTs that follow from it. It
// returns when no EDT is left to run, when an EDT calls shutdown, abort or fail, misuses the API or panics, or when the
// context is cancelled. Then all workers have ended, and the memory of blocks must not be used.
//
//	err := runtime.Run(ctx, Main, runtime.Workers(4))
//
// A server that runs many or short graphs keeps its workers: [New] makes a [Pool], which runs one graph at a time.
// task.Run runs a program on a Pool, or on workers of its own, and returns its result. Goroutines outside a run satisfy
// events in it with an [edt.External].
//
// Each worker is a thread pinned to a processor. It runs the EDTs that its EDTs make ready, newest first. An idle
// worker searches for an EDT to steal, and parks if it finds none for a time. README.md has the protocols and proofs.
package runtime
