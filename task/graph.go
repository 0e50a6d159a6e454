package task

import (
	"ocr/edt"
	"ocr/guid"
)

// A Graph is a graph of tasks that is recorded once and run many times; see [edt.Recording]. Task0.Add to TaskN.Add add
// an EDT to it, with the sources that New takes, and with what comes on a slot of another node:
//
//	g := task.NewGraph(c)
//	a := step.Add(g, Where{0}, block.From())
//	b := step.Add(g, Where{1}, a.Pass0()) // gets a's block, when a has ended
//	last.Add(g, Where{2}, other.From()).After(b.Node)
//	g.Run(c, 100, done)
type Graph struct{ r *edt.Recording }

// NewGraph makes an empty graph.
func NewGraph(c *edt.Ctx) *Graph { return &Graph{c.NewRecording()} }

// Seal checks the graph; see [edt.Recording.Seal].
func (g *Graph) Seal(c *edt.Ctx) { g.recording().Seal(c) }

// Run runs the graph n times, one run after the other, and then satisfies done; the zero Event is none. inputs are the
// blocks of [Input], in order. See [edt.Recording.Run].
func (g *Graph) Run(c *edt.Ctx, n int, done Event[Nothing], inputs ...guid.GUID) {
	g.recording().Run(c, n, done.GUID, inputs...)
}

// Destroy frees the graph; its blocks stay.
func (g *Graph) Destroy(c *edt.Ctx) { g.recording().Destroy(c) }

func (g *Graph) recording() *edt.Recording {
	if g == nil {
		return nil
	}
	return g.r
}

// Input is the source of slots that get a block with each call of [Graph.Run].
func Input[T any](g *Graph) Source[T] { return source[T](g.r.Input()) }

// A Node is an EDT of a graph; see [edt.Node].
type Node = edt.Node

// Node1 is a node with one slot, Node2 to Node4 have more.
type Node1[T0 any] struct{ Node }

// Pass0 is what comes on the first slot, as a source of a node that begins after this one; Pass1 to Pass3 are those of
// the others.
func (n Node1[T0]) Pass0() Source[T0] { return source[T0](n.Slot(0)) }

// Node2 is a node with two slots.
type Node2[T0, T1 any] struct{ Node1[T0] }

// Pass1 is what comes on the second slot.
func (n Node2[T0, T1]) Pass1() Source[T1] { return source[T1](n.Slot(1)) }

// Node3 is a node with three slots.
type Node3[T0, T1, T2 any] struct{ Node2[T0, T1] }

// Pass2 is what comes on the third slot.
func (n Node3[T0, T1, T2]) Pass2() Source[T2] { return source[T2](n.Slot(2)) }

// Node4 is a node with four slots.
type Node4[T0, T1, T2, T3 any] struct{ Node3[T0, T1, T2] }

// Pass3 is what comes on the fourth slot.
func (n Node4[T0, T1, T2, T3]) Pass3() Source[T3] { return source[T3](n.Slot(3)) }

// Add adds a node of the task to a graph.
//
//go:noinline
func (t *Task0[P]) Add(g *Graph, p P) Node {
	w := padded[P]{p: p}
	return g.r.Add(t.core.template, w.words())
}

// Add adds a node of the task to a graph.
//
//go:noinline
func (t *Task1[P, A, T0]) Add(g *Graph, p P, s0 Source[T0]) Node1[T0] {
	w := padded[P]{p: p}
	return Node1[T0]{g.r.Add(t.core.template, w.words(), t.core.from(0, s0.id()))}
}

// Add adds a node of the task to a graph.
//
//go:noinline
func (t *Task2[P, A, B, T0, T1]) Add(g *Graph, p P, s0 Source[T0], s1 Source[T1]) Node2[T0, T1] {
	w := padded[P]{p: p}
	return Node2[T0, T1]{Node1[T0]{g.r.Add(t.core.template, w.words(), t.core.from(0, s0.id()), t.core.from(1, s1.id()))}}
}

// Add adds a node of the task to a graph.
//
//go:noinline
func (t *Task3[P, A, B, C, T0, T1, T2]) Add(g *Graph, p P, s0 Source[T0], s1 Source[T1],
	s2 Source[T2]) Node3[T0, T1, T2] {
	w := padded[P]{p: p}
	return Node3[T0, T1, T2]{Node2[T0, T1]{Node1[T0]{g.r.Add(t.core.template, w.words(), t.core.from(0, s0.id()),
		t.core.from(1, s1.id()), t.core.from(2, s2.id()))}}}
}

// Add adds a node of the task to a graph.
//
//go:noinline
func (t *Task4[P, A, B, C, D, T0, T1, T2, T3]) Add(g *Graph, p P, s0 Source[T0], s1 Source[T1], s2 Source[T2],
	s3 Source[T3]) Node4[T0, T1, T2, T3] {
	w := padded[P]{p: p}
	return Node4[T0, T1, T2, T3]{Node3[T0, T1, T2]{Node2[T0, T1]{Node1[T0]{g.r.Add(t.core.template, w.words(),
		t.core.from(0, s0.id()), t.core.from(1, s1.id()), t.core.from(2, s2.id()), t.core.from(3, s3.id()))}}}}
}

// Add adds a node of the task to a graph.
//
//go:noinline
func (t *TaskN[P, A, B, C, T0, T1, T2]) Add(g *Graph, p P, first Source[T0], list []Source[T1],
	second []Source[T2]) Node {
	w := padded[P]{p: p}
	params, deps := t.lists(w.words(), first, list, second)
	return g.r.Add(t.core.template, params, deps...)
}
