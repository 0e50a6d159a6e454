// Package trace records what the workers of a run do, and writes it as Chrome's
// trace-event JSON, which Perfetto (ui.perfetto.dev) and chrome://tracing show: a
// track for each worker with a slice for each EDT, idle and parked time between
// them, an arrow from the satisfaction of an EDT to its beginning, and counters of
// ready EDTs, thefts and parks.
//
//	rec := trace.New(workers, trace.Config{Events: trace.DefaultEvents, Flows: true})
//	err := runtime.Run(ctx, main, runtime.Workers(workers), runtime.Observe(rec.Observe))
//	rec.Stop()
//	err = rec.Write(file, trace.About{Process: "my program"})
//
// # What a slice is
//
// The slice of an EDT begins with its body and ends where the worker begins another,
// or finds nothing to run: what the runtime does at an EDT's end (release of blocks,
// its output event) and to find the next one is part of it. So one reading of the
// clock an EDT is enough. If a run is stopped, the last slice of a worker that had
// work ends with the run, as does the slice of a body that panicked. Its name is that of the template, so that slices
// can be grouped by it; what tells one EDT from another is in the arguments: label, GUID, number of blocks.
//
// An arrow is drawn for each slot that is satisfied by a call in a body, or at the
// end of one, from that EDT to the one satisfied, and for each EDT that was ready as
// soon as it was created, from its creator. What was satisfied on creation gets no
// arrow of its own. An arrow with an end that is not in the file is left out, as are
// those of satisfactions between two EDTs: the end of a finish scope may be one.
//
// # Memory and cost
//
// Each worker writes into a ring of its own, of [Config].Events records of 56 bytes,
// which is made before the run: nothing is allocated and nothing is locked during it.
// A full ring drops its oldest records: the file has the end of the run, and says for
// each worker how many records are missing. The file has about 200 bytes for an EDT,
// or 400 with arrows and the counters at either end.
//
// An EDT takes one record and one reading of [ocr/internal/sys.Cycles]; an arrow
// another of both.
package trace
