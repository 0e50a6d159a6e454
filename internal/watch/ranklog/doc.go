// Package ranklog merges the observed calls of all ranks of a run. On each rank a [Log] records the calls of observers.
// At the end of the run rank 0 gets all logs, and replays them in one order, see [Log.Replay].
//
//	log := ranklog.New(w, true)      // on each rank, of its first worker
//	log.Observe(w)                   // the observer of each worker
//	log.Replay(func(worker int) ranklog.Reader { return newReader(worker) }) // on rank 0, after the run
//
// # Order
//
// The moment of a record is the time of the machine's clock, or one more than the latest moment that the rank has
// recorded or received, if that is later. A message carries the moment at which it was sent. So:
//
//   - the records of a rank are in the order in which they were made
//   - the records that follow from a message come after it, also over machines
//   - the uses of shared blocks by ranks of one machine are in the order of its clock
//
// # Size
//
// A record takes some 30 to 60 bytes, and an EDT about ten records. A rank keeps the first [MaxBytes]. If one has more,
// Replay ends at its last record and returns true.
package ranklog
