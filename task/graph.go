package task

import "ocr/edt"

// A Graph is a graph of tasks that is recorded once and run many times; see [edt.Recording]. Task0.Add to TaskN.Add add
// an EDT to it, with the sources of New, or with the block on a slot of another node:
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

// Run runs the graph n times, one run after the other, and then satisfies done, if it is not the zero Event. See
// [edt.Recording.Run].
func (g *Graph) Run(c *edt.Ctx, n int, done Event[Nothing]) { g.recording().Run(c, n, done.GUID) }

// Destroy destroys the graph, but not its blocks.
func (g *Graph) Destroy(c *edt.Ctx) { g.recording().Destroy(c) }

func (g *Graph) recording() *edt.Recording {
	if g == nil {
		return nil
	}
	return g.r
}

// A Node is an EDT of a graph; see [edt.Node].
type Node = edt.Node
