// Package peers runs small programs for other runtimes, so that these can be measured beside
// ours in one run: oneTBB, LLVM's and gcc's OpenMP, StarPU and Open MPI.
//
// The programs are part of this package (src). Each is compiled when it is first needed, with
// what Debian's packages install, and stays running: it answers requests, a line each, so
// that samples can take turns with ours and the start of a process does not count.
//
//	set := peers.NewSet()
//	defer set.Close()
//	p, err := set.Program(ctx, peers.TBB, []int{0, 1}) // two threads, on processors 0 and 1; may be a *Missing
//	rounds, err := p.Run(ctx, peers.Request{Bench: "fib", Sizes: []int{20}, Want: 6765, Target: 3 * time.Millisecond})
//
// Every answer has a checksum of what was computed in the rounds that were timed, and is refused if that is not what it
// must be. src/peer.hpp has the protocol and the work that all programs share.
package peers
