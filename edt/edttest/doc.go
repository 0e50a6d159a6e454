// Package edttest runs EDT graphs one EDT at a time, in orders that it chooses: by a seed, or in a search over many
// schedules. If a program's result depends on the order in which ready EDTs run, some schedule shows it, and the same
// schedule shows it again.
//
// [Explore] is for tests of programs. For every schedule it makes the program anew, runs it, and calls its checks:
//
//	func TestSum(t *testing.T) {
//		edttest.Explore(t, func(trial *edttest.Trial) edt.Func {
//			p := newProgram()
//			trial.Same("sum", func() any { return p.sum })
//			return p.main
//		})
//	}
//
// A failure has the schedule as a short text, which [Replay] runs again, and beside it a schedule that passes. [Run]
// runs one seed.
//
// # What a schedule is
//
// The host has no threads. It simulates workers, and makes these choices: which ready EDT runs next; on which worker,
// if it is not bound; whether another worker goes idle first, and so returns its tokens of finish scopes; whether an
// EDT starts as soon as it becomes ready, on another worker, in the middle of the body that made it ready; and in which
// order EDTs that wait for the same block acquire it. Between the calls that make EDTs ready a body runs undisturbed.
// So no schedule shows a data race inside bodies; the race detector does.
//
// # What is searched
//
// The search runs the two plain schedules first: oldest first (fifo as a [Schedule]) and newest first (lifo). Then
// it postpones each EDT in turn until nothing else can run, as the probabilistic scheduler of Burckhardt and others
// does (ASPLOS 2010): most mistakes need one or two EDTs very late, not many out of order. Then it runs random
// schedules ([Seeds]).
//
// [Pruned] covers all orders. Of those that differ only in the order of EDTs with nothing in common, it runs one. It is
// dynamic partial-order reduction after Flanagan and Godefroid (POPL 2005), with sleep sets.
//
// All of it is deterministic: the same program with the same options runs the same schedules. [Pruned] fails if it sees
// that the program is not deterministic.
package edttest
