package graphtest

import (
	"math/rand/v2"
	"slices"

	"ocr/datablock"
)

// Generate makes the plan of a seed, with this number of nodes. With fewer nodes it is the same plan without the last
// nodes, and without references to them.
func Generate(seed uint64, nodes int) *Plan { return GenerateWithout(seed, nodes, 0) }

// GenerateWithout is [Generate] with some features left out.
func GenerateWithout(seed uint64, nodes int, without Feature) *Plan {
	g := &generator{Plan: &Plan{Seed: seed, Without: without}}
	g.draw(shaping, 0)
	g.up = [...]int{45, 55, 65, 80}[g.rng.IntN(4)]
	for i := range max(nodes, 1) {
		g.grow(i)
	}
	g.Nodes[0].Finish, g.Nodes[0].Gated = true, true
	for i := 1; i < len(g.Nodes); i++ {
		g.sources(i)
	}
	for i := range g.Nodes {
		g.victims(i)
		g.scenes(i)
		g.rounds(i)
	}
	g.settle()
	return g.Plan
}

type generator struct {
	*Plan
	rng *rand.Rand
	up  int // how likely the next node is a child of an EDT further up, in percent
}

// A drawing is a purpose of random numbers. Each node has its own random numbers for each purpose, so it does not
// depend on the number of nodes after it.
type drawing uint64

const (
	shaping drawing = iota
	growing
	choosingSources
	choosingVictims
	choosingScenes
	settling
	choosingDestroyer
	choosingRounds
)

func (g *generator) draw(what drawing, i int) {
	g.rng = rand.New(rand.NewPCG(g.Seed, uint64(what)<<32|uint64(i)))
}

func (g *generator) chance(percent int) bool { return g.rng.IntN(100) < percent }

// may draws like chance, for a part of feature f. It returns false if the plan is without f.
func (g *generator) may(f Feature, percent int) bool { return g.chance(percent) && g.Without&f == 0 }

// grow makes node i, as a child of the last node or of one of its ancestors.
func (g *generator) grow(i int) {
	g.draw(growing, i)
	parent := none
	if i > 0 {
		parent = i - 1
		for g.Nodes[parent].Parent != none && g.chance(g.up) {
			parent = g.Nodes[parent].Parent
		}
	}
	n := Node{Parent: parent, Out: none, Returns: none, Worker: g.rng.IntN(64), OwnMade: g.chance(20),
		Finish: g.may(Scopes, 15)}
	if g.may(Places, 60) {
		n.Place = Placing(g.rng.IntN(3))
	}
	if g.may(Places, 20) {
		n.Priority = int8(g.rng.IntN(5) - 2)
	}
	n.Params = []uint64{uint64(i)}
	for range g.rng.IntN(7) {
		n.Params = append(n.Params, g.rng.Uint64())
	}
	n.Registered = i > 0 && !n.OwnMade && (g.Seed+uint64(i))%2 == 0
	g.Nodes = append(g.Nodes, n)
	if parent != none {
		order := g.Nodes[parent].Children
		g.Nodes[parent].Children = slices.Insert(order, g.rng.IntN(len(order)+1), i)
	}
	for ; i != none; i = g.Nodes[i].Parent {
		g.Nodes[i].End = len(g.Nodes)
	}
}

// above picks an ancestor of a node, or the node itself.
func (g *generator) above(i int) int {
	for g.Nodes[i].Parent != none && g.chance(30) {
		i = g.Nodes[i].Parent
	}
	return i
}

// sources chooses the slots of node i. Some nodes have more slots than fit into an EDT's record, and a few have more
// than are acquired at once.
func (g *generator) sources(i int) {
	g.draw(choosingSources, i)
	count, blocks := g.rng.IntN(7), 25
	switch {
	case g.may(Wide, 5):
		count += 10
	case g.may(Wide, 3):
		count, blocks = count+17+g.rng.IntN(20), 60
	}
	for range count {
		g.Nodes[i].Slots = append(g.Nodes[i].Slots, g.source(i, blocks))
	}
}

// source chooses one slot. Its source is a block in blocks percent of cases.
func (g *generator) source(i, blocks int) Slot {
	s := Slot{Wired: Wiring(g.rng.IntN(2))}
	var what Payload
	switch r := g.rng.IntN(100); {
	case r < 10, r < 10+blocks && g.Without&Data != 0:
		s.Kind = fromNull
	case r < 10+blocks:
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
	if g.may(Releases, 40) {
		s.Give = Giving(g.rng.IntN(numGiving))
	}
	if s.Kind != fromEvent || !g.Events[s.ID].early() {
		if w := g.wirer(i); w != none {
			s.Wired = sibling
			g.Nodes[w].Wires = append(g.Nodes[w].Wires, Wire{i, len(g.Nodes[i].Slots)})
		}
	}
	s.Payload = what
	return s
}

// wirer picks a sibling that has a lower number than node i, but is created later; or none.
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

// modesOf are the modes in which nodes access shared blocks; likely modes stand several times.
var modesOf = map[BlockKind][]datablock.Mode{
	table: {datablock.RW, datablock.EW, datablock.RO, datablock.Const, datablock.Null},
	words: {datablock.RW, datablock.RW, datablock.RW, datablock.RW, datablock.Const, datablock.Null},
	tally: {datablock.EW, datablock.EW, datablock.EW, datablock.EW, datablock.Const, datablock.RW, datablock.Null},
}

// mode picks the access mode of a slot of node i. If an earlier slot has the same block, the mode is that slot's.
func (g *generator) mode(i int, what Payload) datablock.Mode {
	for _, s := range g.Nodes[i].Slots {
		if what.Kind != empty && s.Payload == what {
			return s.Mode
		}
	}
	modes := modesOf[table]
	if what.Kind == shared {
		modes = modesOf[g.Blocks[what.Block].Kind]
	}
	return modes[g.rng.IntN(len(modes))]
}

// block picks or makes a shared block that node o owns.
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

// victims gives node i EDTs that it destroys before they can run.
func (g *generator) victims(i int) {
	g.draw(choosingVictims, i)
	if !g.may(Victims, 20) {
		return
	}
	for range 1 + g.rng.IntN(2) {
		v := Victim{Output: g.chance(30), Finish: g.chance(20), AtOnce: g.chance(50), Slots: 1 + g.rng.IntN(6)}
		g.Nodes[i].Victims = append(g.Nodes[i].Victims, v)
	}
}
