package graphtest

import (
	"cmp"
	"slices"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// These functions are what a node's body does, in this order.

func (x *Execution) makeObjects(c *edt.Ctx, n *Node) {
	for _, e := range n.Events {
		ev := &x.p.Events[e]
		x.events[e] = newEvent(c, ev.Type, ev.count(), n.eventPlace(c, e))
		for range ev.Incrs {
			c.SatisfySlot(x.events[e], guid.Null, edt.Incr)
		}
	}
	for _, b := range n.Blocks {
		x.blocks[b] = x.newBlock(c, b)
	}
}

// eventPlace is the affinity of event e of the node: an event with an odd number is placed on a rank. An event in a
// link is not placed, as the two events of a link must be on one rank.
func (n *Node) eventPlace(c *edt.Ctx, e int) edt.Affinity {
	if e%2 == 0 || slices.ContainsFunc(n.Links, func(l Link) bool { return l.From == e || l.To == e }) {
		return 0
	}
	return c.Place(e * 7 % c.Places())
}

// newEvent creates an event of any type, with an affinity. n is the number that [Event.count] describes.
func newEvent(c *edt.Ctx, typ edt.EventType, n int, at edt.Affinity) guid.GUID {
	switch typ {
	case edt.Latch:
		return c.NewLatch(int64(n), at)
	case edt.Counted:
		return c.NewCounted(n, at)
	case edt.Channel:
		return c.NewChannel(n, at)
	}
	return c.NewEvent(typ, at)
}

// count is the number with which an event is created: the initial count of a latch, the dependences of a counted event,
// or the bound of a channel, which the plan never reaches.
func (e *Event) count() int {
	switch {
	case e.Type == edt.Latch:
		return e.Decrs - e.Incrs
	case e.Unbounded:
		return edt.Unbounded
	}
	return e.Uses
}

func (x *Execution) newBlock(c *edt.Ctx, b int) guid.GUID {
	block := &x.p.Blocks[b]
	if block.Let == noAcquire {
		return c.NewBlockNoAcquire(8 * block.Words)
	}
	g, bytes := c.NewBlock(8 * block.Words)
	ws := datablock.SliceOf[uint64](bytes)
	switch block.Kind {
	case table:
		fillTable(ws, x.p.Seed, b)
	case tally:
		ws[2] = ^ws[0]
	}
	switch block.Let {
	case release:
		c.Release(g)
	case downgrade:
		c.Downgrade(g)
	}
	return g
}

// makeChildren creates the node's children and its victims. It returns the victims that it has not destroyed.
func (x *Execution) makeChildren(c *edt.Ctx, n *Node) (victims []guid.GUID) {
	for _, v := range n.Victims {
		g := x.newVictim(c, &v)
		if v.AtOnce {
			c.DestroyEDT(g)
		} else {
			victims = append(victims, g)
		}
	}
	for _, i := range n.Children {
		x.edts[i] = x.newNode(c, i)
	}
	return victims
}

func (x *Execution) newVictim(c *edt.Ctx, v *Victim) guid.GUID {
	g, _ := c.Spawn(x.node, &edt.Spec{
		Params: edt.Params(uint64(len(x.p.Nodes))), DepCount: v.Slots, Output: v.Output, Finish: v.Finish,
	})
	return g
}

func (x *Execution) newNode(c *edt.Ctx, i int) guid.GUID {
	n := &x.p.Nodes[i]
	t, params := x.node, x.params(n)
	switch {
	case n.OwnMade:
		t = c.NewTemplate("own", len(n.Params), len(n.Slots), x.body)
		defer c.DestroyTemplate(t)
	case n.Registered:
		t = cmp.Or(registered[[2]int{len(params), len(n.Slots)}], registeredAny)
	}
	at, late := edt.Affinity(0), x.rehints(n)
	if !late {
		at = x.affinity(c, i)
	}
	deps := x.list(n.Slots)
	if n.Out == none && !n.Finish && n.Priority == 0 && !late && (len(deps) > 0 || n.OwnMade) {
		return c.NewEDTAt(at, t, params, deps...)
	}
	spec := &edt.Spec{Params: params, Deps: deps, DepCount: len(n.Slots), Finish: n.Finish}
	if !late {
		spec.Hint = x.hint(c, i)
	}
	switch {
	case n.Out == none:
	case x.p.Events[n.Out].Own:
		spec.Output = true
	default:
		spec.OutputEvent = x.events[n.Out]
	}
	g, out := c.Spawn(t, spec)
	if spec.Output {
		x.events[n.Out] = out
	}
	return g
}

// rehints reports whether a node gets its hint late. Over ranks none does, as the node may be on another rank.
func (x *Execution) rehints(n *Node) bool { return n.Rehint && x.Ranks == 1 }

// worker is the worker on which node i is placed.
func (x *Execution) worker(c *edt.Ctx, i int) int { return x.p.Nodes[i].Worker % c.Workers() }

func (x *Execution) affinity(c *edt.Ctx, i int) edt.Affinity {
	switch x.p.Nodes[i].Place {
	case placed:
		return c.Place(x.worker(c, i))
	case bound:
		return c.Bind(x.worker(c, i))
	}
	return 0
}

func (x *Execution) hint(c *edt.Ctx, i int) edt.Hint {
	n := &x.p.Nodes[i]
	return edt.Hint{Priority: n.Priority, Affinity: x.affinity(c, i)}
}

// list is the dependence list of an EDT at its creation: nil if all slots are open.
func (x *Execution) list(slots []Slot) []edt.Source {
	var deps []edt.Source
	any := false
	for _, s := range slots {
		d := edt.Open
		if s.Wired == listed && s.Kind != fromGate {
			d, any = edt.From(x.guid(s), s.Mode), true
		}
		deps = append(deps, d)
	}
	if !any {
		return nil
	}
	return deps
}

func (x *Execution) guid(s Slot) guid.GUID {
	switch s.Kind {
	case fromBlock:
		return x.blocks[s.ID]
	case fromEvent:
		return x.events[s.ID]
	}
	return guid.Null
}

func (x *Execution) wire(c *edt.Ctx, n *Node) {
	for _, i := range n.Children {
		for k, s := range x.p.Nodes[i].Slots {
			if s.Wired == added && s.Kind != fromGate {
				c.AddDependence(x.guid(s), x.edts[i], k, s.Mode)
			}
		}
	}
	for _, w := range n.Wires {
		s := x.p.Nodes[w.Node].Slots[w.Slot]
		c.AddDependence(x.guid(s), x.edts[w.Node], w.Slot, s.Mode)
	}
	for _, l := range n.Links {
		c.AddDependence(x.events[l.From], x.events[l.To], l.Slot, datablock.RW)
	}
}

// call satisfies an event. If the node holds the block, it passes the block on in three of four cases.
func (x *Execution) call(c *edt.Ctx, i int, in edt.Args, call Call) {
	e := &x.p.Events[call.Event]
	block := x.payload(c, i, e.Payload)
	if call.Block != none {
		block = x.blocks[call.Block]
	}
	switch {
	case call.Depend:
		c.AddDependence(block, x.events[call.Event], call.Slot, datablock.RW)
	case call.Slot == edt.Decr:
		switch k := heldOn(in, block); {
		case k >= 0 && call.Event%4 == 1:
			c.PassDep(x.events[call.Event], in.Dep(k))
			return
		case k >= 0 && call.Event%4 != 0:
			c.Pass(x.events[call.Event], k)
			return
		}
		c.Satisfy(x.events[call.Event], block)
	default:
		c.SatisfySlot(x.events[call.Event], block, call.Slot)
	}
}

// heldOn returns the slot on which an EDT holds a block, -1 if it does not hold it.
func heldOn(in edt.Args, block guid.GUID) int {
	for k := range in.Deps() {
		if d := in.Dep(k); !block.IsNull() && d.GUID() == block && d.Bytes() != nil {
			return k
		}
	}
	return -1
}

// payload returns the block with which node i satisfies an event, and creates it if necessary. Every other created
// block is released at once, the others at the end of the EDT.
func (x *Execution) payload(c *edt.Ctx, i int, what Payload) guid.GUID {
	switch what.Kind {
	case empty:
		return guid.Null
	case shared:
		return x.blocks[what.Block]
	}
	g, bytes := c.NewBlock(8 * privateWords(x.p.Seed, what.Event))
	fillPrivate(datablock.SliceOf[uint64](bytes), x.values[i], what.Event)
	if !x.p.consumed(what.Event) {
		x.kept[i] = append(x.kept[i], g)
	}
	if what.Event%2 == 0 {
		c.Release(g)
	}
	return g
}

// finishChildren destroys the victims, sets late hints, and satisfies the gates.
func (x *Execution) finishChildren(c *edt.Ctx, n *Node, victims []guid.GUID) {
	for _, g := range victims {
		c.DestroyEDT(g)
	}
	for _, i := range n.Children {
		if x.rehints(&x.p.Nodes[i]) {
			c.SetHint(x.edts[i], x.hint(c, i))
		}
		for k, s := range x.p.Nodes[i].Slots {
			if s.Kind == fromGate {
				c.AddDependence(guid.Null, x.edts[i], k, datablock.RO)
			}
		}
	}
}

func (x *Execution) result(c *edt.Ctx, i int) guid.GUID {
	n := &x.p.Nodes[i]
	switch {
	case n.Returns != none:
		return x.events[n.Returns]
	case n.Out == none || n.Finish:
		return guid.Null
	}
	return x.payload(c, i, x.p.Events[n.Out].Payload)
}
