package graphtest

import (
	"math/rand/v2"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A Scene is a small program that a node starts beside the plan, in a finish scope
// of its own: races that are part of a correct program, and long or wide ones that
// the plan's own graph seldom has. It checks itself; how often it calls the runtime
// follows from its seed.
type Scene struct {
	Kind SceneKind
	Seed uint64
}

// SceneKind says what a scene is about.
type SceneKind uint8

const (
	reap    SceneKind = iota // a block is destroyed while others hold it
	crowd                    // EDTs with many blocks in modes that exclude each other
	pipe                     // a channel with a producer, a consumer and a bound
	scuffle                  // objects of one label, created and destroyed by whoever is first
	reuse                    // a label with one event after the other
	bury                     // an EDT destroyed while its events trigger and go
	hops                     // a chain across the workers
	fan                      // dependences that race with the trigger
	tide                     // a latch counted up and down
	meeting                  // a label whose event is created, waited for and satisfied at once
	numScenes
)

// A stage is one scene being played.
type stage interface {
	open(c *edt.Ctx)  // what its first EDT does
	close(c *edt.Ctx) // what is done when all that followed has ended
	count(n *edt.Counters)
}

// A cast is what all stages have: x is nil if the scene is only counted.
type cast struct {
	x   *Execution
	rng *rand.Rand
}

// stage sets a scene up. What it draws here does not depend on who plays it.
func (s *Scene) stage(x *Execution) stage {
	a := cast{x, rand.New(rand.NewPCG(s.Seed, uint64(s.Kind)))}
	switch s.Kind {
	case reap:
		return newReap(a)
	case crowd:
		return newCrowd(a)
	case pipe:
		return newPipe(a)
	case scuffle:
		return newScuffle(a)
	case reuse:
		return newReuse(a)
	case bury:
		return newBury(a)
	case hops:
		return newHops(a)
	case fan:
		return newFan(a)
	case tide:
		return newTide(a)
	}
	return newMeeting(a)
}

// scenes gives node i scenes.
func (g *generator) scenes(i int) {
	g.draw(choosingScenes, i)
	if !g.may(SceneActs, 8) {
		return
	}
	for range 1 + g.rng.IntN(2) {
		g.Nodes[i].Scenes = append(g.Nodes[i].Scenes, Scene{SceneKind(g.rng.IntN(int(numScenes))), g.rng.Uint64()})
	}
}

func (p *Plan) sceneCount() (n int) {
	for i := range p.Nodes {
		n += len(p.Nodes[i].Scenes)
	}
	return n
}

// play starts a scene: its first EDT, in a finish scope, and its last, which waits for
// the scope. Their templates are destroyed before they run.
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

// count adds what a scene makes the runtime count.
func (s *Scene) count(n *edt.Counters) {
	one := edt.Counters{EDTCreated: 2, EventCreated: 1, TemplateCreated: 2, DependenceAdded: 1}
	s.stage(nil).count(&one)
	one.EDTRun = one.EDTCreated - one.EDTDestroyed
	one.TemplateDestroyed = 0 // expectCounters sets what is destroyed
	n.Add(&one)
}

// somewhere picks where an EDT of a scene runs.
func (a *cast) somewhere(c *edt.Ctx) edt.Affinity {
	switch w := a.rng.IntN(64) % c.Workers(); a.rng.IntN(3) {
	case 0:
		return c.Place(w)
	case 1:
		return c.Bind(w)
	}
	return 0
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

// countParts counts EDTs made by part.
func countParts(n *edt.Counters, parts int) {
	n.EDTCreated += uint64(parts)
	n.TemplateCreated += uint64(parts)
}

// places draws where so many EDTs run, before any of them does.
func (a *cast) places(c *edt.Ctx, n int) []edt.Affinity {
	at := make([]edt.Affinity, n)
	for k := range at {
		at[k] = a.somewhere(c)
	}
	return at
}
