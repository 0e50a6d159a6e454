// Package predict says how long a program would take on a number of workers, each with a processor of its own. It runs
// the program once, on an [edt.Host] with pretended workers on one thread, and a virtual clock.
//
//	h := predict.New(predict.Config{Workers: 64, Costs: costs, Known: predict.Known{}})
//	defer h.Graph.Close()
//	err := h.Run(ctx, main)
//	result := h.Result
//
// # What is real, what is modelled
//
// Each EDT runs for real, and is timed. The host's part is modelled: lists, rounds, the search with its gap, thefts,
// hand-offs, spinning, parking and waking are those of package runtime, docs/scheduler.md, and take what [Costs] say.
//
// # The order of bodies
//
// A body has its effects on the graph when it runs for real, at one moment of virtual time. If it ran where it begins,
// it could release a block that it still holds in virtual time. If it ran where it ends, an EDT that it makes ready at
// its beginning would be late. So it runs when it has lasted for the shortest time that an EDT of its template took to
// make another EDT ready, or to end ([Known]). That is exact if EDTs of a template last equally long and satisfy at
// their end. Else an EDT may begin too early, by the difference at most. Known is empty in the first run: a run on one
// worker, whose order is right in any case, fills it.
//
// # What is not predicted
//
// Memory bandwidth and caches that processors share, two threads of one core, workers that contend for one word or one
// block, the garbage collector beside many workers, and what comes from outside ([edt.External], [edt.Blocking]): such
// a program is refused.
package predict
