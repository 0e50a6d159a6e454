package synchp2p

import (
	"ocr/edt"
	"ocr/task"
)

// sweepSticky is one rank's work in one phase, in the seed's form: every message has a sticky event of its own. Its
// slots are the rank's columns, its private block, and the buffer from the left neighbour.
var sweepSticky = declareSweep("synch_p2p.sweep")

var declareSweep = task.Declare3[task.Nothing, task.RW[float64], task.RW[private], task.RW[buffer]]

func init() {
	sweepSticky.Body(stickyPhase).Template().Describe(describePhase)
	sweepChannel.Body(channelPhase).Template().Describe(describePhase)
}

// stickyPhase receives, sweeps, clones itself for the next phase and sends.
//
// The clone comes before the message: the EDT made ready last runs first, so the right neighbour runs next, on the
// buffer that is still in the cache, and the wavefront moves on before this rank goes deeper. An EDT that goes on
// does so after all that it makes ready from here on.
func stickyPhase(c *edt.Ctx, _ task.Nothing, columns task.RW[float64], own task.RW[private], received task.RW[buffer]) {
	strip, s, msg, edge := columns.Slice(), task.Head(own), task.Head(received), task.Rest(received)
	if s.receives() {
		s.left.Destroy(c) // it has brought this buffer, and brings no other
		s.left = msg.next
	} else if s.timestep == 0 && s.phase == 0 {
		fillPool(c, s, task.Rest(own))
	}
	s.sweep(strip, edge)

	sends, right := s.sends(), s.right
	if sends {
		if s.toRight == 0 {
			s.right = task.Sticky[buffer](c)
		} else {
			s.right = task.Sticky[buffer](c, s.toRight)
		}
		msg.next = s.right
	} else {
		// Rank 0 writes to it again when the corner comes round. The corner follows from the clone: what is released
		// later is not ordered with it.
		received.Release(c)
	}
	if s.advance() {
		next := s.left.From()
		if !s.receives() {
			next = task.Rest(own)[s.poolIndex()].From()
		}
		if s.goesOn {
			sweepSticky.Again2(c, next)
		} else {
			columns.Release(c)
			s.create(c, own, columns.Block(), next)
		}
	} else {
		s.stopClock(c, own)
	}
	if sends {
		received.SendTo(c, right)
	}
}

// fillPool makes rank 0's buffers, of which realmain made the first. Rank 0 alone begins without a message.
//
// There are W of them, as rank 0 sends W messages a timestep without replies: all may be under way at once, before the
// last rank starts. They are free again when the corner has come round: then every rank has finished the timestep. The
// seed's text says P buffers; with fewer than W, rank 0 would fill one that a neighbour has not read.
func fillPool(c *edt.Ctx, s *rankState, pool []task.Block[buffer]) {
	for k := 1; k < len(pool); k++ {
		pool[k] = task.ReserveHeaded[message, float64](c, s.rowsPerBlock+1)
	}
}

// poolIndex is the entry of the pool that rank 0 uses in this phase, (w-t) mod W. In phase 0 that is the buffer which
// has just come round with the corner.
func (s *rankState) poolIndex() int {
	return (s.phase - s.timestep%s.phases + s.phases) % s.phases
}
