package synchp2p

import (
	"fmt"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// The slots of a sweep EDT.
const (
	slotStrip   = iota // the rank's columns
	slotState          // the rank's private block
	slotMessage        // the buffer from the left neighbour
	numSlots
)

// sweepSticky is one rank's work in one phase, in the seed's form: every message
// has a sticky event of its own. Its body names it, to clone itself, so it is set
// in an init function.
var sweepSticky *edt.Template

func init() {
	sweepSticky = edt.NewTemplate("synch_p2p.sweep", 0, numSlots, stickyPhase).Describe(describePhase)
}

// describePhase says which phase a sweep EDT is about to do.
func describePhase(_ []uint64, deps []datablock.Dep) string {
	if len(deps) == 0 {
		return ""
	}
	s := rankView.At(&deps[slotState])
	return fmt.Sprintf("rank=%d step=%d phase=%d", s.rank, s.timestep, s.phase)
}

// stickyPhase receives, sweeps, clones itself for the next phase and sends.
//
// The clone comes before the message: what is made ready last runs first, so the
// right neighbour runs next, on the buffer that is still in the cache, and the
// wavefront moves on before this rank goes deeper. An EDT that goes on does so after all
// that it makes ready from here on.
func stickyPhase(c *edt.Ctx, in edt.Args) guid.GUID {
	deps := in.Deps()[:numSlots]
	head, buffer := &deps[slotState], &deps[slotMessage]
	strip, s, msg := datablock.Slice[float64](&deps[slotStrip]), rankView.At(head), messageView.At(buffer)
	edge := datablock.Slice[float64](buffer)[messagePoints:]

	if s.receives() {
		c.DestroyEvent(s.left) // it has brought this buffer, and brings no other
		s.left = msg.next
	}
	if s.rank == 0 {
		if s.isFirst() {
			fillPool(c, head, buffer.GUID())
		}
		headView.At(head).sweep(strip, edge[s.rowsPerBlock], edge)
	} else {
		s.sweep(strip, edge)
	}

	sends, right := s.sends(), s.right
	if sends {
		s.right = c.NewEvent(edt.Sticky)
		msg.next = s.right
	} else {
		// Rank 0 writes to it again when the corner comes round. The corner
		// follows from the clone: what is released later is not ordered with it.
		c.Release(buffer.GUID())
	}
	if s.advance() {
		next := s.left
		if !s.receives() {
			next = *poolEntry(head, s.poolIndex())
		}
		if s.goesOn {
			c.Again(edt.Change{Slot: slotMessage, Source: next})
		} else {
			s.create(c, sweepSticky, deps[slotStrip].GUID(), head.GUID(), next)
		}
	} else if s.isLast() {
		s.ended = trial.Now()
	}
	if sends {
		c.Pass(right, slotMessage)
	}
	return guid.Null
}

// fillPool makes rank 0's buffers, of which main made the first.
//
// There are W of them, as rank 0 sends W messages a timestep and nothing tells it
// how far they got: they may all be under way at once, when the last rank has yet
// to start. They are free again when the corner has come round, for then every
// rank has finished the timestep. The seed's text says P buffers; with fewer than
// W, rank 0 would fill one that a neighbour has not read.
func fillPool(c *edt.Ctx, head *datablock.Dep, first guid.GUID) {
	h := headView.At(head)
	*poolEntry(head, 0) = first
	for k := 1; k < h.phases; k++ {
		*poolEntry(head, k) = c.NewBlockNoAcquire(bufferBytes(h.rowsPerBlock))
	}
}

// poolIndex is the entry of the pool that rank 0 uses in this phase, (w-t) mod W.
// In phase 0 that is the buffer which has just come round with the corner.
func (s *rankState) poolIndex() int {
	return (s.phase - s.timestep%s.phases + s.phases) % s.phases
}
