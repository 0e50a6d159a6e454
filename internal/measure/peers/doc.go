// Package peers runs small programs for other runtimes, so that these can be measured beside
// ours in one run: oneTBB, LLVM's and gcc's OpenMP, StarPU and Open MPI.
//
// The programs are part of this package (src). Each is compiled when it is first needed, with
// what Debian's packages install, and stays running: it answers requests, a line each, so
// that samples can take turns with ours and the start of a process does not count.
//
//	set := peers.NewSet(log.Printf)
//	defer set.Close()
//	p, err := set.Program(ctx, peers.TBB, []int{0, 1}) // two threads, on processors 0 and 1; may be a *Missing
//	rounds, err := p.Run(ctx, peers.Request{Bench: "fib", Sizes: []int{20}, Want: 6765, Target: 3 * time.Millisecond})
//
// Every answer has a checksum of what was computed in the rounds that were timed, and is refused if that is not what it
// must be. A program keeps its grid from round to round, and two rounds are not timed.
//
// Sizes, numbers of tasks and dependences, and arithmetic are those of our rows. In general the others do less: their
// tasks have no names, no data blocks acquired in a mode, no event objects, and no checks for wrong use. Beyond that:
// tbb-flow-light runs a node inside the call of its last predecessor, so one thread does all of a grid; a TBB task of a
// chain can be stolen, our chains are bound to a worker; fib's caller waits, our fib has one more EDT for each pair of
// calls instead; StarPU gets static arguments and codelets, and its submitting thread is one more than the workers; one
// thread of libomp runs a task where it is created; libgomp looks at all open tasks of an address, so its stencil waits
// every 16 steps. src/peer.hpp has the protocol and the work that all programs share.
package peers
