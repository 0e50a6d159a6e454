package synchp2p

import (
	"ocr/edt"
	"ocr/task"
)

// The EDT of one strip in one phase. Its slots are the strip's columns, its private block, and the message from the
// left.
var (
	declareSweep = task.Declare3[task.Nothing, task.RW[float64], task.RW[private], task.RW[buffer]]

	sweepSticky  = declareSweep("synch_p2p.sweep")         // every message has a sticky event
	sweepChannel = declareSweep("synch_p2p.sweep_channel") // a link is a channel event
)

func init() {
	sweepSticky.Body(stickyPhase).Template().Describe(describePhase)
	sweepChannel.Body(channelPhase).Template().Describe(describePhase)
}

// stickyPhase receives, sweeps, clones itself for the next phase and sends.
//
// The EDT makes the clone ready before it sends: a worker runs the EDT that became ready last. So the right neighbour
// runs next, on the buffer that is still in the cache, and the wavefront advances before this strip starts its next
// phase. If the EDT calls Again instead, it runs again after all EDTs that it makes ready from here on.
func stickyPhase(c *edt.Ctx, _ task.Nothing, columns task.RW[float64], own task.RW[private], received task.RW[buffer]) {
	s, msg := task.Head(own), task.Head(received)
	if s.receives() {
		s.left.Destroy(c) // its one message has come
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
		// Strip 0 writes this buffer again when the corner has come round. Only the clone orders that write after this EDT,
		// so the buffer must be released before the clone is created.
		received.Release(c)
	}
	if more := s.advance(); more || s.strip == 0 {
		next := s.left.From()
		if !s.receives() {
			next = task.Rest(own)[s.poolIndex()].From()
		}
		switch {
		case !more:
			s.awaitCorner(c, own)
		case s.again:
			sweepSticky.AgainLast(c, next)
		default:
			columns.Release(c)
			s.create(c, own, columns.Block(), next)
		}
	}
	if sends {
		received.SendTo(c, right)
	}
}

// poolIndex returns the entry of the pool that strip 0 uses in this phase, (w-t) mod W. In phase 0 this is the buffer
// that has just come round with the corner.
//
// There are W buffers, as strip 0 sends W messages a timestep without replies: all may be on their way before the last
// strip starts. They are free again when the corner has come round, as every strip has finished the timestep then.
func (s *state) poolIndex() int { return (s.phase - s.timestep%s.phases + s.phases) % s.phases }

// channelPhase receives, sweeps, sends and clones itself for the next phase.
//
// A channel delivers messages in the order of the satisfactions. The clone may run at once, on another worker, and
// send: so this EDT sends before it creates the clone. (In the seed's form each message has its own event, so the order
// does not matter.) An EDT that goes on becomes the clone at its end; it calls Again before it sends, so that the
// neighbour runs first.
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
	if sends || received.IsNull() { // the message, or, if there is none, memory for the strip's edge
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
		sweepChannel.AgainLast(c, next)
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
	case !more && s.strip == 0:
		s.awaitCorner(c, own)
	case more && !s.again:
		columns.Release(c)
		s.create(c, own, columns.Block(), next)
	}
}

// create creates the EDT of the strip's next phase, which may run at once, on another worker. So the caller has
// released the points, create releases the private block, and neither is touched after that.
func (s *state) create(c *edt.Ctx, own task.RW[private], points task.Block[float64], message task.Source[buffer]) {
	at, sweep := s.place, sweepSticky
	if s.channel {
		sweep = sweepChannel
	}
	own.Release(c)
	sweep.New(c, task.Nothing{}, points.From(), own.Block().From(), message, task.Opt{At: at})
}

// awaitCorner creates the EDT that receives the last corner, after strip 0's last phase.
func (s *state) awaitCorner(c *edt.Ctx, own task.RW[private]) {
	at, corner := s.place, s.left.From()
	own.Release(c)
	lastCorner.New(c, task.Nothing{}, own.Block().From(), corner, task.Opt{At: at})
}

// lastCorner stops the clock. It runs in the process of strip 0, which has started the clock: another process may be on
// another machine.
var lastCorner = task.Define2("synch_p2p.corner",
	func(c *edt.Ctx, _ task.Nothing, own task.RW[private], received task.RW[buffer]) {
		s := task.Head(own)
		if s.ended = now(); s.channel {
			received.Destroy(c)
		} else {
			s.left.Destroy(c)
		}
	})
