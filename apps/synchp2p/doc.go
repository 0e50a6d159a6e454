// Package synchp2p is the synch_p2p kernel as a graph of EDTs, after the program in the seed, the text from which this
// project began: T sweeps over a grid of N rows by M columns,
//
//	A(i,j) = A(i-1,j) + A(i,j-1) - A(i-1,j-1)
//
// with A(0,j) = j, A(i,0) = i, and A(0,0) = -A(N-1,M-1) after each sweep. The columns are cut into P strips, each a
// chain of EDTs, and the rows into W blocks of B, one a phase. An EDT sweeps one block of one strip, sends its last
// column to the right neighbour, and clones itself for the next phase. The last strip sends the corner back to strip 0.
// In the end the corner is T*(N+M-2), exactly.
//
// Read config.go for the problem, strip.go for what an EDT computes, sweep.go for the EDT, app.go for the begin and the
// end of the graph, and recorded.go for the recorded form. [Serial] and [Goroutines] solve the same problem with the
// same kernel and without the task runtime: the ratio of the times is the cost of the runtime. All forms compare every
// point with its closed form.
//
// # The ring
//
// A link of the ring leads from a strip to its right neighbour, and from the last strip back to strip 0. In the seed's
// form a message is a buffer block: B+1 values, and the GUID of the sticky event that will bring the next message of
// the link. The receiver destroys the event that brought the buffer, and forwards the block. Strip 0 has a pool of W
// buffers. With [Config.Channels] a link is one channel event, and a message is a block that the sender creates and the
// receiver destroys.
//
// README.md follows the seed's text statement by statement, and lists the differences.
package synchp2p
