package synchp2p

import (
	"ocr/edt"
	"ocr/task"
)

// The EDT of one rank in one phase. Its slots are the rank's columns, its private block, and the message from the left.
var (
	declareSweep = task.Declare3[task.Nothing, task.RW[float64], task.RW[private], task.RW[buffer]]

	sweepSticky  = declareSweep("synch_p2p.sweep")         // every message has a sticky event of its own
	sweepChannel = declareSweep("synch_p2p.sweep_channel") // a link is a channel event
)

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
	s, msg := task.Head(own), task.Head(received)
	if s.receives() {
		s.left.Destroy(c) // it has brought this buffer, and brings no other
		s.left = msg.next
	}
	s.sweep(columns.Slice(), task.Rest(received))

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
	if more := s.advance(); more || s.rank == 0 {
		next := s.left.From()
		if !s.receives() {
			next = task.Rest(own)[s.poolIndex()].From()
		}
		switch {
		case !more:
			s.awaitCorner(c, own)
		case s.again:
			sweepSticky.Again2(c, next)
		default:
			columns.Release(c)
			s.create(c, own, columns.Block(), next)
		}
	}
	if sends {
		received.SendTo(c, right)
	}
}

// poolIndex is the entry of the pool that rank 0 uses in this phase, (w-t) mod W. In phase 0 that is the buffer which
// has just come round with the corner.
//
// There are W buffers, as rank 0 sends W messages a timestep without replies: all may be under way at once, before the
// last rank starts. They are free again when the corner has come round: then every rank has finished the timestep. The
// seed's text says P buffers; with fewer than W, rank 0 would fill one that a neighbour has not read.
func (s *state) poolIndex() int { return (s.phase - s.timestep%s.phases + s.phases) % s.phases }

// channelPhase receives, sweeps, sends and clones itself for the next phase.
//
// A channel passes messages on in the order of the satisfactions. The clone may run at once, on another worker, and
// send: it is created after this message is sent. (In the seed's form each message has its event, so the order does not
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
	more, right, next := s.advance(), s.right, task.None[buffer]()
	if s.receives() {
		next = s.left.From()
	}
	if more && s.again {
		sweepChannel.Again2(c, next)
	}
	if sends {
		right.Send(c, sent)
	} else if !sent.IsNull() {
		sent.Destroy(c)
	}
	if !received.IsNull() {
		received.Destroy(c)
	}
	switch {
	case !more && s.rank == 0:
		s.awaitCorner(c, own)
	case more && !s.again:
		columns.Release(c)
		s.create(c, own, columns.Block(), next)
	}
}

// create creates the EDT of the rank's next phase. That may run at once, on another worker: strip and private block are
// released before and not touched again.
func (s *state) create(c *edt.Ctx, own task.RW[private], strip task.Block[float64], message task.Source[buffer]) {
	at, sweep := s.place, sweepSticky
	if s.channel {
		sweep = sweepChannel
	}
	own.Release(c)
	sweep.New(c, task.Nothing{}, strip.From(), own.Block().From(), message, task.Opt{At: at})
}

// awaitCorner creates the EDT that receives the last corner, after rank 0's last phase.
func (s *state) awaitCorner(c *edt.Ctx, own task.RW[private]) {
	at, corner := s.place, s.left.From()
	own.Release(c)
	lastCorner.New(c, task.Nothing{}, own.Block().From(), corner, task.Opt{At: at})
}

// lastCorner stops the clock, which is that of rank 0: another rank may be in a process on another machine.
var lastCorner = task.Define2("synch_p2p.corner",
	func(c *edt.Ctx, _ task.Nothing, own task.RW[private], received task.RW[buffer]) {
		s := task.Head(own)
		if s.ended = now(); s.channel {
			received.Destroy(c)
		} else {
			s.left.Destroy(c)
		}
	})
