package synchp2p

import (
	"unsafe"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// rankState is a rank's private block: what one of its EDTs leaves to the next.
type rankState struct {
	rank, ranks                     int
	width, first                    int // columns of the strip, grid column of its first
	rowsPerBlock, phases, timesteps int

	phase, timestep int // of the EDT that runs, or runs next

	place  edt.Affinity
	goesOn bool      // an EDT becomes the next one, it does not create it
	left   guid.GUID // event that brings the next message from the left neighbour
	right  guid.GUID // event for the next message to the right neighbour
	sent   guid.GUID // channel form: the last message to the right; rank 0's last no EDT receives
	ended  int64     // the last rank's clock when it sent the last corner
}

// headState is rank 0's private block. In the sticky form W block GUIDs follow
// it, the pool of buffers; in the channel form B+1 doubles, its scratch column.
type headState struct {
	rankState
	started int64 // clock at the start of the first timed timestep
	corners cornerLog
}

// message is the head of a buffer block of the sticky form; B+1 doubles follow.
type message struct {
	next guid.GUID // event on which the next message of this link will come
}

// messagePoints is how many doubles the head is as long as.
const messagePoints = int(unsafe.Sizeof(message{})) / pointSize

var (
	rankView    = datablock.NewView[rankState]()
	headView    = datablock.NewView[headState]()
	messageView = datablock.NewView[message]()
	guidView    = datablock.NewView[guid.GUID]()
)

// edgeBytes is the size of B+1 doubles.
func edgeBytes(rowsPerBlock int) int { return pointSize * (rowsPerBlock + 1) }

// bufferBytes is the size of a buffer block of the sticky form.
func bufferBytes(rowsPerBlock int) int { return messageView.Size() + edgeBytes(rowsPerBlock) }

// stateBytes is the size of a rank's private block.
func (c Config) stateBytes(rank int) int {
	switch {
	case rank != 0:
		return rankView.Size()
	case c.Events == EventsChannel:
		return headView.Size() + edgeBytes(c.RowsPerBlock)
	default:
		return headView.Size() + guidView.Size()*c.Phases
	}
}

// poolEntry is entry i of the pool in rank 0's private block.
func poolEntry(head *datablock.Dep, i int) *guid.GUID {
	return guidView.Of(headView.Rest(head)[guidView.Size()*i:])
}

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

// create creates the EDT of the rank's next phase. That may run at once, on another worker:
// strip and private block are released first and not touched again.
func (s *rankState) create(c *edt.Ctx, sweep *edt.Template, strip, state, message guid.GUID) {
	place := s.place
	c.Release(strip)
	c.Release(state)
	c.NewEDTAt(place, sweep, nil,
		edt.From(strip, datablock.RW), edt.From(state, datablock.RW), edt.From(message, datablock.RW))
}
