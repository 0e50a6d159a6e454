// Package rank is how the ranks of a run talk to each other. A rank is a process that has a
// part of the run's graph; what it says to another is a message, and an engine carries it: in
// one process for tests, through rings in shared memory, by MPI.
package rank

import "time"

// A Message is what one rank says to another. Kind and Words are the business of those that
// send and handle; an engine carries them as they are.
type Message struct {
	Kind  uint8
	Count uint8 // of the Words that are used
	Words [7]uint64
	// Tail is what does not fit into the words: bytes of a block, arguments. An engine copies it in
	// Send; a handler may use it until it returns.
	Tail []byte
}

// HostKinds are the kinds of the messages by which the hosts of a job agree on runs: those of a run's graph are below.
const HostKinds = 1 << 7

// An Engine carries messages between the ranks of one job.
//
// Messages from one rank to another are handled in the order in which they were sent: if
// one Send returns before the next begins, on whatever goroutine, the first is handled first. What
// is sent is handled at some time if the receiver polls; nothing is lost or handled twice.
type Engine interface {
	// Rank is the number of this rank, Size how many there are.
	Rank() int
	Size() int

	// Send sends a message to another rank. It never blocks: what finds no room waits in this process.
	// Callers take turns, on any goroutines; [Order] sees to that.
	Send(to int, m *Message)

	// Poll hands at most budget messages that have arrived to handle, and returns how many were handled.
	// Callers take turns. handle may send, and does not poll. If it returns
	// false the message has come too early: it stays the next one of its rank, and is not handled, and
	// this call hands out no more from that rank. If it panics Poll does too, and the message is handled.
	Poll(budget int, handle func(from int, m *Message) bool) int

	// Arrived reports whether Poll would find a message. It is cheap. Any goroutine may call it.
	Arrived() bool

	// Sent is how many messages to a rank were sent, Handled how many of them have been handled, as far as
	// this rank knows: it learns of it at some time, if both poll. For this rank itself they are 0.
	Sent(to int) uint64
	Handled(to int) uint64

	// Sleep waits for a message, for Wake, or until max has passed. What came before
	// ends it at once. It may end for nothing. One goroutine at a time. Who waits for Handled sleeps a short time only.
	Sleep(max time.Duration)
	Wake()

	// Lost is closed when another rank is gone, or this one has lost its job; Err then says which.
	Lost() <-chan struct{}
	Err() error

	// Close ends this rank's part. Messages that were sent before have arrived, unless a rank is lost.
	Close() error
}

// A Dear engine takes long to say whether something has arrived. Who is busy should ask no more often than LookGap
// says.
type Dear interface{ LookGap() time.Duration }

// A Windowed engine can give its ranks a [Window].
type Windowed interface {
	// OpenWindow opens a window of so many bytes of each rank, with what happens to be in them, in place of the one
	// before. Every rank calls it, with the same number, at the same point between two runs: it waits for the others.
	OpenWindow(bytes int) (Window, error)
}

// A Window is memory of every rank, as much of each, that the others reach by calls: ranks of several machines have
// none in common. What is put is there after [Window.Flush], and not before in any order. Any goroutine may call the
// methods. Numbers are ranks, and offsets in bytes; both must be in range.
type Window interface {
	// Bytes is this rank's part: plain memory, that others write to while this rank reads it.
	Bytes() []byte

	// Put copies src to a rank's part. On return src may be used again.
	Put(to, at int, src []byte)
	// Get copies from a rank's part. It is complete on return.
	Get(dst []byte, from, at int)
	// PutStrided and GetStrided are the same for n elements of width bytes, 4 or 8, whose distances are counted in
	// elements.
	PutStrided(to, at int, src []byte, n, width, dstStride, srcStride int)
	GetStrided(dst []byte, from, at int, n, width, dstStride, srcStride int)

	// Store stores a word of 4 or 8 bytes, aligned, and at once: who loads it sees all or nothing of it. It is there on
	// return.
	Store(to, at, width int, v uint64)
	// Load is for words that are written by Store. A word of this rank's own part can be loaded from the memory,
	// atomically.
	Load(from, at, width int) uint64

	// Flush returns when all that this process has put to a rank is there.
	Flush(to int)
	// Progress has operations of other ranks go on. Who waits in a loop for what they put calls it.
	Progress()
}
