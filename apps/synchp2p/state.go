package synchp2p

import (
	"unsafe"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// A rank's private block begins with its state. Behind that, rank 0 has in the sticky form W
// blocks, the pool of buffers; in the channel form B+1 doubles, its scratch column.
type private = task.Headed[rankState, task.Block[buffer]]

// A buffer is the block of a message in the sticky form: a head, then B+1 doubles.
type buffer = task.Headed[message, float64]

type message struct {
	next task.Event[buffer] // on which the next message of this link will come
}

// rankState is what one of a rank's EDTs leaves to the next.
type rankState struct {
	rank, ranks                     int
	width, first                    int // columns of the strip, grid column of its first
	rowsPerBlock, phases, timesteps int

	phase, timestep int // of the EDT that runs, or runs next

	place  edt.Affinity
	goesOn bool               // an EDT becomes the next one, it does not create it
	left   task.Event[buffer] // brings the next message from the left neighbour; a channel in the channel form
	right  task.Event[buffer] // takes the next message to the right neighbour
	sent   guid.GUID          // channel form: the last message to the right; rank 0's last no EDT receives
	ended  int64              // the last rank's clock when it sent the last corner

	// Of rank 0:
	started int64 // clock at the start of the first timed timestep
	corners cornerLog
}

var rankView = datablock.NewView[rankState]()

// edgeBytes is the size of B+1 doubles.
func edgeBytes(rowsPerBlock int) int { return pointSize * (rowsPerBlock + 1) }

// poolLen is how many pool entries are behind a rank's state, or what takes as much memory.
func (c Config) poolLen(rank int) int {
	switch {
	case rank != 0:
		return 0
	case c.Events == EventsChannel:
		return (edgeBytes(c.RowsPerBlock) + entryBytes - 1) / entryBytes
	default:
		return c.Phases
	}
}

const entryBytes = int(unsafe.Sizeof(task.Block[buffer]{}))

// isLast reports whether this is the rank that closes the ring.
func (s *rankState) isLast() bool { return s.rank == s.ranks-1 }

// sends reports whether this phase ends with a message to the right: all but the
// last rank's, which only sends the corner to rank 0.
func (s *rankState) sends() bool { return !s.isLast() || s.phase == s.phases-1 }

// receives reports whether this phase begins with a message from the left. Rank 0
// gets one a timestep, the corner of the one before.
func (s *rankState) receives() bool { return s.rank != 0 || s.phase == 0 && s.timestep > 0 }

// isFirst reports whether this is the rank's first EDT.
func (s *rankState) isFirst() bool { return s.timestep == 0 && s.phase == 0 }

// advance moves to the next phase; false when there is none.
func (s *rankState) advance() bool {
	if s.phase++; s.phase == s.phases {
		s.phase = 0
		s.timestep++
	}
	return s.timestep < s.timesteps
}
