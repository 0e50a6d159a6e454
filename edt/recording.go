package edt

import (
	"fmt"
	"unsafe"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/dep"
	"ocr/internal/core/word"
	"ocr/internal/graph/plan"
	"ocr/internal/graph/record"
	"ocr/internal/graph/site"
)

// A Recording is a graph of EDTs that is recorded once and run many times. To the outside a run of it acts as one EDT:
// when it begins it acquires all blocks of the graph, and it gives them up when it ends. Inside, its nodes run as EDTs
// do, on any worker, each as soon as its predecessors have ended. A node needs no new record, no event and no
// acquisition, so it costs about a third of the instructions of an EDT of [Ctx.Again].
//
// A program adds nodes and edges, and calls [Recording.Run]. The first Run seals the recording: it checks the graph and
// lays it out. From then on the graph cannot be changed. One EDT at a time may use a recording. A recording lives on
// one rank; its blocks may be of others.
//
// The body of a node makes all calls that bodies make, with these exceptions. If it releases or downgrades a block of
// the graph, the run keeps the block: EDTs outside get it at the end, even if a node has satisfied their event with it
// before. The body must not destroy such a block or hand it over by Pass ([ErrHeldByGraph], if the node has a slot with
// the block), nor call Again ([ErrGoesOn]), nor write to its parameters, which its later runs share. The result of the
// body is checked, and satisfies no event.
//
// If the run is watched, by an observer or because it records sites, each run of the graph makes ordinary EDTs and once
// events from the same description. Each EDT then holds only its own blocks: EDTs outside may run between them.
type Recording struct {
	g      *Graph
	high   uint64 // high GUID word of the EDTs of this run and rank
	number uint64 // in the high half, the number of the recording in the run
	draft  draft

	// The rest is empty while the recording is open.
	sealed   bool
	template *Template    // of the EDT that begins a run
	records  []uint32     // the record of each node
	sources  []Ready      // the nodes without predecessors
	edges    []*edtRecord // the successors of all nodes, node by node
	deps     []dep.State  // what the bodies see, slot by slot
	holds    []hold       // the blocks of the graph
	holdOf   []uint32     // for each slot the index in holds of the block that comes on it, noHold for none
	sinks    uint32       // the number of nodes without successors
	plan     *plan.Plan   // if the runs are watched, else nil

	run recordedRun
}

// A recordedRun is the present run of a recording.
//
// Concurrency: Run, and later the workers that begin and end runs, write the fields. During a run, the workers that run
// its nodes read scope, and count left down.
type recordedRun struct {
	on    word.Bool
	scope uint32 // the finish scope in which Run was called; the run has one of its tokens
	begun bool
	times int // runs left, the present one included
	done  guid.GUID
	by    origin      // the call of Run
	_     [64]byte    // left has a cache line of its own
	left  record.Need // nodes without successors that have not ended
	_     [60]byte
}

// A hold is a block that a run of the graph holds.
type hold struct {
	mode datablock.Mode
	slot uint32 // the first slot that gives access to the block, if any does: its index over all nodes' slots
	node uint32 // the node that has the slot
	own  uint32 // the slot's number in that node
}

// noHold is the index of no hold.
const noHold = plan.None

// A draft describes a recording: until the recording is sealed, and after that if its runs are watched.
type draft struct {
	nodes   []draftNode
	params  []uint64
	sources []Source // of all slots, node by node
	after   []draftEdge
}

type draftNode struct {
	template      *Template
	params, slots int // where they begin
	paramc, depc  int
	place         Affinity
	prio          int8
	at            callers // the call of Add
}

type draftEdge struct{ from, to uint32 }

// callers are the return addresses of a call of this package and of its caller: the app's line is one of the two.
type callers [2]uintptr

func (c callers) position() site.Position { return site.At(0, c[:]...) }

// A Node is one EDT of a recorded graph. The zero Node is none.
type Node struct {
	r *Recording
	n uint32
}

// NewRecording makes an empty recording.
func (c *Ctx) NewRecording() *Recording {
	c.needRun("record graph")
	return &Recording{g: c.g, high: c.highEDT, number: uint64(c.g.recordings.Add(1)) << 32}
}

