package synchp2p

import (
	"ocr/edt"
	"ocr/task"
)

// ring writes the ranks' states, and starts EDTs that make their links: each on the rank that receives from it, as an
// event belongs to the process that makes it.
var ring = task.DefineN("synch_p2p.ring", buildRing)

// Lists of all ranks' strips and private blocks.
type (
	stripList   = task.List[task.Ref[float64]]
	privateList = task.List[task.RW[private]]
)

func buildRing(c *edt.Ctx, _ task.Nothing, setup task.RW[rankState], _ stripList, privates privateList) {
	ranks := privates.Len()
	for rank := range ranks {
		*task.Head(privates.At(rank)) = setup.Slice()[rank]
	}
	if pool := task.Rest(privates.At(0)); len(pool) > 0 {
		pool[0] = task.ReserveHeaded[message, float64](c, setup.Slice()[0].rowsPerBlock+1)
	}
	for rank := range ranks {
		privates.At(rank).Release(c)
	}
	for rank := range ranks {
		at, own, left := setup.Slice()[rank].place, privates.At(rank).Block(), privates.At((rank+ranks-1)%ranks).Block()
		link.NewAt(c, at, task.Nothing{}, own.From(), left.From())
	}
	setup.Destroy(c)
}

// link makes the event on which the first message from the left neighbour will come.
var link = task.Define2("synch_p2p.link", func(c *edt.Ctx, _ task.Nothing, own, left task.RW[private]) {
	s := task.Head(own)
	if s.channel { // a rank is never more than the phases of one timestep ahead of the next
		s.left = task.Channel[buffer](c, s.phases)
	} else {
		s.left = task.Sticky[buffer](c)
	}
	task.Head(left).right = s.left
})

// realmain creates the first EDT of each rank, when the ring is closed: rank 0's last, as only that waits for nothing.
var realmain = task.DefineN("synch_p2p.realmain", start)

func start(c *edt.Ctx, _ task.Nothing, _ task.After, strips stripList, privates privateList) {
	for rank := privates.Len() - 1; rank >= 0; rank-- {
		own, message := privates.At(rank), task.None[buffer]()
		s, pool := task.Head(own), task.Rest(own)
		switch {
		case rank > 0:
			message = s.left.From()
		case len(pool) > 0:
			message = pool[0].From()
		}
		s.create(c, own, strips.At(rank).Block(), message)
	}
}

// create creates the EDT of the rank's next phase. That may run at once, on another worker: strip and private block
// are released before and not touched again.
func (s *rankState) create(c *edt.Ctx, own task.RW[private], strip task.Block[float64], message task.Source[buffer]) {
	at, sweep := s.place, sweepSticky
	if s.channel {
		sweep = sweepChannel
	}
	own.Release(c)
	sweep.NewAt(c, at, task.Nothing{}, strip.From(), own.Block().From(), message)
}

// stopClock reads the clock when a rank has no phase left, if the time ends on that rank: the last one, which sends the
// last corner. If that is in another process, maybe on another machine, rank 0 reads its own clock when the corner has
// arrived, and the time has one message more. The private block is not touched afterwards.
func (s *rankState) stopClock(c *edt.Ctx, own task.RW[private]) {
	switch {
	case s.isLast() && !s.away:
		s.ended = now()
	case s.rank == 0 && s.away:
		at, corner := s.place, s.left.From()
		own.Release(c)
		cornerBack.NewAt(c, at, task.Nothing{}, own.Block().From(), corner)
	}
}

// cornerBack receives the last corner, which no sweep does.
var cornerBack = task.Define2("synch_p2p.corner",
	func(_ *edt.Ctx, _ task.Nothing, own task.RW[private], _ task.RW[buffer]) {
		task.Head(own).ended = now()
	})

// A collection is the parameters of the collector.
type collection struct {
	Result task.Event[outcome]
	Grid   bool // every point is compared
}

// collector puts the results of the strips and the private blocks into a block, which it passes on, and destroys what
// is left.
var collector = task.DefineN("synch_p2p.collect", collect)

func collect(c *edt.Ctx, p collection, _ task.After, strips task.List[task.RW[float64]], privates privateList) {
	ranks := privates.Len()
	head, last := task.Head(privates.At(0)), task.Head(privates.At(ranks-1))
	strip := func(rank int) []float64 { return task.Head(privates.At(rank)).points(strips.At(rank)) }

	ended := last.ended
	if head.away {
		ended = head.ended
	}
	block, out := task.Make[outcome](c, 1)
	out[0] = outcome{elapsed: ended - head.started, corners: head.corners}
	corner := strip(ranks - 1)
	out[0].corners.note(corner[len(corner)-1])
	if p.Grid {
		out[0].compare(head.rows(), last.first+last.width, head.timesteps, strip)
	}

	// Each link's event for a message that will not be sent, and what the last message to rank 0 came with.
	for rank := range ranks {
		if !head.recorded {
			task.Head(privates.At(rank)).right.Destroy(c)
		}
	}
	if head.channel {
		last.sent.Destroy(c)
	} else {
		if !head.recorded {
			head.left.Destroy(c)
		}
		for _, b := range task.Rest(privates.At(0)) {
			b.Destroy(c)
		}
	}
	for rank := range ranks {
		strips.At(rank).Destroy(c)
		privates.At(rank).Destroy(c)
	}
	p.Result.Send(c, block)
}
