// Package rank has the interface between the ranks of a run. A rank is a process that has a part of the run's graph.
// Ranks exchange messages, which an engine carries: by MPI, or within a process for tests.
package rank

import (
	"encoding/json"
	"time"

	"ocr/internal/core/window"
)

// A Message goes from one rank to another. The sender and the handler define the meaning of Kind and Words; engines do
// not interpret them.
type Message struct {
	Kind  uint8
	Count uint8 // number of Words in use
	Words [7]uint64
	// Tail has what does not fit into the words: bytes of a block, arguments. Send copies it. The handler may use Tail
	// until the handler returns.
	Tail []byte
}

// Encode encodes plain data for the Tail of a message to a rank of the same program. Decode is the inverse.
func Encode(data any) []byte {
	text, err := json.Marshal(data)
	if err != nil {
		panic(err) // plain data does not fail
	}
	return text
}

// Decode decodes what Encode has encoded.
func Decode(text []byte, into any) {
	if err := json.Unmarshal(text, into); err != nil {
		panic(err) // both are of one program
	}
}

// HostKinds is the first Kind of the messages by which the hosts of a job agree on runs. The messages of a run's graph
// have smaller Kinds.
const HostKinds = 1 << 7

// An Engine carries messages between the ranks of one job.
//
// Messages from one rank to another are handled in the order in which they were sent: if one Send returns before the
// next begins, on any goroutine, its message is handled first. If the receiver polls, each message is handled in the
// end, exactly once.
type Engine interface {
	// Rank returns the number of this rank, Size the number of ranks.
	Rank() int
	Size() int

	// Send sends a message to another rank. It never blocks: a message for which there is no room waits in this process.
	// Any goroutine may call it, but one at a time, as [Order] does.
	Send(to int, m *Message)

	// Poll calls handle for at most budget messages that have arrived, and returns how many were handled. Any goroutine
	// may call it, but one at a time. handle may send, but not poll. If handle returns false, it refuses the message,
	// which has come too early: the message is not handled and stays the next one from its rank, and this Poll handles no
	// more from that rank. If handle panics, so does Poll, and the message counts as handled.
	Poll(budget int, handle func(from int, m *Message) bool) int

	// Arrived reports whether Poll would find a message. It is cheap, unless the engine is [Dear]. Any goroutine may call
	// it.
	Arrived() bool

	// Sent returns how many messages were sent to a rank, Handled how many of these are known to be handled. In the end
	// Handled equals Sent, if both ranks poll. For this rank itself both are 0.
	Sent(to int) uint64
	Handled(to int) uint64

	// Sleep waits for a message, for Wake, or until max has passed. It returns at once if a message or a Wake came before
	// it, and may return early. One goroutine at a time may call it. It need not return when Handled grows: a caller that
	// waits for that passes a short max.
	Sleep(max time.Duration)
	Wake()

	// Close ends this rank's part. Messages that were sent before arrive at their ranks.
	Close()
}

// Keep keeps the ranks that mpirun has started, as many as ranks says, for more runs until end is called. Without Keep
// they end with the last run or pool. On a rank other than 0 Keep takes part in the runs, reports no lack of progress,
// and does not return. Package runtime sets Keep.
var Keep func(ranks int) (end func(), err error)

// A Dear engine is one whose Arrived is expensive. A busy worker should wait at least LookGap between two calls.
type Dear interface{ LookGap() time.Duration }

// A Windowed engine can give its ranks a [Window].
type Windowed interface {
	// OpenWindow opens a window of this many bytes on each rank, not zeroed, in place of the last one. All ranks must call
	// it, with the same number, at the same point between two runs: it may wait for them.
	OpenWindow(bytes int) (Window, error)
}

// A Window is memory on every rank. EDTs of other ranks write it with puts and read it with gets.
type Window = window.Window
