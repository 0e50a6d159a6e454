package cg

import (
	"slices"

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

// A controlBlock has the scalars of the method, and a link for each slab.
type controlBlock = task.Headed[scalars, link]

// A link connects a slab with the sums.
type link struct {
	Control task.Event[controlBlock] // channel: goes on with these scalars
	Sum     task.Event[float64]      // channel: its part of the sum that is next, in a block that the sum destroys
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
	sumTask     = task.DeclareN[sumOf, task.RW[controlBlock], task.RO[float64], task.After]("cg.sum")
)

// The first and the last slot of a slab's tasks.
type (
	ownSlot     = task.RW[slabBlock]
	controlSlot = task.RO[controlBlock]
)

func init() {
	advanceTask.Body(advance)
	directTask.Body(direct)
	sumTask.Body(sum)
}

// advance does the first half of an iteration for a slab, and shows its outer planes to the neighbours.
func advance(c *edt.Ctx, p where, own ownSlot, first, last task.RW[float64], control controlSlot) {
	h := task.Head(own)
	s := slabOf(task.Rest(own), h.Size)
	part := s.advance(task.Head(control).Alpha)
	control.Release(c)
	publish(c, first, s.first())
	publish(c, last, s.last())
	directTask.NewAt(c, h.At, p, own.Block().From(), orNone(h.Below), orNone(h.Above), h.Link.Control.From())
	addTo(c, own, part)
}

// addTo releases a slab, and sends its part to the sum.
func addTo(c *edt.Ctx, own ownSlot, part float64) {
	to := task.Head(own).Link.Sum
	own.Release(c)
	block, word := task.Make[float64](c, 1)
	word[0] = part
	to.Send(c, block)
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
	h, k := task.Head(own), task.Head(control)
	if k.Done {
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
func sum(c *edt.Ctx, p sumOf, control task.RW[controlBlock], parts task.List[task.RO[float64]],
	_ task.List[task.After]) {
	k, links, total := task.Head(control), slices.Clone(task.Rest(control)), 0.0
	for i := range parts.Len() {
		total += parts.At(i).Slice()[0]
		parts.At(i).Destroy(c)
	}
	if p.Residual {
		k.residual(total)
	} else {
		k.curvature(total)
	}
	if !k.Done {
		newSum(c, sumOf{!p.Residual}, control.Block(), links)
	}
	control.Release(c)
	for _, l := range links {
		l.Control.Pass(c, control.Block())
	}
}

// newSum makes the EDT of a sum, for which each slab satisfies its channel.
func newSum(c *edt.Ctx, p sumOf, control task.Block[controlBlock], links []link) {
	parts := make([]task.Source[float64], len(links))
	for i, l := range links {
		parts[i] = l.Sum.From()
	}
	sumTask.New(c, p, control.From(), parts, nil)
}

// A system is the blocks that the graph is made on. The EDT that makes it holds the slabs and the control block.
type system struct {
	control task.Block[controlBlock]
	links   []link
	slabs   []task.Block[slabBlock]
	heads   []*head
}

// buildGraph links slabs and makes their first tasks, and the first sum. It returns the events that bring the
// slabs with the result. A slab prefers one worker for all its tasks, and neighbours prefer the same one or the next.
func buildGraph(c *edt.Ctx, s system) (results []task.Event[slabBlock]) {
	n := len(s.slabs)
	for i, h := range s.heads {
		h.Result = task.Counted[slabBlock](c, 1)
		s.links[i] = link{task.Channel[controlBlock](c, 1, h.At), task.Channel[float64](c, 1)}
		h.Link = s.links[i]
		if i > 0 {
			h.Below = s.heads[i-1].Last
		}
		if i < n-1 {
			h.Above = s.heads[i+1].First
		}
		results = append(results, h.Result)
	}
	newSum(c, sumOf{Residual: true}, s.control, s.links)
	s.control.Release(c)
	for i, block := range s.slabs {
		h := *s.heads[i]
		block.Release(c)
		advanceTask.NewAt(c, h.At, where{i}, block.From(), orNone(h.First), orNone(h.Last), s.control.From())
	}
	return results
}

// orNone is the source of a block, or of nothing at an end of the grid.
func orNone(b task.Block[float64]) task.Source[float64] {
	if b.IsNull() {
		return task.None[float64]()
	}
	return b.From()
}
