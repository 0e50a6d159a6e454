package cg

import (
	"ocr/edt"
	"ocr/task"
)

// A slabBlock has a slab and, before it, what its tasks leave to each other. It stays on the rank of its tasks.
type slabBlock = task.Headed[head, float64]

type head struct {
	Size   int
	At     edt.Affinity
	Link   link
	Result task.Event[slabBlock]

	// Planes of the residual that slabs exchange. Each is in a block, written by one slab and read by another.
	First, Last  task.Block[float64] // of this slab
	Below, Above task.Block[float64] // of the neighbours
}

// A link connects a slab with the sums, or the sums of a rank with those that it is part of.
type link struct {
	Control task.Event[scalars] // channel of a slab: goes on with these scalars
	Sum     channel             // takes parts of the sum that is next, in a block that the sum destroys
	Last    bool                // it takes a part that says that all is done, too
}

type channel = task.Event[part]

// A part is parts of a sum, in the order of the slabs.
type part = task.Headed[sender, float64]

type sender struct {
	Reply task.Event[scalars] // brings the scalars that follow from the sum
	Done  bool                // nothing more comes
}

// where says which slab an EDT works on.
type where struct{ Slab int }

// sumOf says which sum an EDT makes: of the residual, or else of p*q.
type sumOf struct{ Residual bool }

// An iteration is advance and direct for each slab, and a sum behind both. Every sum waits for all slabs, and all
// slabs for it, so no EDT writes a block that another one reads at that time. A slab releases all that it shares before
// it goes to the sum: a later release would be in no order with what follows.
var (
	advanceTask = task.Declare4[where, ownSlot, task.RW[float64], task.RW[float64], controlSlot]("cg.advance")
	directTask  = task.Declare4[where, ownSlot, task.RO[float64], task.RO[float64], controlSlot]("cg.direct")
	sumTask     = task.DeclareN[sumOf, task.RW[scalars], task.RO[part], task.RO[channel]]("cg.sum")
	gatherTask  = task.DeclareN[task.Nothing, task.RO[members], task.RO[part], task.After]("cg.gather")
)

// The first and the last slot of a slab's tasks.
type (
	ownSlot     = task.RW[slabBlock]
	controlSlot = task.RO[scalars]
)

// members is the channels that an EDT takes parts from, behind the link by which it sends them on.
type members = task.Headed[link, channel]

func init() {
	advanceTask.Body(advance)
	directTask.Body(direct)
	sumTask.Body(sum)
	gatherTask.Body(gather)
}

// advance does the first half of an iteration for a slab, and shows its outer planes to the neighbours.
func advance(c *edt.Ctx, p where, own ownSlot, first, last task.RW[float64], control controlSlot) {
	h := task.Head(own)
	s := slabOf(task.Rest(own), h.Size)
	part := s.advance(control.Slice()[0].Alpha)
	control.Release(c)
	publish(c, first, s.first())
	publish(c, last, s.last())
	directTask.NewAt(c, h.At, p, own.Block().From(), orNone(h.Below), orNone(h.Above), h.Link.Control.From())
	addTo(c, own, part)
}

// addTo releases a slab, and sends its part to the sum.
func addTo(c *edt.Ctx, own ownSlot, part float64) {
	l := task.Head(own).Link
	own.Release(c)
	l.send(c, sender{Reply: l.Control}, part)
}

func (l link) send(c *edt.Ctx, from sender, parts ...float64) {
	block, head, to := task.MakeHeaded[sender, float64](c, len(parts))
	*head = from
	copy(to, parts)
	l.Sum.Send(c, block)
}

// publish copies a plane into the block that a neighbour reads, if there is one.
func publish(c *edt.Ctx, to task.RW[float64], plane []float64) {
	if !to.IsNull() {
		copy(to.Slice(), plane)
		to.Release(c)
	}
}

// direct does the second half, or, when all is done, passes the slab on as the result.
func direct(c *edt.Ctx, p where, own ownSlot, below, above task.RO[float64], control controlSlot) {
	h, k := task.Head(own), &control.Slice()[0]
	if k.Done {
		if h.Link.Last {
			h.Link.send(c, sender{Done: true}, 0)
		}
		for _, plane := range []task.RO[float64]{below, above} {
			if !plane.IsNull() {
				plane.Destroy(c)
			}
		}
		own.SendTo(c, h.Result)
		return
	}
	s := slabOf(task.Rest(own), h.Size)
	part := s.direct(k.Beta, below.Slice(), above.Slice())
	control.Release(c)
	for _, plane := range []task.RO[float64]{below, above} {
		if !plane.IsNull() {
			plane.Release(c)
		}
	}
	advanceTask.NewAt(c, h.At, p, own.Block().From(), orNone(h.First), orNone(h.Last), h.Link.Control.From())
	addTo(c, own, part)
}

