package synchp2p

import (
	"fmt"

	"ocr/datablock"
	"ocr/edt"
	"ocr/task"
)

// A rank's private block begins with its state. Behind that, rank 0 has the pool of buffers, W blocks, in the sticky
// form.
type private = task.Headed[rankState, task.Block[buffer]]

// A buffer is the block of a message: a head, then B+1 doubles.
type buffer = task.Headed[message, float64]

type message struct {
	next task.Event[buffer] // sticky form: on which the next message of this link will come
}

// rankState is the state that one of a rank's EDTs passes to the next.
type rankState struct {
	rank, ranks                     int
	width, first                    int // columns of the strip, grid column of its first
	rowsPerBlock, phases, timesteps int

	phase, timestep int // of the EDT that runs, or runs next

	place    edt.Affinity
	toRight  edt.Affinity // place of the right neighbour, 0 if it is the same
	channel  bool         // the channel form
	recorded bool
	goesOn   bool               // an EDT becomes the next one, it does not create it
	left     task.Event[buffer] // brings the next message from the left neighbour; a channel in the channel form
	right    task.Event[buffer] // takes the next message to the right neighbour
	sent     task.Block[buffer] // channel form: the last message to the right; rank 0's last no EDT receives
	away     bool               // the last rank is in another process than rank 0, maybe on another machine
	ended    int64              // clock when the last rank sent the last corner, or rank 0 received it

	// Of rank 0:
	corner  float64 // recorded form: of the timestep before
	started int64   // clock at the start of the first timed timestep
}

// poolBlocks is how many buffers a rank's private block has room for.
func (c Config) poolBlocks(rank int) int {
	if rank == 0 && !c.Channels {
		return c.Phases
	}
	return 0
}

// newState is how a rank begins. Its events come later.
func (c Config) newState(ctx *edt.Ctx, rank int) rankState {
	place, toRight := placeOf(ctx, c, rank), placeOf(ctx, c, (rank+1)%c.Ranks)
	if toRight == place {
		toRight = 0
	}
	return rankState{
		rank: rank, ranks: c.Ranks,
		width: c.Width(rank), first: c.FirstColumn(rank),
		rowsPerBlock: c.RowsPerBlock, phases: c.Phases, timesteps: c.Timesteps,
		place: place, toRight: toRight, channel: c.Channels, goesOn: c.Clone == CloneAgain,
		recorded: c.Clone == CloneRecorded,
		away:     placeOf(ctx, c, c.Ranks-1).Worker() >= ctx.Workers()/ctx.Ranks(),
	}
}

// placeOf returns where the EDTs of a rank run, over the workers that have a processor of their own.
func placeOf(c *edt.Ctx, cfg Config, rank int) edt.Affinity {
	switch cfg.Place {
	case PlaceBlock:
		return c.Bind(rank * c.Places() / cfg.Ranks)
	case PlaceCyclic:
		return c.Bind(rank % c.Places())
	default:
		return edt.Affinity(0)
	}
}

func (s *rankState) rows() int { return s.rowsPerBlock*s.phases + 1 }

// isLast reports whether this is the rank that closes the ring.
func (s *rankState) isLast() bool { return s.rank == s.ranks-1 }

// sends reports whether this phase ends with a message to the right: all but the last rank's, which only sends the
// corner to rank 0.
func (s *rankState) sends() bool { return !s.isLast() || s.phase == s.phases-1 }

// receives reports whether this phase begins with a message from the left. Rank 0 gets one a timestep, the corner of
// the one before.
func (s *rankState) receives() bool { return s.rank != 0 || s.phase == 0 && s.timestep > 0 }

// advance moves to the next phase; false when there is none.
func (s *rankState) advance() bool {
	if s.phase++; s.phase == s.phases {
		s.phase = 0
		s.timestep++
	}
	return s.timestep < s.timesteps
}

var rankView = datablock.NewView[rankState]()

// describePhase says which phase a sweep EDT, whose second slot has the private block, is about to do.
func describePhase(_ []uint64, deps []datablock.Dep) string {
	if len(deps) == 0 {
		return ""
	}
	s := rankView.At(&deps[1])
	return fmt.Sprintf("rank=%d step=%d phase=%d", s.rank, s.timestep, s.phase)
}
