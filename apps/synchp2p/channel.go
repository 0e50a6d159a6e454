package synchp2p

import (
	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// sweepChannel is one rank's work in one phase, in the later form: a link is a channel
// event, and a message is a block of B+1 doubles that the sender creates and the
// receiver destroys.
var sweepChannel *edt.Template

// The slots of a sweep EDT.
const (
	slotStrip   = iota // the rank's columns
	slotState          // the rank's private block
	slotMessage        // the message from the left neighbour
	numSlots
)

func init() {
	sweepChannel = edt.NewTemplate("synch_p2p.sweep_channel", 0, numSlots, channelPhase).Describe(describePhase)
}

// channelPhase receives, sweeps, sends and clones itself for the next phase.
//
// A channel hands messages on in the order of the satisfactions. The clone may run at
// once, on another worker, and send: it must not exist before this message is on its
// way. (In the sticky form each message has its event, and the order of the two does
// not matter.) An EDT that goes on does so at its end, and says so before it sends, so that
// the neighbour runs first.
func channelPhase(c *edt.Ctx, in edt.Args) guid.GUID {
	strip := datablock.Slice[float64](in.Dep(slotStrip))
	s := rankView.At(in.Dep(slotState))
	received := in.Dep(slotMessage)
	edge := datablock.Slice[float64](received)
	if s.rank == 0 {
		edge = sweepHead(in, strip, edge)
	} else {
		s.sweep(strip, edge)
	}
	sends, more, right := s.sends(), s.advance(), s.right.GUID
	message, next := guid.Null, guid.Null
	if sends {
		var bytes []byte
		message, bytes = c.NewBlock(edgeBytes(s.rowsPerBlock))
		copy(datablock.SliceOf[float64](bytes), edge)
		s.sent = message
		c.Release(message)
	}
	if more && s.receives() {
		next = s.left.GUID
	}
	again := more && s.goesOn
	if again {
		c.Again(edt.Change{Slot: slotMessage, Source: next})
	}
	if sends {
		c.Satisfy(right, message)
	}
	if !received.IsNull() {
		c.DestroyBlock(received.GUID())
	}
	if more && !again {
		c.Release(in.Dep(slotStrip).GUID())
		s.createChannel(c, in.Dep(slotStrip).GUID(), in.Dep(slotState).GUID(), next)
	} else if !more && s.isLast() {
		s.ended = trial.Now()
	}
	return guid.Null
}

// createChannel creates the EDT of the rank's next phase, as createSticky does.
func (s *rankState) createChannel(c *edt.Ctx, strip, state, message guid.GUID) {
	place := s.place
	c.Release(state)
	c.NewEDTAt(place, sweepChannel, nil,
		edt.From(strip, datablock.RW), edt.From(state, datablock.RW), edt.From(message, datablock.RW))
}

// sweepHead is rank 0's phase. It has no message to work in, but for the one with the
// corner; its scratch column is in the private block.
func sweepHead(in edt.Args, strip, message []float64) []float64 {
	head := in.Dep(slotState)
	h := rankView.At(head)
	corner := 0.0
	if h.receives() {
		corner = message[h.rowsPerBlock]
	}
	edge := datablock.SliceOf[float64](rankView.Rest(head))[:h.rowsPerBlock+1]
	h.sweepHead(strip, corner, edge)
	return edge
}
