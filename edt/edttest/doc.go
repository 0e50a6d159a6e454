// Package edttest runs EDT graphs one EDT at a time, in orders of its own choosing: by a seed, or as a search over many
// schedules. A program whose result depends on the order in which ready EDTs run gives itself away under some schedule,
// and the same schedule shows it again.
//
// [Explore] is for tests of programs. It makes the program afresh for every schedule
// and asks it afterwards whether all is well:
//
//	func TestSum(t *testing.T) {
//		edttest.Explore(t, func(trial *edttest.Trial) edt.Func {
//			p := newProgram()
//			trial.Same("sum", func() any { return p.sum })
//			return p.main
//		})
//	}
//
// A failure comes with the schedule in a short form, which [Replay] runs again, and
// beside it one that passes. [Run] runs one seed, and [RunSchedule] one [Schedule].
//
// # What a schedule is
//
// The host has no threads. It pretends to have workers, and makes these choices: which ready EDT runs next; on which
// worker, if it is not bound; whether another worker goes idle first, and so gives back its stock of a finish scope's
// tokens; whether an EDT starts the moment it becomes ready, on another worker, while the EDT that made it ready is in
// the middle of its body; and in which order EDTs that wait for the same block get it. Between the calls that make EDTs
// ready a body runs undisturbed: data races inside bodies are the race detector's to find.
//
// # What is searched
//
// First come the two plain schedules, oldest first ([ParseSchedule] calls it fifo) and newest first (lifo). Then each
// EDT in turn is postponed until nothing else can run, as in the probabilistic scheduler of Burckhardt and others
// (ASPLOS 2010): most mistakes need one or two EDTs very late, not many out of order. Then come random schedules
// ([Seeds]).
//
// [Pruned] searches differently: through all orders, but only one of those that differ by the order of EDTs that have
// nothing in common. It is dynamic partial-order reduction after Flanagan and Godefroid (POPL 2005), with sleep sets.
//
// All of it is deterministic: the same program with the same options runs the same
// schedules. [Pruned] fails if it sees that a program itself is not.
package edttest
