package graphtest

import (
	"math/rand/v2"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A Scene is a small program in a node's finish scope: a race or a bottleneck that plans seldom have otherwise. It
// checks itself; its calls follow from its seed.
type Scene struct {
	Kind int // index into scenes
	Seed uint64
}

// scenes has all kinds of scenes. Each function draws the same random numbers in the same order, whether the scene runs
// or only its calls are counted.
var scenes = [...]func(s *stage){destroyInUse, contend, relayed, turns, inOrder}

// A stage is one scene that runs, or whose calls are counted.
type stage struct {
	x      *Execution // nil if the scene is only counted
	rng    *rand.Rand
	open   func(c *edt.Ctx) // the body of its first EDT
	close  func(c *edt.Ctx) // the body of its last EDT, which runs when all others have ended
	counts edt.Counters
}

func (s *Scene) stage(x *Execution) *stage {
	a := &stage{x: x, rng: rand.New(rand.NewPCG(s.Seed, uint64(s.Kind))), close: func(*edt.Ctx) {}}
	a.counts = edt.Counters{EDTCreated: 2, EventCreated: 1, TemplateCreated: 2, DependenceAdded: 1} // see play
	scenes[s.Kind](a)
	a.counts.EDTRun = a.counts.EDTCreated
	return a
}

// makes counts what a scene makes: calls of part (an EDT and a template each), events, satisfactions and blocks.
func (s *stage) makes(parts, events, satisfied, blocks int) {
	s.counts.EDTCreated += uint64(parts)
	s.counts.TemplateCreated += uint64(parts)
	s.counts.EventCreated += uint64(events)
	s.counts.EventSatisfied += uint64(satisfied)
	s.counts.BlockCreated += uint64(blocks)
}

// scenes adds scenes to node i.
func (g *generator) scenes(i int) {
	g.draw(choosingScenes, i)
	if !g.may(SceneActs, 8) {
		return
	}
	for range 1 + g.rng.IntN(2) {
		g.Nodes[i].Scenes = append(g.Nodes[i].Scenes, Scene{g.rng.IntN(len(scenes)), g.rng.Uint64()})
	}
}

func (p *Plan) sceneCount() (n int) {
	for i := range p.Nodes {
		n += len(p.Nodes[i].Scenes)
	}
	return n
}

// play starts a scene: its first EDT, with a finish scope, and its last EDT, which waits for the scope. Their templates
// are destroyed at once.
func (x *Execution) play(c *edt.Ctx, s *Scene) {
	on := s.stage(x)
	first := c.NewTemplate("scene", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		on.open(c)
		return guid.Null
	})
	last := c.NewTemplate("scene's end", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		on.close(c)
		x.closed.Add(1)
		return guid.Null
	})
	g, ended := c.Spawn(first, &edt.Spec{Finish: true, Output: true})
	c.NewEDT(last, nil, edt.From(ended, datablock.Null))
	c.AddDependence(guid.Null, g, 0, datablock.RO)
	c.DestroyTemplate(first)
	c.DestroyTemplate(last)
}

// part makes an EDT of a scene, from a template of its own.
func part(c *edt.Ctx, at edt.Affinity, body func(c *edt.Ctx, in edt.Args), deps ...edt.Source) {
	t := c.NewTemplate("part", 0, len(deps), func(c *edt.Ctx, in edt.Args) guid.GUID {
		body(c, in)
		return guid.Null
	})
	c.NewEDTAt(at, t, nil, deps...)
	c.DestroyTemplate(t)
}

// places draws affinities for n EDTs, before any of them runs.
func (s *stage) places(c *edt.Ctx, n int) []edt.Affinity {
	at := make([]edt.Affinity, n)
	for k := range at {
		switch w := s.rng.IntN(64) % c.Workers(); s.rng.IntN(3) {
		case 0:
			at[k] = c.Place(w)
		case 1:
			at[k] = c.Bind(w)
		}
	}
	return at
}
