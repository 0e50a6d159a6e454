// Package job starts the ranks of a run as processes of this machine, tells each when another is
// gone, and sees to it that all of them end.
//
// The process that calls [Start] is rank 0. It starts its own binary with its own arguments for
// each other rank; those find in the environment who they are, and in files 3 and 4 the memory for the
// rings and a connection to rank 0. Where they are to serve they call [Serve], which does not return.
// What a program does before that is done in every rank.
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
// On the connection go lines. A rank says joined when it serves, and bye when it has ended as it should.
// Rank 0 says ping every beat, which is answered by pong, and lost with a rank and the reason if one is
// gone. Nothing of a run goes this way: what ranks say to each other about it are messages.
//
//	what happens                         who notices, and how
//	a rank's process ends without bye    rank 0: its exit status, or the end of the connection
//	a rank does not answer               rank 0: no pong for Limit; rank 0 kills it
//	rank 0's process ends                the kernel kills the others (PDEATHSIG); the connection
//	                                     ends besides
//
// Any of them makes a [rank.LostError] of all engines: Lost is closed, Sleep ends, Close waits for
// nobody. A rank that has not ended a second later ends itself, and rank 0 kills what is left then.
// Rank 0 itself is not ended: its Close returns the error.
//
// Beats are counted, not measured: if rank 0 is stopped for a while, by a terminal's Ctrl-Z, nobody is
// taken for dead when it goes on. The other ranks wait for it as long as its process is there.
//
// PDEATHSIG belongs to the thread that started the process, not to its process. So one
// goroutine starts all ranks and stays locked to its thread until they have ended.
//
// # Output, signals, exit code
//
// What the other ranks write goes to rank 0's output and error output, each line with the rank in
// front, as in "[1] text". Their input is empty. They are in process groups of their own, so a terminal's
// signals reach rank 0 alone: what it does then, ends or cancels its run, is what the others do, because
// it tells them or because they lose it. The exit code of the job is that of rank 0.
package job
