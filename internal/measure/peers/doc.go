// Package peers runs small programs for other runtimes, so that these can be measured beside this one in one run:
// oneTBB, LLVM's and gcc's OpenMP, StarPU and Open MPI.
//
// The programs are part of this package (src). Each is compiled when it is first needed, with Debian's packages. It
// keeps running and answers requests, a line each. So its samples can take turns with this runtime's, and the start of
// a process is not timed.
//
//	set := peers.NewSet(log.Printf)
//	defer set.Close()
//	p, err := set.Program(ctx, peers.TBB, []int{0, 1}) // two threads, on processors 0 and 1; err may be a *Missing
//	rounds, err := p.Run(ctx, peers.Request{Bench: "fib", Sizes: []int{20}, Want: 6765, Target: 3 * time.Millisecond})
//
// Every answer has a checksum of what the timed rounds have computed, and is refused if the checksum is wrong. A
// program keeps its grid from round to round; its first two rounds are not timed.
//
// In general the other programs do less than the rows of this runtime: their tasks have no names, no data blocks
// acquired in a mode, no event objects, and no checks for wrong use. The help of ocrbench overhead names rows whose
// tasks differ. Further differences: tbb-flow-light runs a node inside the call of its last predecessor, so one thread
// computes the whole grid; TBB's fib waits for its calls, while this runtime's fib has one more EDT for each pair of
// calls; StarPU gets static arguments and codelets, and its submitting thread is additional to the workers; with one
// thread, libomp runs a task within its creation; libgomp runs a task within its creation while more than 64 for each
// thread are open, and searches all open tasks of an address, so its stencil waits every 16 steps. src/peer.hpp has the
// protocol and the work that all programs share.
package peers
