// Package trace records what the workers of a run do, and writes it as Chrome's trace-event JSON, which Perfetto
// (ui.perfetto.dev) and chrome://tracing show: a track for each worker with a slice for each EDT, idle and parked time
// between them, an arrow from the satisfaction of an EDT to its beginning, and a counter of ready EDTs.
//
//	rec := trace.New(workers, trace.Kept)
//	err := runtime.Run(ctx, main, runtime.Workers(workers), runtime.Observe(rec.Observe))
//	rec.Stop()
//	err = rec.Write(file, trace.About{Process: "my program"})
//
// # What a slice is
//
// The slice of an EDT begins with its body and ends when the worker begins another EDT or becomes idle. So it includes
// the runtime's work at the EDT's end (release of blocks, output event) and the search for the next EDT, and one
// reading of the clock an EDT is enough. If a run is stopped, the last slice of a busy worker ends with the run, as
// does the slice of a body that panicked. A slice has the name of the template; the arguments have the EDT's label,
// GUID and number of blocks.
//
// An arrow is drawn for each slot that is satisfied by a call in a body, or at the end of one, from that EDT to the one
// satisfied, and for each EDT that was ready as soon as it was created, from its creator. A slot that was satisfied on
// creation has no arrow of its own. An arrow is left out if one of its ends is not in the file, or if the satisfaction
// was made between two EDTs, as by the end of a finish scope.
//
// # Memory and cost
//
// Each worker writes into a ring of its own, of [Kept] records of 56 bytes, which is made before the run:
// nothing is allocated and nothing is locked during it. A full ring drops its oldest records: the file has the end of
// the run, and says for each worker how many records are missing. The file has about 200 bytes for an EDT, or 400 with
// arrows and the counter at either end.
//
// An EDT takes one record and one reading of [ocr/internal/core/sys.Cycles]; an arrow another of both.
package trace
