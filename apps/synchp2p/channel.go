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
	var edge []float64
	var sent task.Block[buffer]
	s := task.Head(own)
	if !received.IsNull() {
		edge = task.Rest(received)
	}
	sends := s.sends()
	if sends || received.IsNull() { // the block is the message, or memory for the edge of a strip without one
		made, _, values := task.MakeHeaded[message, float64](c, s.rowsPerBlock+1)
		copy(values, edge)
		edge, sent = values, made
	}
	s.sweep(columns.Slice(), edge)
	if sends {
		sent.Release(c)
		s.sent = sent
	} else if !sent.IsNull() {
		sent.Destroy(c)
	}
	more, right, next := s.advance(), s.right, task.None[buffer]()
	if s.receives() {
		next = s.left.From()
	}
	if more && s.goesOn {
		sweepChannel.Again2(c, next)
	}
	if sends {
		right.Pass(c, sent)
	}
	if !received.IsNull() {
		received.Destroy(c)
	}
	switch {
	case !more:
		s.stopClock(c, own)
	case !s.goesOn:
		columns.Release(c)
		s.create(c, own, columns.Block(), next)
	}
}
