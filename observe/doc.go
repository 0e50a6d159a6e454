// Package observe has observers for [ocr/runtime.Run]: a trace of each worker, statistics of where the time of the run
// went, and the executed graph.
//
//	var trace observe.Trace
//	var stats observe.Stats
//	err := runtime.Run(ctx, main, trace.Option(), stats.Option())
//	err = trace.Write(file)         // for ui.perfetto.dev
//	err = stats.WriteText(os.Stdout)
//
// The zero value of each is ready. It observes one run at a time, as it is executed, and has the latest that has ended,
// however that ended.
//
// # Ranks
//
// Over several ranks ([ocr/runtime.Ranks]) each rank has a Trace of its own, see [Trace.RankFiles]. Stats and a Graph
// are of runs on one rank.
//
// # Names
//
// An EDT is shown by its template's name and, if the template says it, which one it is: a task of package task by its
// parameters, "row 3, col 7", or by the function of its Label; another one by that of [ocr/edt.Template.Describe].
//
// # Cost
//
// A Trace reads the clock once or twice an EDT, Stats take two to three times as much, and a Graph records under one
// lock: the times that it shows are those of a run that was slowed down. A run without observers has no cost.
package observe
