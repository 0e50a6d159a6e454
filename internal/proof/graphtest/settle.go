package graphtest

import (
	"slices"

	"ocr/edt"
)

// settle computes what depends on the whole plan.
func (g *generator) settle() {
	for i := range g.Nodes {
		g.draw(settling, i)
		g.insertGate(i)
		g.rehint(i)
		// Links out of an event come before the link into it: some events are gone when they have triggered.
		slices.SortStableFunc(g.Nodes[i].Links, func(a, b Link) int { return b.From - a.From })
	}
	reach := make([]int, len(g.Events))
	for i := range g.Nodes {
		g.countUses(i, reach)
	}
	g.spreadReach(reach)
	for i := range g.Nodes {
		g.settleSlots(i, reach)
	}
	for b := range g.Blocks {
		g.Blocks[b].Words = max(g.Blocks[b].Words, 1)
	}
	for e := range g.Events {
		g.draw(choosingDestroyer, e)
		g.chooseDestroyer(e)
	}
}

// rehint decides whether node i gets its hint late.
func (g *generator) rehint(i int) {
	n := &g.Nodes[i]
	n.Rehint = g.may(Places, 40) && i != 0 && !n.Finish && n.Out == none && n.Gated
}

func (g *generator) insertGate(i int) {
	n := &g.Nodes[i]
	if !n.Gated {
		return
	}
	at := g.rng.IntN(len(n.Slots) + 1)
	n.Slots = slices.Insert(n.Slots, at, Slot{Kind: fromGate, Wired: added})
	if i == 0 {
		return
	}
	for _, w := range g.Nodes[n.Parent].Children {
		for k, wire := range g.Nodes[w].Wires {
			if wire.Node == i && wire.Slot >= at {
				g.Nodes[w].Wires[k].Slot++
			}
		}
	}
}

// countUses counts node i's uses of events. It adds to reach[e] the slots of the node that event e satisfies directly.
func (g *generator) countUses(i int, reach []int) {
	n := &g.Nodes[i]
	for _, s := range n.Slots {
		if s.Kind == fromEvent {
			g.Events[s.ID].Uses++
			reach[s.ID]++
		}
	}
	for _, l := range n.Links {
		g.Events[l.From].Uses++
	}
	if n.Returns != none {
		g.Events[n.Returns].Uses++
		reach[n.Returns] += 2 // too hard to follow: the last EDT destroys the block
	}
}

// spreadReach adds the reach of each link's target to that of its source, the latest target first. Latches add none.
func (g *generator) spreadReach(reach []int) {
	var links []Link
	for i := range g.Nodes {
		links = append(links, g.Nodes[i].Links...)
	}
	slices.SortFunc(links, func(a, b Link) int { return b.To - a.To })
	for _, l := range links {
		if g.Events[l.To].Type != edt.Latch {
			reach[l.From] += reach[l.To]
		}
	}
}

func (g *generator) settleSlots(i int, reach []int) {
	n := &g.Nodes[i]
	for k := range n.Slots {
		s := &n.Slots[k]
		switch s.Payload.Kind {
		case shared:
			b := &g.Blocks[s.Payload.Block]
			s.First = n.first(k)
			if s.First && b.Kind == words {
				s.Word = b.Words
				b.Words++
			}
		case private:
			origin := s.Payload.Event
			fresh := g.Events[origin].Type == edt.Channel
			s.First = fresh || n.first(k)
			s.Consume = fresh || reach[origin] == 1
		}
	}
}

// first reports whether no earlier slot has the same block.
func (n *Node) first(k int) bool {
	return !slices.ContainsFunc(n.Slots[:k], func(t Slot) bool { return t.Payload == n.Slots[k].Payload })
}

// chooseDestroyer mostly makes an EDT destroy an event, if the event stays after its trigger and only this EDT waits
// for it.
func (g *generator) chooseDestroyer(e int) {
	ev := &g.Events[e]
	legs := len(ev.Callers)
	if ev.Output != none {
		legs++
	}
	if ev.Fed {
		legs++
	}
	if !ev.persistent() || ev.Type == edt.Channel || ev.Uses != 1 || legs != 1 || ev.Returned ||
		g.chance(30) {
		return
	}
	for i := range g.Nodes {
		for _, s := range g.Nodes[i].Slots {
			if s.Kind == fromEvent && s.ID == e {
				ev.DestroyedBy = i
				g.Nodes[i].Destroys = append(g.Nodes[i].Destroys, e)
			}
		}
	}
}

// consumed reports whether the EDT that gets the private block of event e destroys it.
func (p *Plan) consumed(e int) bool {
	if p.Events[e].Type == edt.Channel {
		return true
	}
	for i := range p.Nodes {
		for _, s := range p.Nodes[i].Slots {
			if s.Payload.Kind == private && s.Payload.Event == e {
				return s.Consume
			}
		}
	}
	return false
}
