package synchp2p

import (
	"ocr/edt"
	"ocr/task"
)

// realmain builds the ring, of the first buffer, the ranks' strips, and their private blocks.
var realmain = task.DefineN("synch_p2p.realmain", buildRing)

// buildRing makes the links and then the first EDT of each rank. Rank 0's is the only one with nothing to wait for:
// it comes last, when the ring is closed.
func buildRing(c *edt.Ctx, _ task.Nothing, first task.RW[buffer], strips task.List[task.Ref[float64]], privates task.List[task.RW[private]]) {
	ranks := privates.Len()
	for rank := range ranks {
		s := task.Head(privates.At(rank))
		if s.channel { // a rank is never more than the phases of one timestep ahead of the next
			s.right = task.Channel[buffer](c, s.phases)
		} else {
			s.right = task.Sticky[buffer](c)
		}
		task.Head(privates.At((rank + 1) % ranks)).left = s.right
	}
	for rank := ranks - 1; rank > 0; rank-- {
		own := privates.At(rank)
		s := task.Head(own)
		s.create(c, own, strips.At(rank).Block(), s.left.From())
	}
	message := task.None[buffer]()
	if !first.IsNull() {
		message = first.Block().From()
		first.Release(c) // rank 0's first EDT writes to it
	}
	head := privates.At(0)
	task.Head(head).create(c, head, strips.At(0).Block(), message)
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

// A collection is what the collector is given.
type collection struct {
	Result    task.Event[outcome]
	CheckGrid bool
}

// collector puts the results of the strips and the private blocks into a block, which it passes on, and destroys what
// is left.
var collector = task.DefineN("synch_p2p.collect", collect)

func collect(c *edt.Ctx, p collection, _ task.After, strips task.List[task.RW[float64]], privates task.List[task.RW[private]]) {
	ranks := privates.Len()
	head, last := task.Head(privates.At(0)), task.Head(privates.At(ranks-1))
	strip := func(rank int) []float64 { return task.Head(privates.At(rank)).points(strips.At(rank)) }

	block, out := task.Make[outcome](c, 1)
	out[0] = outcome{elapsed: last.ended - head.started, corners: head.corners}
	corner := strip(ranks - 1)
	out[0].corners.note(corner[len(corner)-1])
	if p.CheckGrid {
		out[0].compare(head.rows(), last.first+last.width, head.timesteps, strip)
	}

	// Each link's event for a message that will not be sent, and what the last message to rank 0 came with.
	for rank := range ranks {
		task.Head(privates.At(rank)).right.Destroy(c)
	}
	if head.channel {
		last.sent.Destroy(c)
	} else {
		head.left.Destroy(c)
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
