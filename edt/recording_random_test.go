package edt_test

import (
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// A randomPlan is recorded graphs that run beside each other and beside other EDTs. All use the first blocks, the
// counters, to which every body only adds. Each other block is used by one graph only.
type randomPlan struct {
	graphs    []*randomGraph
	outsiders [][]randomSlot // for each EDT outside
	blocks    int
}

// A randomGraph runs in phases: phases[k] times in phase k.
type randomGraph struct {
	nodes  []randomNode
	phases []int
}

type randomNode struct {
	slots []randomSlot
	acts  uint64 // what its body does beside computing, a sum of acts
	after []int  // predecessors that the modes of its blocks require, and more
	hint  edt.Hint
	bound int // the worker of its rank, modulo their number, that must run it; 0: any
}

type randomSlot struct {
	block int // of the plan
	from  int // the node that passes it on, -1 for none
	slot  int // the slot of that node
	mode  datablock.Mode
}

const randomCounters = 2

func excludes(a, b datablock.Mode) bool {
	writes := func(m datablock.Mode) bool { return m == datablock.EW || m == datablock.RW }
	return (a == datablock.EW || b == datablock.EW || a != b) && (writes(a) || writes(b)) &&
		max(a, b) != datablock.Null && a != datablock.RO && b != datablock.RO
}

func newRandomPlan(seed uint64) *randomPlan {
	r := rand.New(rand.NewPCG(seed, 29))
	p := &randomPlan{blocks: randomCounters}
	for range 1 + r.IntN(2) {
		p.graphs = append(p.graphs, p.newGraph(r))
	}
	for range r.IntN(4) {
		p.outsiders = append(p.outsiders, p.newNode(r, nil, 0, 0).slots)
	}
	return p
}

func (p *randomPlan) newGraph(r *rand.Rand) *randomGraph {
	own := 1 + r.IntN(6)
	g := new(randomGraph)
	for k := range r.IntN(14) {
		node := p.newNode(r, g.nodes, p.blocks, own)
		before := g.before(node)
		for i := k - 1; i >= 0; i-- {
			if !before[i] && g.nodes[i].conflicts(&node) {
				node.after = append(node.after, i)
				before = g.before(node)
			}
		}
		if k > 0 && r.IntN(3) == 0 {
			node.after = append(node.after, r.IntN(k))
		}
		g.nodes = append(g.nodes, node)
	}
	for range 1 + r.IntN(3) {
		g.phases = append(g.phases, 1+r.IntN(4))
	}
	p.blocks += own
	return g
}

// newNode makes a node that uses counters, and n blocks from first on.
func (p *randomPlan) newNode(r *rand.Rand, before []randomNode, first, n int) (node randomNode) {
	for range r.IntN(6) {
		s := randomSlot{block: r.IntN(randomCounters + n), from: -1, mode: datablock.Mode(r.IntN(5))}
		if s.block >= randomCounters {
			s.block += first - randomCounters
		}
		if len(before) > 0 && r.IntN(3) == 0 {
			if k := r.IntN(len(before)); len(before[k].slots) > 0 {
				s.from, s.slot = k, r.IntN(len(before[k].slots))
				s.block = before[k].slots[s.slot].block
			}
		}
		for _, other := range node.slots {
			if other.block == s.block && other.mode != datablock.Null && s.mode != datablock.Null {
				s.mode = other.mode
			}
		}
		node.slots = append(node.slots, s)
	}
	node.acts = r.Uint64() & r.Uint64()
	if r.IntN(3) == 0 {
		node.bound = 1 + r.IntN(8)
	}
	if r.IntN(4) == 0 {
		node.hint.Priority = int8(r.IntN(3) - 1)
		if r.IntN(2) == 0 {
			node.hint.Affinity = edt.PlaceOn(0)
		}
	}
	return node
}

func (n *randomNode) conflicts(other *randomNode) bool {
	for _, a := range n.slots {
		for _, b := range other.slots {
			if a.block == b.block && excludes(a.mode, b.mode) {
				return true
			}
		}
	}
	return false
}

// before returns the nodes that come before a node which the graph does not have yet.
func (g *randomGraph) before(node randomNode) map[int]bool {
	all := make(map[int]bool)
	var add func(n *randomNode)
	add = func(n *randomNode) {
		next := slices.Clone(n.after)
		for _, s := range n.slots {
			if s.from >= 0 {
				next = append(next, s.from)
			}
		}
		for _, k := range next {
			if !all[k] {
				all[k] = true
				add(&g.nodes[k])
			}
		}
	}
	add(&node)
	return all
}

// compute is the work of a node on its blocks. It adds to counters. What it reads in mode RO has no effect.
func (n *randomNode) compute(number uint64, word func(slot int) *uint64) {
	h := number*7919 + 1
	for k, s := range n.slots {
		switch {
		case s.mode == datablock.Const && s.block >= randomCounters:
			h = h*31 + atomic.LoadUint64(word(k))
		case s.mode == datablock.RO || s.mode == datablock.Const:
			atomic.LoadUint64(word(k))
		}
	}
	for k, s := range n.slots {
		switch {
		case s.mode == datablock.EW && s.block >= randomCounters:
			atomic.StoreUint64(word(k), 3*atomic.LoadUint64(word(k))+h)
		case s.mode == datablock.EW || s.mode == datablock.RW:
			atomic.AddUint64(word(k), h)
		}
	}
}

// expect runs the plan without the runtime. It returns the blocks and the number of EDTs that bodies create.
func (p *randomPlan) expect() (blocks []uint64, children int) {
	blocks = make([]uint64, p.blocks)
	for _, g := range p.graphs {
		for _, times := range g.phases {
			for range times {
				for i, n := range g.nodes {
					n.compute(uint64(i), func(slot int) *uint64 { return &blocks[n.slots[slot].block] })
					children += int(n.acts & actChild)
				}
			}
		}
	}
	for k, slots := range p.outsiders {
		n := randomNode{slots: slots}
		n.compute(uint64(k), func(slot int) *uint64 { return &blocks[slots[slot].block] })
	}
	return blocks, children
}

// Acts of a body, beside computing.
const (
	actChild = 1 << iota
	actRelease
	actReleaseDep
	actDowngrade
	actReturnsBlock
	actReturnsEvent
	actMakesBlock
)

// A randomRun runs a plan.
type randomRun struct {
	*randomPlan
	tr       *trial
	blocks   []guid.GUID
	children tally
}

// step is the body of a node, or of an EDT outside.
func (x *randomRun) step(n *randomNode) edt.Func {
	return func(c *edt.Ctx, in edt.Args) guid.GUID {
		n.compute(in.Param(0), func(slot int) *uint64 { return value(in.Dep(slot)) })
		if to := n.binding(c); n.bound > 0 && c.Worker() != to.Worker() {
			x.tr.Errorf("node %d, bound to worker %d, runs on worker %d", in.Param(0), to.Worker(), c.Worker())
		}
		released := -1
		for k, s := range n.slots {
			if b := in.Dep(k); s.mode != datablock.Null && released < 0 {
				switch {
				case n.acts&actRelease != 0:
					c.Release(b.GUID())
					released = s.block
				case n.acts&actReleaseDep != 0:
					c.ReleaseDep(b)
					released = s.block
				case n.acts&actDowngrade != 0:
					c.Downgrade(b.GUID())
				}
			}
		}
		for k, s := range n.slots {
			if s.block == released && in.Dep(k).Size() != 0 {
				x.tr.Errorf("node %d has released block %d, and has its bytes on slot %d", in.Param(0), s.block, k)
			}
		}
		if n.acts&actChild != 0 {
			launch(c, func(*edt.Ctx, edt.Args) { x.children.add() })
		}
		if n.acts&actMakesBlock != 0 {
			b, bytes := c.NewBlock(64)
			bytes[63]++
			c.DestroyBlock(b)
		}
		switch {
		case n.acts&actReturnsBlock != 0 && len(n.slots) > 0:
			return in.Dep(0).GUID()
		case n.acts&actReturnsEvent != 0:
			e := c.NewEvent(edt.Sticky)
			c.Satisfy(e, guid.Null)
			return e
		}
		return guid.Null
	}
}

// binding returns the place of a bound node of a recording on the caller's rank.
func (n *randomNode) binding(c *edt.Ctx) edt.Affinity {
	each := c.Workers() / c.Ranks()
	return c.Bind(c.Worker()/each*each + n.bound%each)
}

func (x *randomRun) main(c *edt.Ctx, _ edt.Args) guid.GUID {
	for k := range x.randomPlan.blocks {
		x.blocks = append(x.blocks, c.NewBlockNear(8, c.Place(k%c.Workers())))
	}
	start, out := spawn(c, edt.Spec{Output: true, Finish: true, Hint: edt.Hint{Affinity: edt.BindTo(c.Worker())}},
		body(func(c *edt.Ctx, _ edt.Args) {
			for k, slots := range x.outsiders {
				n := &randomNode{slots: slots}
				c.NewEDT(c.NewTemplate("outsider", 1, edt.Unknown, x.step(n)), edt.Params(uint64(k)),
					append(x.sources(slots), rw(guid.Null))...)
			}
			for _, g := range x.graphs {
				x.phase(c, g, 0, x.record(c, g))
			}
		}))
	want, children := x.expect()
	deps := []edt.Source{edt.From(out, datablock.Null)}
	for _, b := range x.blocks {
		deps = append(deps, ew(b))
	}
	launch(c, func(c *edt.Ctx, in edt.Args) {
		if n := x.children.get(); n != children {
			x.tr.Errorf("%d children when the finish scope ends, want %d", n, children)
		}
		for k := range x.blocks {
			if got := *value(in.Dep(1 + k)); got != want[k] {
				x.tr.Errorf("block %d has %d, want %d", k, got, want[k])
			}
		}
	}, deps...)
	start()
	return guid.Null
}

func (x *randomRun) sources(slots []randomSlot) (deps []edt.Source) {
	for _, s := range slots {
		deps = append(deps, edt.From(x.blocks[s.block], s.mode))
	}
	return deps
}

// phase runs a phase, and then the later ones.
func (x *randomRun) phase(c *edt.Ctx, g *randomGraph, k int, r *edt.Recording) {
	if k == len(g.phases) {
		r.Destroy(c)
		return
	}
	done := c.NewEvent(edt.Once)
	next := c.NewTemplate("next", 0, 1, body(func(c *edt.Ctx, _ edt.Args) { x.phase(c, g, k+1, r) }))
	c.NewEDTAt(edt.BindTo(c.Worker()), next, nil, edt.From(done, datablock.Null))
	r.Run(c, g.phases[k], done)
}

// record records a graph.
func (x *randomRun) record(c *edt.Ctx, g *randomGraph) *edt.Recording {
	r, nodes := c.NewRecording(), []edt.Node(nil)
	for i := range g.nodes {
		n := &g.nodes[i]
		var deps []edt.Source
		for _, s := range n.slots {
			if s.from >= 0 {
				deps = append(deps, edt.From(nodes[s.from].Slot(s.slot), s.mode))
			} else {
				deps = append(deps, edt.From(x.blocks[s.block], s.mode))
			}
		}
		node := r.Add(c.NewTemplate("step", 1, edt.Unknown, x.step(n)), edt.Params(uint64(i)), deps...)
		hint := n.hint
		if n.bound > 0 {
			hint.Affinity = n.binding(c)
		}
		node.SetHint(hint)
		for _, p := range n.after {
			node.After(nodes[p])
		}
		nodes = append(nodes, node)
	}
	return r
}

// TestRandomRecordings: graphs that are recorded compute what a loop computes. If the run records sites, they are made
// from ordinary EDTs: then they compute and count the same.
func TestRandomRecordings(t *testing.T) {
	seeds := testrun.Sized[uint64](8, 24, 500)
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	for seed := range seeds {
		debug.SetGCPercent(100)
		if seed%8 == 7 {
			debug.SetGCPercent(1)
		}
		p := newRandomPlan(seed)
		for _, workers := range []int{1, 2, 3, 8} {
			p.compare(t, &trial{workers: workers}, seed)
			p.compare(t, &trial{workers: workers, pool: true}, seed)
		}
		for _, ranks := range []int{2, 4} {
			p.compare(t, &trial{workers: 2 * ranks, ranks: ranks}, seed)
		}
		if t.Failed() {
			return
		}
	}
}

// compare runs a plan with and without sites.
func (p *randomPlan) compare(t *testing.T, in *trial, seed uint64) {
	var counted [2]edt.Counters
	for k, sites := range []bool{true, false} {
		tr := *in
		tr.t, tr.sites = t, sites
		tr.where = fmt.Sprintf("seed %d, workers %d, ranks %d, pool %t, sites %t", seed, in.workers, in.ranks, in.pool, sites)
		x := &randomRun{randomPlan: p, tr: &tr}
		if tr.pool {
			tr.runPool(func(*trial) edt.Func { return x.main })
		} else {
			tr.simulate(seed, func(*trial) edt.Func { return x.main })
		}
		counted[k] = tr.counters
		for _, l := range tr.leaks {
			if l.Kind == guid.KindEDT || l.Template == "recorded graph" {
				tr.Errorf("leak %v", l)
			}
		}
	}
	testrun.Equal(t, counted[0], counted[1], "seed %d, %d workers: counters with sites, and without", seed, in.workers)
}
