package graphtest

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// The acts of a node's body, in their order.

func (x *Execution) makeObjects(c *edt.Ctx, n *Node) {
	for _, e := range n.Events {
		x.events[e] = x.newEvent(c, &x.p.Events[e])
	}
	for _, b := range n.Blocks {
		x.blocks[b] = x.newBlock(c, b)
	}
}

func (x *Execution) newEvent(c *edt.Ctx, e *Event) guid.GUID {
	switch e.Type {
	case edt.Latch:
		g := c.NewLatch(int64(e.Decrs - e.Incrs))
		for range e.Incrs {
			c.SatisfySlot(g, guid.Null, edt.Incr)
		}
		return g
	case edt.Counted:
		return c.NewCounted(e.Uses)
	case edt.Channel:
		return c.NewChannel(e.Uses)
	}
	if e.NoArg {
		return c.NewEvent(e.Type | edt.NoArg)
	}
	return c.NewEvent(e.Type)
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
		for k := range ws {
			ws[k] = tableWord(x.p.Seed, b, k)
		}
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

// makeChildren creates the node's children, and its victims, of which it returns
// those that live for a while.
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
		Params: edt.Params(uint64(len(x.p.Nodes))), Deps: x.list(v.Slots), DepCount: len(v.Slots), Output: v.Output, Finish: v.Finish,
	})
	return g
}

func (x *Execution) newNode(c *edt.Ctx, i int) guid.GUID {
	n := &x.p.Nodes[i]
	t := x.node
	if n.OwnMade {
		t = c.NewTemplate("own", len(n.Params), len(n.Slots), x.body)
		defer c.DestroyTemplate(t)
	}
	at := x.affinity(c, n)
	deps := x.list(n.Slots)
	if n.Out == none && !n.Finish && n.Priority == 0 && n.Place != dispersed && (len(deps) > 0 || n.OwnMade) {
		return c.NewEDTAt(at, t, n.Params, deps...)
	}
	spec := &edt.Spec{Params: n.Params, Deps: deps, DepCount: len(n.Slots), Finish: n.Finish}
	spec.Hint = edt.Hint{Priority: n.Priority, Affinity: at, Disperse: n.Place == dispersed}
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

func (x *Execution) affinity(c *edt.Ctx, n *Node) edt.Affinity {
	switch n.Place {
	case placed:
		return c.Place(n.Worker % c.Workers())
	case bound:
		return c.Bind(n.Worker % c.Workers())
	}
	return 0
}

// list is the dependence list of an EDT at creation: nil if all slots are open.
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
		c.AddDependence(x.events[l.From], x.events[l.To], edt.Decr, datablock.RW)
	}
}

// call satisfies an event.
func (x *Execution) call(c *edt.Ctx, i int, call Call) {
	e := &x.p.Events[call.Event]
	block := x.payload(c, i, e.Payload)
	switch {
	case call.Depend:
		c.AddDependence(block, x.events[call.Event], call.Slot, datablock.RW)
	case call.Slot == edt.Decr:
		c.Satisfy(x.events[call.Event], block)
	default:
		c.SatisfySlot(x.events[call.Event], block, call.Slot)
	}
}

// payload returns what node i passes on, making it if need be. Of two blocks one
// is released before it is passed on, one at the end of the EDT.
func (x *Execution) payload(c *edt.Ctx, i int, what Payload) guid.GUID {
	switch what.Kind {
	case empty:
		return guid.Null
	case shared:
		return x.blocks[what.Block]
	}
	g, bytes := c.NewBlock(8 * privateWords(x.p.Seed, what.Event))
	ws := datablock.SliceOf[uint64](bytes)
	for k := range ws {
		ws[k] = privateWord(x.values[i], what.Event, k)
	}
	if !x.p.consumed(what.Event) {
		x.kept[i] = append(x.kept[i], g)
	}
	if what.Event%2 == 0 {
		c.Release(g)
	}
	return g
}

// finishChildren destroys the victims and opens the gates.
func (x *Execution) finishChildren(c *edt.Ctx, n *Node, victims []guid.GUID) {
	for _, g := range victims {
		c.DestroyEDT(g)
	}
	for _, i := range n.Children {
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
