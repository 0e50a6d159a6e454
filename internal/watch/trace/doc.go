// Package trace records what the workers of a run do, and writes it as Chrome's trace-event JSON, which Perfetto
// (ui.perfetto.dev) and chrome://tracing show: a track for each worker with a slice for each EDT, idle and parked time
// between them, and an arrow from the satisfaction of an EDT to its beginning.
//
//	rec := trace.New(workers, trace.Kept)
//	err := runtime.Run(ctx, main, runtime.Workers(workers), runtime.Observe(rec.Observe))
//	rec.Stop()
//	err = rec.Write(file, trace.About{Process: "my program"})
//
// # What a slice is
//
// The slice of an EDT begins with its body and ends when the worker begins another EDT or becomes idle. So it includes
// the runtime's work at the EDT's end (release of blocks, output event) and the search for the next EDT, and each EDT
// needs one reading of the clock. The slice of a body that panicked, or that runs when the run is stopped, ends when
// the run returns: in check mode after the findings are complete. The name of a slice is that of the template; its
// arguments are the EDT's label, GUID and number of blocks.
//
// An arrow leads from an EDT to each slot that a call in its body, or at its end, satisfies, and to each EDT that it
// creates and that is ready at once. A slot that is satisfied on creation has no arrow of its own, nor has a slot of
// the EDT that was created last, if a call connects it with a block or with no block. An arrow is left out if one of
// its ends is not in the file, or if the satisfaction was made between two EDTs, as by the end of a finish scope.
//
// # Memory and cost
//
// Each worker writes to a ring of its own, of [Kept] records of 56 bytes, allocated before the run. During the run it
// takes no lock, and only the templates' descriptions of EDTs allocate. A full ring drops its oldest records: the file
// has the end of the run, and says for each worker how many records are missing. An EDT takes about 200 bytes of the
// file, or 400 with an arrow.
//
// An EDT takes one record and one reading of [ocr/internal/core/sys.Cycles]; an arrow takes one more of both.
package trace
