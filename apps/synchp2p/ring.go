package synchp2p

import (
	"ocr/edt"
	"ocr/task"
)

// linkRing makes the events on which the first messages come: each on the process of the rank that receives from it.
func linkRing(c *edt.Ctx, states []rankState) {
	for rank := range states {
		s, left := &states[rank], &states[(rank+len(states)-1)%len(states)]
		if s.channel { // a rank is never more than the phases of one timestep ahead of the next
			s.left = task.Channel[buffer](c, s.phases, s.place)
		} else {
			s.left = task.Sticky[buffer](c, s.place)
		}
		left.right = s.left
	}
}

// Lists of all ranks' strips and private blocks.
type (
	stripList   = task.List[task.Ref[float64]]
	privateList = task.List[task.RW[private]]
)

// realmain writes the ranks' states, and creates the first EDT of each: rank 0's last, as only that waits for nothing.
var realmain = task.DefineN("synch_p2p.realmain", start)

func start(c *edt.Ctx, _ task.Nothing, setup task.RW[rankState], strips stripList, privates privateList) {
	for rank := privates.Len() - 1; rank >= 0; rank-- {
		own, first := privates.At(rank), task.None[buffer]()
		s, pool := task.Head(own), task.Rest(own)
		*s = setup.Slice()[rank]
		switch {
		case rank > 0:
			first = s.left.From()
		case len(pool) > 0:
			pool[0] = task.ReserveHeaded[message, float64](c, s.rowsPerBlock+1)
			first = pool[0].From()
		}
		s.create(c, own, strips.At(rank).Block(), first)
	}
	setup.Destroy(c)
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

// collector puts the results of the strips and the private blocks into a block, which it passes on, and destroys what
// is left.
var collector = task.DefineN("synch_p2p.collect", collect)

func collect(c *edt.Ctx, result task.Event[outcome], _ task.After, strips task.List[task.RW[float64]],
	privates privateList) {
	ranks := privates.Len()
	head, last := task.Head(privates.At(0)), task.Head(privates.At(ranks-1))
	ended := last.ended
	if head.away {
		ended = head.ended
	}
	block, out := task.Make[outcome](c, 1)
	out[0].elapsed = ended - head.started
	out[0].compare(head.rows(), last.first+last.width, head.timesteps,
		func(rank int) []float64 { return strips.At(rank).Slice() })

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
	result.Send(c, block)
}