// Add adds a node: an EDT of the template with these parameters, which are copied, and one source for each slot. A
// source is [From] of a block, of [Node.Slot] or of [guid.Null].
//
// The calls that describe a graph have no [Ctx]: they panic if the recording is nil, sealed, destroyed or of a run that
// has ended. After and Slot panic also if an argument is wrong. Seal checks what Add was given.
//
//go:noinline
func (r *Recording) Add(t *Template, params []uint64, deps ...Source) Node {
	d := r.open()
	n := uint32(len(d.nodes))
	d.nodes = append(d.nodes, draftNode{
		template: t, params: len(d.params), paramc: len(params), slots: len(d.sources), depc: len(deps),
		at: callerPCs(),
	})
	d.params = append(d.params, params...)
	d.sources = append(d.sources, deps...)
	node := Node{r, n}
	if t != nil && t.hint != (Hint{}) {
		node.SetHint(t.hint)
	}
	return node
}

// SetHint sets the node's hint, in place of the template's, and returns the node.
func (n Node) SetHint(h Hint) Node {
	d := n.r.open()
	d.nodes[n.n].place, d.nodes[n.n].prio = h.Affinity, h.Priority
	return n
}

// After adds edges: in each run the node begins after these nodes of its graph have ended. The zero Node adds none.
func (n Node) After(predecessors ...Node) {
	d := n.r.open()
	for _, p := range predecessors {
		switch p.r {
		case nil:
		case n.r:
			d.after = append(d.after, draftEdge{p.n, n.n})
		default:
			panic("edt: a node after a node of another recorded graph")
		}
	}
}

// Slot names the block that comes on a slot of the node, as the source of a slot of another node. The other node begins
// after this one has ended. The slot must be one of the first [MaxPassed].
func (n Node) Slot(slot int) guid.GUID {
	if depc := n.r.open().nodes[n.n].depc; uint(slot) >= uint(min(depc, MaxPassed)) {
		panic(fmt.Sprintf("edt: slot %d of a node with %d, of which the first %d can be named", slot, depc, MaxPassed))
	}
	return guid.FromWords(n.r.high|uint64(slot+1), n.r.number|uint64(n.n))
}

// MaxPassed is the number of slots of a node that [Node.Slot] can name.
const MaxPassed = 126

// slotBits hold the slot plus 1, in the high word of Slot's GUID. Only a source of a node may be such a GUID.
const slotBits = 1<<7 - 1

func (r *Recording) isNodeSlot(id guid.GUID) (n uint32, slot int, ok bool) {
	hi, lo := id.Words()
	slot = int(hi&slotBits) - 1
	return uint32(lo), slot, slot >= 0 && hi&^slotBits == r.high && lo>>32 == r.number>>32
}

// open returns the description, to change it.
func (r *Recording) open() *draft {
	switch {
	case r == nil:
		panic("edt: no recorded graph: a nil Recording, or the zero Node")
	case r.g == nil:
		panic("edt: the recorded graph was destroyed, or NewRecording has not made it")
	case r.g.closed.Load():
		panic("edt: the recorded graph is one of a run that has ended")
	case r.sealed:
		panic("edt: a recorded graph was changed after Seal or Run")
	}
	return &r.draft
}

// layOut makes a record for each node, and the lists of their edges.
func (r *Recording) layOut(c *Ctx, p *plan.Plan) {
	d := &r.draft
	r.records, r.edges = make([]uint32, len(d.nodes)), make([]*edtRecord, len(p.Edges))
	for n := range d.nodes {
		k := &d.nodes[n]
		i := c.edts.Get()
		if i == 0 {
			c.misuse(opSeal, ErrMemory, guid.Null, "too many EDTs alive")
		}
		r.records[n] = i
		t := c.edts.At(i)
		if !k.template.registered {
			c.useTemplate(k.template)
		}
		if params := d.params[k.params:][:k.paramc]; len(params) > inlineParams {
			c.spillEDT(k.template, t, params, 0)
		} else {
			t.code = k.template.index | uint32(len(params))<<paramShift
			copy(t.params[:], params)
		}
		t.code |= flagNode
		t.need, t.depc, t.scope = record.NewNeed(p.Predecessors[n]), 0, scopeOfGraph|p.Predecessors[n]
		t.place, t.prio, t.phase = c.placeHere(k.place), k.prio, phaseRecorded
		t.out = uint64(Ready(i) | Ready(t.place)<<readyPlaceShift | Ready(uint8(k.prio))<<readyPrioShift)
		*t.node() = nodePart{
			r:     r.word(),
			first: uintptr(unsafe.Pointer(unsafe.SliceData(r.deps[k.slots:]))), depc: uint32(k.depc),
			next: uintptr(unsafe.Pointer(unsafe.SliceData(r.edges[p.Begin[n]:]))), edges: p.Begin[n+1] - p.Begin[n],
			at: k.at,
		}
		if p.Predecessors[n] == 0 {
			r.sources = append(r.sources, Ready(t.out))
		}
		if p.Begin[n] == p.Begin[n+1] {
			r.sinks++
		}
	}
	for k, to := range p.Edges {
		r.edges[k] = c.edts.At(r.records[to])
	}
}

