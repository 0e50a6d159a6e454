// Package ranklog merges the observed calls of all ranks of a run. On each rank a [Log] records the calls of observers.
// At the end of the run rank 0 gets all logs, and reads them out in one order, see [Log.Replay].
//
//	log := ranklog.New(w, true)      // on each rank, of its first worker
//	log.Observe(w)                   // the observer of each worker
//	log.Replay(func(r *ranklog.Record) { r.Tell(readers[r.Worker]) }) // on rank 0, after the run
//
// # Order
//
// A record has a moment: that of the machine's clock, but later than all that this rank has recorded or heard of. A
// message takes the moment at which it was sent along. So the records of a rank stand in the order in which they were
// made, what a message leads to is behind it, on whatever machine, and what ranks of one machine do with blocks that
// they share is in the order of its clock.
//
// # Size
//
// A record takes some 30 to 60 bytes, about ten records an EDT. A rank keeps the first [MaxBytes]; if that is too
// little nothing later than its last record is read out, of any rank, and Replay says so.
package ranklog
