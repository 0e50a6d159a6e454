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
