package graphtest

import (
	"math/rand/v2"
	"slices"

	"ocr/datablock"
	"ocr/edt"
)

// Generate makes the plan of a seed, with so many nodes.
func Generate(seed uint64, nodes int) *Plan {
	g := &generator{rng: rand.New(rand.NewPCG(seed, 77)), Plan: &Plan{Seed: seed}}
	g.grow(none, max(nodes, 1))
	g.Nodes[0].Finish, g.Nodes[0].Gated = true, true
	for i := 1; i < len(g.Nodes); i++ {
		g.sources(i)
	}
	for i := range g.Nodes {
		g.victims(i)
	}
	g.settle()
	return g.Plan
}

type generator struct {
	*Plan
	rng *rand.Rand
}

func (g *generator) chance(percent int) bool { return g.rng.IntN(100) < percent }

// grow makes a subtree of n nodes.
func (g *generator) grow(parent, n int) {
	id := len(g.Nodes)
	g.Nodes = append(g.Nodes, Node{
		Parent: parent, Out: none, Returns: none,
		Place: Placing(g.rng.IntN(4)), Worker: g.rng.IntN(64),
		OwnMade: g.chance(20), Finish: g.chance(15),
	})
	node := &g.Nodes[id]
	if g.chance(40) {
		node.Place = anywhere
	}
	if g.chance(20) {
		node.Priority = int8(g.rng.IntN(5) - 2)
	}
	node.Params = []uint64{uint64(id)}
	for range g.rng.IntN(7) {
		node.Params = append(node.Params, g.rng.Uint64())
	}
	for n--; n > 0; {
		size := 1
		if g.chance(50) {
			size += g.rng.IntN(n)
		}
		g.Nodes[id].Children = append(g.Nodes[id].Children, len(g.Nodes))
		g.grow(id, size)
		n -= size
	}
	node = &g.Nodes[id]
	node.End = len(g.Nodes)
	g.rng.Shuffle(len(node.Children), func(i, j int) {
		node.Children[i], node.Children[j] = node.Children[j], node.Children[i]
	})
}

// above picks an ancestor of a node, or the node itself.
func (g *generator) above(i int) int {
	for g.Nodes[i].Parent != none && g.chance(30) {
		i = g.Nodes[i].Parent
	}
	return i
}

// sources chooses the slots of node i.
func (g *generator) sources(i int) {
	count := g.rng.IntN(7)
	if g.chance(5) {
		count += 10
	}
	for range count {
		g.Nodes[i].Slots = append(g.Nodes[i].Slots, g.source(i))
	}
}

func (g *generator) source(i int) Slot {
	s := Slot{Wired: Wiring(g.rng.IntN(2))}
	var what Payload
	switch r := g.rng.IntN(100); {
	case r < 10:
		s.Kind = fromNull
	case r < 35:
		s.Kind, s.ID = fromBlock, g.block(g.above(g.Nodes[i].Parent))
		what = Payload{Kind: shared, Block: s.ID}
	default:
		s.Kind, s.ID = fromEvent, g.event(i)
		what = g.Events[s.ID].Payload
		if g.Events[s.ID].Own {
			s.Wired = added
		}
	}
	s.Mode = g.mode(i, what)
	if s.Kind != fromEvent || !g.Events[s.ID].early() {
		if w := g.wirer(i); w != none {
			s.Wired = sibling
			g.Nodes[w].Wires = append(g.Nodes[w].Wires, Wire{i, len(g.Nodes[i].Slots)})
		}
	}
	s.Payload = what
	return s
}

// wirer picks a sibling that comes before node i in the graph, but is created
// after it; or none.
func (g *generator) wirer(i int) int {
	if !g.chance(15) {
		return none
	}
	order := g.Nodes[g.Nodes[i].Parent].Children
	for _, w := range order[slices.Index(order, i)+1:] {
		if w < i {
			return w
		}
	}
	return none
}

// mode picks the access mode of a slot of node i. A block that came on an earlier
// slot has the same mode there.
func (g *generator) mode(i int, what Payload) datablock.Mode {
	for _, s := range g.Nodes[i].Slots {
		if what.Kind != empty && s.Payload == what {
			return s.Mode
		}
	}
	if what.Kind == shared {
		switch g.Blocks[what.Block].Kind {
		case words:
			return [...]datablock.Mode{datablock.RW, datablock.RW, datablock.Null}[g.rng.IntN(3)]
		case tally:
			return [...]datablock.Mode{datablock.EW, datablock.EW, datablock.Const, datablock.Null}[g.rng.IntN(4)]
		}
	}
	return datablock.Mode(g.rng.IntN(5))
}

// block picks a shared block that node o owns, or makes one.
func (g *generator) block(o int) int {
	if own := g.Nodes[o].Blocks; len(own) > 0 && g.chance(70) {
		return own[g.rng.IntN(len(own))]
	}
	b := Block{Owner: o, Kind: BlockKind(g.rng.IntN(3)), Let: Letting(g.rng.IntN(numLetting))}
	switch {
	case b.Kind == table:
		b.Words = 1 + g.rng.IntN(40)
	case b.Kind == tally:
		b.Words = 3
	}
	if b.Let == noAcquire && b.Kind != words || b.Let == downgrade && b.Kind != table {
		b.Let = keep
	}
	g.Blocks = append(g.Blocks, b)
	g.Nodes[o].Blocks = append(g.Nodes[o].Blocks, len(g.Blocks)-1)
	return len(g.Blocks) - 1
}

// victims gives node i EDTs to destroy.
func (g *generator) victims(i int) {
	if !g.chance(20) {
		return
	}
	for range 1 + g.rng.IntN(2) {
		v := Victim{Output: g.chance(30), Finish: g.chance(20), AtOnce: g.chance(50), Slots: []Slot{{Kind: fromGate}}}
		for range g.rng.IntN(6) {
			s := Slot{Kind: fromGate}
			if e := g.rng.IntN(len(g.Events) + 1); e < len(g.Events) && g.mayWait(e, i) {
				s = Slot{Kind: fromEvent, ID: e, Mode: datablock.RO}
				g.Events[e].Unsure = true
			}
			v.Slots = append(v.Slots, s)
		}
		g.Nodes[i].Victims = append(g.Nodes[i].Victims, v)
	}
}

// mayWait reports whether an EDT that node i creates and destroys may wait for
// event e. A channel would pair a satisfaction with it.
func (g *generator) mayWait(e, i int) bool {
	ev := &g.Events[e]
	if ev.Type == edt.Channel || ev.Own {
		return false
	}
	return g.within(ev.Owner, i) && (!ev.early() || ev.Owner == i)
}
