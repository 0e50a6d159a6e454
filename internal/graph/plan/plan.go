// Package plan orders the nodes of a recorded graph. [Of] is a pure function: nodes, edges and what nodes do with
// blocks go in, and the successors of each node come out, or why the graph cannot run.
package plan

import (
	"iter"

	"ocr/datablock"
)

// A Graph is the input of [Of]. Nodes and blocks are numbers from 0.
type Graph struct {
	Nodes, Blocks int
	Edges         iter.Seq2[uint32, uint32] // from a node to one of its successors; an edge may come more than once
	Uses          []Use                     // of all slots, node by node
}

// A Use is what a node does with the block that comes on one of its slots.
type Use struct {
	Block, Node uint32
	Mode        datablock.Mode
}

// None is the block of a slot on which no block comes.
const None = ^uint32(0)

// A Plan has the edges of a graph, each once. The successors of node n are Edges[Begin[n]:Begin[n+1]].
type Plan struct {
	Edges, Begin []uint32
	Predecessors []uint32 // for each node, how many it has

	order []uint32 // the nodes, each behind its predecessors
	place []uint32 // for each node, its place in the order
}

// Successors returns the successors of a node.
func (p *Plan) Successors(n uint32) []uint32 { return p.Edges[p.Begin[n]:p.Begin[n+1]] }

// A Fault is why a graph cannot run.
type Fault struct {
	Why  Reason
	Node uint32 // the node at which the fault shows
	// Cycle is the number of nodes in the cycle.
	Cycle int
	// First and Second are uses of one block: by two nodes that no path orders, or by one node in two modes.
	First, Second Use
	Slot          int // of the second use, if Mixed
}

// A Reason is a kind of fault.
type Reason uint8

// The reasons.
const (
	Cycle     Reason = iota + 1 // nodes wait for each other
	Unordered                   // two nodes use a block in modes that exclude each other, and no path orders them
	Mixed                       // a node uses a block in two modes
)

// Of returns the plan of a graph, or why there is none.
func Of(g Graph) (*Plan, *Fault) {
	p := edgesOf(g)
	if f := p.sort(); f != nil {
		return nil, f
	}
	if f := p.checkModes(g); f != nil {
		return nil, f
	}
	return p, nil
}

// edgesOf returns a plan with the edges alone.
func edgesOf(g Graph) *Plan {
	p := &Plan{Begin: make([]uint32, g.Nodes+1), Predecessors: make([]uint32, g.Nodes)}
	for from := range g.Edges {
		p.Begin[from+1]++
	}
	for n := range g.Nodes {
		p.Begin[n+1] += p.Begin[n]
	}
	p.Edges = make([]uint32, p.Begin[g.Nodes])
	at := make([]uint32, g.Nodes)
	for from, to := range g.Edges {
		p.Edges[p.Begin[from]+at[from]] = to
		at[from]++
	}
	p.keepOnce(at)
	return p
}

// keepOnce drops repeated edges, and counts predecessors. seen is memory for one number per node.
func (p *Plan) keepOnce(seen []uint32) {
	clear(seen) // for each node, 1 + the last node of which it is a successor
	kept := uint32(0)
	for n := range seen {
		list := p.Successors(uint32(n))
		p.Begin[n] = kept
		for _, to := range list {
			if seen[to] != uint32(n)+1 {
				seen[to] = uint32(n) + 1
				p.Predecessors[to]++
				p.Edges[kept] = to
				kept++
			}
		}
	}
	p.Begin[len(seen)] = kept
	p.Edges = p.Edges[:kept]
}

// sort orders the nodes. It returns a fault if there is a cycle.
func (p *Plan) sort() *Fault {
	open := append([]uint32(nil), p.Predecessors...)
	p.order, p.place = make([]uint32, 0, len(open)), make([]uint32, len(open))
	for n, count := range open {
		if count == 0 {
			p.order = append(p.order, uint32(n))
		}
	}
	for k := 0; k < len(p.order); k++ {
		p.place[p.order[k]] = uint32(k)
		for _, to := range p.Successors(p.order[k]) {
			if open[to]--; open[to] == 0 {
				p.order = append(p.order, to)
			}
		}
	}
	if len(p.order) < len(open) {
		return p.cycle(open)
	}
	return nil
}

// cycle finds a cycle. open counts, for each node, the predecessors that the order did not reach.
func (p *Plan) cycle(open []uint32) *Fault {
	before := make([]uint32, len(open)) // a predecessor that the order did not reach
	var n uint32
	for from := range uint32(len(open)) {
		if open[from] == 0 {
			continue
		}
		for _, to := range p.Successors(from) {
			if open[to] > 0 {
				before[to], n = from, to
			}
		}
	}
	for range open { // backwards, into the cycle
		n = before[n]
	}
	f := &Fault{Why: Cycle, Node: n, Cycle: 1}
	for k := before[n]; k != n; k = before[k] {
		f.Cycle++
	}
	return f
}