// makeRun makes one run of a graph that is watched, from ordinary EDTs. Each has an output event, and behind its own
// slots a control slot for each predecessor. An EDT without predecessors has one control slot, for an event that
// makeRun satisfies when all is made. A last EDT, of the recording's own template, waits for the EDTs without
// successors, and ends the run. The events and the last EDT do not count as the program's.
func (r *Recording) makeRun(c *Ctx) {
	d, p := &r.draft, r.plan
	begin := c.innerEvent(Once)
	outs := make([]guid.GUID, len(d.nodes))
	controls := make([][]Source, len(d.nodes))
	var last []Source
	for n := range d.nodes {
		outs[n] = c.innerEvent(Once)
		control := From(outs[n], datablock.Null)
		for _, to := range p.Successors(uint32(n)) {
			controls[to] = append(controls[to], control)
		}
		if len(p.Successors(uint32(n))) == 0 {
			last = append(last, control)
		}
		if p.Predecessors[n] == 0 {
			controls[n] = append(controls[n], From(begin, datablock.Null))
		}
	}
	if len(d.nodes) == 0 {
		last = append(last, From(begin, datablock.Null))
	}
	by := r.run.by
	c.behalf = &by
	for n := range d.nodes {
		k := &d.nodes[n]
		by.at = k.at.position()
		r.makeNode(c, k, outs[n], controls[n])
	}
	c.behalf = nil
	c.spawnHere(0, 0, r.template, &Spec{Deps: last})
	c.n.EDTCreated--
	c.SatisfySlot(begin, guid.Null, Decr)
	c.n.EventSatisfied--
}

// makeNode makes the EDT of one node.
func (r *Recording) makeNode(c *Ctx, k *draftNode, out guid.GUID, controls []Source) {
	var deps []Source
	for slot := k.slots; slot < k.slots+k.depc; slot++ {
		deps = append(deps, Source{r.deps[slot].ID, r.draft.sources[slot].mode})
	}
	deps = append(deps, controls...)
	if len(deps) > MaxDeps {
		c.misuse(opReplay, ErrCount, guid.Null, "a node has %d slots and predecessors, at most %d if its runs are watched",
			len(deps), MaxDeps)
	}
	i, t := c.allocEDT(k.template, r.draft.params[k.params:][:k.paramc], len(deps))
	t.place, t.prio = c.placeHere(k.place), k.prio
	_, t.out = out.Words()
	c.startSlow(i, t, c.g.edtGUID(i, t), deps)
	slots := c.g.slotsOf(t)
	for n := k.depc; n < len(deps); n++ { // no event has triggered yet
		slots[n].link |= modeControl
	}
}

// modeControl, added to mode Null, marks a control slot. No block comes on it, and the body does not see it.
const modeControl = 1 << linkModeAt

// hideControls takes the control slots off the dependences of the running EDT. It reports whether there are any: then
// the EDT is a node of a recorded graph.
func (c *Ctx) hideControls() bool {
	slots := c.g.slotsOf(c.running())
	n := len(slots)
	for n > 0 && slots[n-1].link&linkMode == uint64(datablock.Null)<<linkModeAt|modeControl {
		n--
	}
	if n == len(slots) {
		return false
	}
	c.deps, c.again.stage = c.deps[:n], againInGraph
	return true
}
