package synchp2p

import (
	"ocr/edt"
	"ocr/task"
)

// sweepChannel is one rank's work in one phase, in the later form: a link is a channel event, and a message is a
// block that the sender creates and the receiver destroys.
var sweepChannel = declareSweep("synch_p2p.sweep_channel")

// channelPhase receives, sweeps, sends and clones itself for the next phase.
//
// A channel passes messages on in the order of the satisfactions. The clone may run at once, on another worker, and
// send: it is created after this message is sent. (In the sticky form each message has its event, so the order does not
// matter.) An EDT that goes on does so at its end; it calls Again before it sends, so that the neighbour runs first.
func channelPhase(
	c *edt.Ctx, _ task.Nothing, columns task.RW[float64], own task.RW[private], received task.RW[buffer],
) {
	s := task.Head(own)
	strip := s.points(columns)
	scratch := columns.Slice()[len(strip):]
	edge := scratch
	if s.receives() {
		edge = task.Rest(received)
	}
	if s.rank == 0 {
		copy(scratch, edge)
		edge = scratch
	}
	s.sweep(strip, edge)

	sends, more, right := s.sends(), s.advance(), s.right
	var sent task.Block[buffer]
	if sends {
		var values []float64
		sent, _, values = task.MakeHeaded[message, float64](c, s.rowsPerBlock+1)
		copy(values, edge)
		sent.Release(c)
		s.sent = sent
	}
	next := task.None[buffer]()
	if s.receives() {
		next = s.left.From()
	}
	again := more && s.goesOn
	if again {
		sweepChannel.Again2(c, next)
	}
	if sends {
		right.Pass(c, sent)
	}
	if !received.IsNull() {
		received.Destroy(c)
	}
	if more && !again {
		columns.Release(c)
		s.create(c, own, columns.Block(), next)
	} else if !more {
		s.stopClock(c, own)
	}
}
