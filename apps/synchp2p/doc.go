// Package synchp2p is the synch_p2p kernel as a graph of EDTs, after the seed's program: T sweeps over a grid of N
// rows by M columns,
//
//	A(i,j) = A(i-1,j) + A(i,j-1) - A(i-1,j-1)
//
// with A(0,j) = j, A(i,0) = i, and A(0,0) = -A(N-1,M-1) after each sweep. The columns are cut into P strips, one a
// rank, and the rows into W blocks of B, one a phase: an EDT sweeps one block of one strip, passes its last column on
// to the right neighbour, and clones itself for the next phase. The corner comes back to rank 0 and is T*(N+M-2) in
// the end, exactly.
//
// Read config.go for the problem, strip.go for what an EDT computes, sweep.go for the EDT, app.go for the graph's
// begin and end. The Example shows a run. [Serial] and [Goroutines] solve the same problem with the same kernel and
// without the task runtime, so that its cost is a ratio from one run. All forms are verified by [Config.CornerAfter]'s
// closed form, in every point.
//
// # The ring
//
// A link of the ring leads from a rank to its right neighbour, and from the last rank back to rank 0. In the seed's
// form a message is a buffer block that holds B+1 values and the GUID of the sticky event on which the next message of
// the link will come; the receiver destroys the event that brought it, and forwards the block. Rank 0 has a pool of W
// buffers. With [Config.Channels] a link is one channel event, and a message is a block that the sender creates and the
// receiver destroys.
//
// In the recorded form ([CloneRecorded]) a timestep is a graph of P*W EDTs, recorded once and run T times: its edges
// are the links. Each phase has a buffer, which goes from strip to strip.
//
// README.md follows the seed's text statement by statement, and lists what differs.
package synchp2p