// sum adds the slabs' parts in the order of the slabs, whichever came first, and lets the slabs go on.
func sum(c *edt.Ctx, p sumOf, control task.RW[scalars], parts task.List[task.RO[part]],
	from task.List[task.RO[channel]]) {
	k, total := &control.Slice()[0], 0.0
	var replies []task.Event[scalars]
	for i := range parts.Len() {
		for _, v := range task.Rest(parts.At(i)) {
			total += v
		}
		replies = append(replies, task.Head(parts.At(i)).Reply)
		parts.At(i).Destroy(c)
	}
	if p.Residual {
		k.residual(total)
	} else {
		k.curvature(total)
	}
	if channels := from.At(0); k.Done {
		destroy(c, channels.Slice())
		channels.Destroy(c)
	} else {
		newSum(c, task.Opt{}, sumOf{!p.Residual}, control.Block(), channels.Block(), channels.Slice())
	}
	control.Release(c)
	for _, r := range replies {
		r.Pass(c, control.Block())
	}
}

// newSum makes the EDT of a sum, for which each member satisfies its channel.
func newSum(c *edt.Ctx, o task.Opt, p sumOf, control task.Block[scalars], list task.Block[channel], from []channel) {
	sumTask.NewWith(c, o, p, control.From(), sources(from), []task.Source[channel]{list.From()})
}

// gather sends on what slabs of its rank and EDTs of others send to a sum. The event that replies to that goes on to
// their events.
func gather(c *edt.Ctx, p task.Nothing, own task.RO[members], parts task.List[task.RO[part]], _ task.List[task.After]) {
	l, from := task.Head(own), task.Rest(own)
	to := sender{Done: task.Head(parts.At(0)).Done}
	if to.Done {
		destroy(c, from)
	} else {
		to.Reply = task.Counted[scalars](c, parts.Len())
		gatherTask.Again(c, p, task.Source[members]{}, sources(from), nil)
	}
	var all []float64
	for i := range parts.Len() {
		if !to.Done {
			task.Head(parts.At(i)).Reply.Port().Connect(c, to.Reply.From())
		}
		all = append(all, task.Rest(parts.At(i))...)
		parts.At(i).Destroy(c)
	}
	if !to.Done || l.Last {
		l.send(c, to, all...)
	}
	if to.Done {
		own.Destroy(c)
	}
}

func sources(channels []channel) (all []task.Source[part]) {
	for _, e := range channels {
		all = append(all, e.From())
	}
	return all
}

func destroy(c *edt.Ctx, channels []channel) {
	for _, e := range channels {
		e.Destroy(c)
	}
}

// A system is the blocks that the graph is made on. The EDT that makes it holds the slabs.
type system struct {
	control task.Block[scalars]
	slabs   []task.Block[slabBlock]
	heads   []*head
}

// buildGraph links slabs and makes their first tasks, and the first sum. It returns the events that bring the
// slabs with the result. A slab prefers one worker for all its tasks, and neighbours prefer the same one or the next.
func buildGraph(c *edt.Ctx, s system, ranks [][]int) (results []task.Event[slabBlock]) {
	n := len(s.slabs)
	for i, h := range s.heads {
		h.Result = task.Counted[slabBlock](c, 1)
		if i > 0 {
			h.Below = s.heads[i-1].Last
		}
		if i < n-1 {
			h.Above = s.heads[i+1].First
		}
		results = append(results, h.Result)
	}
	var o task.Opt
	if len(ranks) > 1 {
		o.At = s.heads[middle(ranks)[0]].At
	}
	from := s.link(c, ranks, false)
	list := task.Of(c, from...)
	list.Release(c)
	newSum(c, o, sumOf{Residual: true}, s.control, list, from)
	for i, block := range s.slabs {
		h := *s.heads[i]
		block.Release(c)
		advanceTask.NewAt(c, h.At, where{i}, block.From(), orNone(h.First), orNone(h.Last), s.control.From())
	}
	return results
}

// middle is the slabs of that rank of some which adds up the sums of all.
func middle(ranks [][]int) []int { return ranks[(len(ranks)-1)/2] }

// link returns the channels of the sums of some ranks, which the slabs of the middle one use, and an EDT for the ranks
// on each side: so they are a tree.
func (s system) link(c *edt.Ctx, ranks [][]int, last bool) (from []channel) {
	half, at := (len(ranks)-1)/2, s.heads[middle(ranks)[0]].At
	side := func(ranks [][]int) {
		if len(ranks) == 0 {
			return
		}
		parts, place := s.link(c, ranks, true), s.heads[middle(ranks)[0]].At
		own, l, to := task.MakeHeaded[link, channel](c, len(parts))
		*l = link{Sum: task.Channel[part](c, 1, at), Last: last}
		copy(to, parts)
		from = append(from, l.Sum)
		own.Release(c)
		gatherTask.NewWith(c, task.Opt{At: place}, task.Nothing{}, own.From(), sources(parts), nil)
	}
	side(ranks[:half])
	for _, i := range middle(ranks) {
		h := s.heads[i]
		h.Link = link{task.Channel[scalars](c, 1, h.At), task.Channel[part](c, 1, at), last}
		from = append(from, h.Link.Sum)
	}
	side(ranks[half+1:])
	return from
}

// orNone is the source of a block, or of nothing at an end of the grid.
func orNone(b task.Block[float64]) task.Source[float64] {
	if b.IsNull() {
		return task.None[float64]()
	}
	return b.From()
}
