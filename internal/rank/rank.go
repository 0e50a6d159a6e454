// Package rank is the interface between the ranks of a run. A rank is a process that has a part of the
// run's graph. Ranks exchange messages, and an engine carries these: by MPI, or in one process for tests.
package rank

import (
	"time"

	"ocr/internal/core/window"
)

// A Message goes from one rank to another. Its sender and its handler define Kind and Words; an engine
// does not interpret them.
type Message struct {
	Kind  uint8
	Count uint8 // of the Words that are used
	Words [7]uint64
	// Tail has what does not fit into the words: bytes of a block, arguments. An engine copies it in
	// Send; a handler may use it until it returns.
	Tail []byte
}

// HostKinds is the first Kind of the messages by which the hosts of a job agree on runs. Those of a run's graph are
// below.
const HostKinds = 1 << 7

// An Engine carries messages between the ranks of one job.
//
// Messages from one rank to another are handled in the order in which they were sent: if one Send
// returns before the next begins, on any goroutine, the first message is handled first. A message is
// handled eventually if the receiver polls, and exactly once.
type Engine interface {
	// Rank returns the number of this rank, Size the number of ranks.
	Rank() int
	Size() int

	// Send sends a message to another rank. It never blocks: a message without room waits in this process.
	// Any goroutine may call it, but one at a time; [Order] ensures that.
	Send(to int, m *Message)

	// Poll calls handle for at most budget messages that have arrived, and returns how many were handled. Any
	// goroutine may call it, but one at a time. handle may send, but not poll. If it returns false it refuses
	// the message, which has come too early: the message is not handled, it stays the next one of its rank, and
	// this Poll handles no more from that rank. If handle panics, so does Poll, and the message counts as handled.
	Poll(budget int, handle func(from int, m *Message) bool) int

	// Arrived reports whether Poll would find a message. It is cheap. Any goroutine may call it.
	Arrived() bool

	// Sent returns how many messages were sent to a rank, Handled how many of them are known to be handled.
	// Handled reaches Sent eventually if both ranks poll. For this rank itself both return 0.
	Sent(to int) uint64
	Handled(to int) uint64

	// Sleep waits for a message, for Wake, or until max has passed. A message or a Wake before it ends it at once.
	// Sleep may return early. One goroutine at a time may call it. It need not end when Handled grows: a caller that
	// waits for that passes a short max.
	Sleep(max time.Duration)
	Wake()

	// Close ends this rank's part. Messages sent before arrive at their ranks.
	Close()
}

// Keep has the ranks that mpirun has started, so many, stay for more runs until end is called: else they end with the
// last run that is on. On ranks other than 0 it executes their part of the runs and does not return. Package runtime
// sets it.
var Keep func(ranks int) (end func(), err error)

// A Dear engine is one whose Arrived is expensive. A busy worker should leave at least LookGap between two calls of it.
type Dear interface{ LookGap() time.Duration }

// A Windowed engine can give its ranks a [Window].
type Windowed interface {
	// OpenWindow opens a window of the given number of bytes of each rank, not zeroed, in place of the last one. It
	// waits for all ranks: each calls it, with the same number, at the same point between two runs.
	OpenWindow(bytes int) (Window, error)
}

// A Window is memory of every rank that EDTs of other ranks put to and get from by calls.
type Window = window.Window
