// Package observe has observers for [ocr/runtime.Run]: a trace of each worker, statistics of how the run spent its
// time, and the executed graph.
//
//	var trace observe.Trace
//	var stats observe.Stats
//	err := runtime.Run(ctx, main, trace.Option(), stats.Option())
//	err = trace.Write(file)         // for ui.perfetto.dev
//	err = stats.WriteText(os.Stdout)
//
// The zero value of each observer is ready to use. An observer observes one run at a time, and keeps the latest run
// that has ended, also if it failed.
//
// # Ranks
//
// Over several ranks ([ocr/runtime.Ranks]) each rank has a Trace of its own, see [Trace.RankFiles]. Stats and Graph
// observe runs on one rank only.
//
// # Names
//
// An EDT is shown by its template's name and a description: for a task of package task its parameters, "row 3, col 7",
// or the text of its Label; for other templates the text of [ocr/edt.Template.Describe], if it is set.
//
// # Cost
//
// A Trace reads the clock once or twice an EDT. With Stats short EDTs take two to three times as long. A Graph records
// under one lock, so its times are those of a slower run. A run without observers has no cost.
//
// In an observed run an EDT of template "recorded graph" makes the EDTs of a recorded graph ([ocr/edt.Recording]) anew
// for each run of the graph, and all observers show it. The counters of the run leave that EDT out.
package observe
