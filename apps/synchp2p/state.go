package synchp2p

import (
	"fmt"

	"ocr/datablock"
	"ocr/edt"
	"ocr/task"
)

// A rank's private block begins with its state. Behind that, rank 0 has the pool of buffers, W blocks, in the seed's
// form.
type private = task.Headed[state, task.Block[buffer]]

// A buffer is the block of a message: a head, then B+1 doubles.
type buffer = task.Headed[message, float64]

type message struct {
	next task.Event[buffer] // the seed's form: on which the next message of this link will come
}

// A state is what one of a rank's EDTs passes to the next.
type state struct {
	rank, ranks                     int
	width, first                    int // columns of the strip, grid column of its first
	rowsPerBlock, phases, timesteps int

	phase, timestep int // of the EDT that runs, or runs next

	place   edt.Affinity
	toRight edt.Affinity       // place of the right neighbour, 0 if it is the same
	channel bool               // links are channels
	again   bool               // an EDT becomes the next one, it does not create it
	left    task.Event[buffer] // brings the next message from the left neighbour; a channel if links are channels
	right   task.Event[buffer] // takes the next message to the right neighbour

	// Of rank 0:
	started int64   // clock at the start of the first timed timestep
	ended   int64   // clock when the last corner is there
	corner  float64 // recorded form: of the timestep before
}

// A start is how a rank begins: what its private block is to say, and its strip.
type start struct {
	state
	strip task.Block[float64]
}

// receives reports whether this phase begins with a message from the left. Rank 0 gets one a timestep, the corner of
// the one before.
func (s *state) receives() bool { return s.rank != 0 || s.phase == 0 && s.timestep > 0 }

// sends reports whether this phase ends with a message to the right: all but the last rank's, which only sends the
// corner to rank 0.
func (s *state) sends() bool { return s.rank != s.ranks-1 || s.phase == s.phases-1 }

// advance moves to the next phase; false when there is none.
func (s *state) advance() bool {
	if s.phase++; s.phase == s.phases {
		s.phase = 0
		s.timestep++
	}
	return s.timestep < s.timesteps
}

var stateView = datablock.NewView[state]()

// describePhase says which phase a sweep EDT, whose second slot has the private block, is about to do.
func describePhase(_ []uint64, deps []datablock.Dep) string {
	if len(deps) == 0 {
		return ""
	}
	s := stateView.At(&deps[1])
	return fmt.Sprintf("rank=%d step=%d phase=%d", s.rank, s.timestep, s.phase)
}
