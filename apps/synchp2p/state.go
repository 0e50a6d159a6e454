package synchp2p

import (
	"fmt"

	"ocr/datablock"
	"ocr/edt"
	"ocr/task"
)

// A strip's private block begins with its state. In the seed's form strip 0's block also has the pool of W buffers.
type private = task.Headed[state, task.Block[buffer]]

// A buffer is the block of a message: the head, then B+1 doubles.
type buffer = task.Headed[message, float64]

type message struct {
	next task.Event[buffer] // seed's form: will bring the next message of this link
}

// A state is what an EDT of a strip passes to the next one.
type state struct {
	strip, strips                   int
	width, first                    int // columns of the strip, grid column of its first
	rowsPerBlock, phases, timesteps int

	phase, timestep int // of the EDT that runs, or runs next

	place   edt.Affinity
	toRight edt.Affinity       // place of the right neighbour; 0 if it is that of this strip
	channel bool               // links are channels
	again   bool               // an EDT goes on as the next one; else it creates the next one
	left    task.Event[buffer] // brings the next message from the left neighbour; a channel if links are channels
	right   task.Event[buffer] // takes the next message to the right neighbour

	// Only strip 0 uses these:
	started int64   // clock at the start of the first timed timestep
	ended   int64   // clock when the last corner arrives
	corner  float64 // recorded form: after the timestep before
}

// A start is what a strip begins with: its state, and its points.
type start struct {
	state
	points task.Block[float64]
}

// receives reports whether this phase begins with a message from the left. Strip 0 receives one a timestep: the corner
// of the timestep before.
func (s *state) receives() bool { return s.strip != 0 || s.phase == 0 && s.timestep > 0 }

// sends reports whether this phase ends with a message to the right. The last strip sends only the corner, to strip 0.
func (s *state) sends() bool { return s.strip != s.strips-1 || s.phase == s.phases-1 }

// advance goes to the next phase, and reports whether there is one.
func (s *state) advance() bool {
	if s.phase++; s.phase == s.phases {
		s.phase = 0
		s.timestep++
	}
	return s.timestep < s.timesteps
}

// describePhase names the phase that a sweep EDT is about to run; its second slot has the private block.
func describePhase(_ []uint64, deps []datablock.Dep) string {
	if len(deps) == 0 {
		return ""
	}
	s := &datablock.ElementsOf[state](deps[1].Bytes())[0]
	return fmt.Sprintf("strip=%d step=%d phase=%d", s.strip, s.timestep, s.phase)
}
