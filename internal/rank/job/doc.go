// Package job starts the ranks of a run as processes of this machine, reports to each the loss of
// another, and ensures that all of them end.
//
// The process that calls [Start] is rank 0. It starts its own binary with its own arguments for each
// other rank. Such a rank gets its number from the environment, the memory for the rings as file 3, and
// a connection to rank 0 as file 4. It calls [Serve], which does not return. Code before that executes
// in every rank.
//
//	func main() {
//		if job.IsChild() {
//			job.Serve(func(e rank.Engine, area []byte) int { ...; return 0 })
//		}
//		j, err := job.Start(job.Config{Ranks: 2})
//		...
//		err = j.Close()
//	}
//
// # Control
//
// The connection carries lines. A rank sends joined when it serves, and bye when it has ended normally.
// Rank 0 sends ping every beat, which a rank answers by pong; and lost, with a rank and the reason, if
// that rank is lost. The ranks send all messages of a run through the rings.
//
//	event                                detected by
//	a rank's process ends without bye    rank 0: the exit status, or the end of the connection
//	a rank does not answer               rank 0: no pong for Limit; rank 0 kills the rank
//	rank 0's process ends                the kernel kills the others (PDEATHSIG), and the connection
//	                                     ends
//
// After any of them every engine reports a [rank.LostError]: Lost is closed, Sleep ends, Close does not
// wait. A rank that still runs a second later ends itself, and rank 0 then kills those that are left.
// Rank 0 itself goes on: its Close returns the error.
//
// Rank 0 counts beats, not time: if it is stopped for a while, by a terminal's Ctrl-Z, it takes no rank
// for lost when it continues. The other ranks wait for it as long as its process exists.
//
// PDEATHSIG belongs to the thread that started the process, not to its process. So one
// goroutine starts all ranks and stays locked to its thread until they have ended.
//
// # Output, signals, exit code
//
// Rank 0 copies the output and error output of the other ranks to its own, each line with the rank in
// front, as in "[1] text". Their input is empty. Each has a process group of its own, so a terminal's
// signals reach rank 0 alone. If it then ends, or cancels its run, so do the others: they lose it, or
// receive its message. The exit code of the job is that of rank 0.
package job
