package edt

import (
	"unsafe"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/dep"
)

// README.md tells how a run proceeds ("Recorded graphs").

// Three fields mean something else in a node's record: out is the node's Ready word, scope the number of predecessors,
// and depc is 0. So a worker that counts the node's need down touches one cache line of the record.

// A nodePart is in the record of a node in place of the slots. After Seal it is only read.
type nodePart struct {
	r           uintptr // *Recording. A record has no pointers; the recording's template keeps the recording alive.
	first, next uintptr // *dep.State, **edtRecord: the node's slots in Recording.deps, its successors in Recording.edges
	depc, edges uint32  // how many there are
	at          callers
	_           [16]byte
}

var _ [0]struct{} = [unsafe.Sizeof(nodePart{}) - unsafe.Sizeof([inlineSlots]slot{})]struct{}{}

// node is sound because a record whose flagNode is set has no slots, and a nodePart has their size.
func (t *edtRecord) node() *nodePart { return (*nodePart)(unsafe.Pointer(&t.slots)) }

// word returns the recording as a word of a nodePart, and recording is the inverse. From layOut until Destroy the
// recording's template keeps the recording in memory: the template's body is a method of it.
func (r *Recording) word() uintptr        { return uintptr(unsafe.Pointer(r)) }
func (n *nodePart) recording() *Recording { return *(**Recording)(unsafe.Pointer(&n.r)) }

// deps and successors make slices without a check: Seal has made the lists.
func (n *nodePart) deps() []dep.State {
	return (*(**[maxRecorded]dep.State)(unsafe.Pointer(&n.first)))[:n.depc:n.depc]
}

func (n *nodePart) successors() []*edtRecord {
	return (*(**[maxRecorded]*edtRecord)(unsafe.Pointer(&n.next)))[:n.edges:n.edges]
}

// Run runs the graph the given number of times, each run after the one before, and then satisfies done, [guid.Null] for
// none. The runs begin when all blocks of the graph are acquired, each in a mode as wide as all its uses, and the
// blocks are released after the last run: an EDT outside the graph that needs one of them waits until then. The program
// may destroy a block of the graph only after the last run: if the run is watched, nodes that are not made yet need the
// block's GUID. The runs count as one EDT in the finish scope of the calling EDT. EDTs that nodes create are in that
// scope too.
//
// The run of the program ends under the conditions of [Recording.Seal], if a block was destroyed ([ErrStale]), if the
// recording runs already ([ErrRuns]), or if times is below 1 ([ErrCount]).
//
//go:noinline
func (r *Recording) Run(c *Ctx, times int, done guid.GUID) {
	r.check(c, opReplay)
	r.Seal(c)
	if times < 1 {
		c.misuse(opReplay, ErrCount, guid.Null, "%d runs, need at least 1", times)
	}
	deps := r.blocks(c)
	if r.run.on.Swap(true) {
		c.misuse(opReplay, ErrRuns, guid.Null, "")
	}
	run := &r.run
	run.times, run.done, run.begun = times, done, false
	run.by = origin{edt: c.Self(), template: c.runs(), at: callerPCs().position()}
	if c.obs != nil {
		deps = nil // each EDT acquires its own
	}
	c.spawnHere(0, 0, r.template, &Spec{Deps: deps})
	c.n.EDTCreated-- // the EDT that begins the runs does not count as the program's
}

func (r *Recording) blocks(c *Ctx) []Source {
	blocks := make([]Source, len(r.holds))
	for b, h := range r.holds {
		id := r.deps[h.slot].ID
		if hi, lo := id.Words(); hi == c.highBlock && c.g.blocks.Lookup(lo) == nil {
			at := r.added(h.node).position()
			c.misuse(opReplay, ErrStale, id, "it comes on slot %d of node %d, added at %v", h.own, h.node, at.String())
		}
		blocks[b] = Source{id, h.mode}
	}
	return blocks
}

// added returns the call of Add that added a node.
func (r *Recording) added(n uint32) callers {
	if len(r.records) == 0 { // the runs are watched
		return r.draft.nodes[n].at
	}
	return r.g.edts.At(r.records[n]).node().at
}

// begin is the body of the EDT that begins the runs. If the runs are watched, an EDT with this body also ends each of
// the runs.
func (r *Recording) begin(c *Ctx, _ Args) guid.GUID {
	c.n.EDTRun--
	if run := &r.run; run.begun {
		r.ends(c)
	} else {
		run.begun, run.scope = true, c.scope
		if c.scope != 0 {
			c.takeToken()
		}
		r.takeHolds(c)
		r.begins(c)
	}
	return guid.Null
}

// takeHolds takes over the holds of the EDT that begins the runs, and completes the descriptions of the slots. They are
// mostly complete already, as a block of this rank does not move.
func (r *Recording) takeHolds(c *Ctx) {
	same := true
	for b := range c.deps {
		d := &r.deps[r.holds[b].slot]
		same = same && *d == inGraph(&c.deps[b], modeOf(d))
	}
	if !same {
		for k, b := range r.holdOf {
			if b != noHold {
				r.deps[k] = inGraph(&c.deps[b], modeOf(&r.deps[k]))
			}
		}
	}
	c.deps, c.held = c.deps[:0], 0
}

// inGraph returns the description of a node's slot in this mode. held is that of the run's hold of the slot's block.
func inGraph(held *dep.State, mode datablock.Mode) dep.State {
	if mode == datablock.Null {
		return dep.State{ID: held.ID, Access: noAccess}
	}
	d := *held
	d.Access = dep.In(uint8(mode), dep.OfGraph).OfProxy(held.Access.Proxy())
	return d
}

func (r *Recording) begins(c *Ctx) {
	switch {
	case c.obs != nil:
		r.makeRun(c)
	case r.sinks == 0:
		r.ends(c)
	default:
		c.n.EDTCreated += uint64(len(r.records))
		r.run.left.SetLeft(r.sinks)
		for _, k := range r.sources {
			c.edts.At(k.index()).phase = phaseReady
			c.nodeReady(k)
		}
	}
}

// ends ends one run, in which all nodes have ended.
func (r *Recording) ends(c *Ctx) {
	run := &r.run
	if run.times--; run.times > 0 && len(r.records)+len(r.draft.nodes) > 0 {
		r.begins(c)
		return
	}
	if c.obs == nil {
		for _, h := range r.holds {
			if h.mode != datablock.Null {
				c.release(c.wordOf(&r.deps[h.slot]), h.mode)
			}
		}
	}
	done, scope, by := run.done, run.scope, run.by
	run.on.Store(false) // from here on another EDT may run the graph
	if done != guid.Null {
		c.behalf = &by
		c.SatisfySlot(done, guid.Null, Decr)
		c.behalf = nil
	}
	c.leaveScope(scope)
}

// executeNode is [Worker.Execute] for a node.
func (c *Ctx) executeNode(i uint32, t *edtRecord) Ready {
	n := t.node()
	r := n.recording()
	if r.run.scope != c.scope {
		c.enterScope(r.run.scope)
	}
	t.phase = phaseRunning
	c.current = i
	var tmpl *Template
	if index := t.code & templateMask; int(index) < len(c.registry) {
		tmpl = c.registry[index]
	} else {
		tmpl = c.templateOf(t)
	}
	if n := tmpl.small; n > 0 {
		c.params = t.params[:n]
	} else if c.params = c.params[:0]; n < 0 {
		c.takeParams(t)
	}
	c.deps = n.deps()
	c.n.EDTRun++
	ret := tmpl.fn(c, Args{c})
	if hi, lo := ret.Words(); hi|lo|uint64(len(c.created))|uint64(len(c.altered)) != 0 {
		c.finishNode(ret)
	}
	t.phase = phaseRecorded
	if n.edges == 0 {
		return c.endSink(r)
	}
	// Subtle: the last CountDown may end the run, and the program may then change r and n. The loop reads the list first.
	next := Ready(0)
	for _, s := range n.successors() {
		if !s.need.CountDown() {
			continue
		}
		s.need.SetLeft(s.scope &^ scopeOfGraph) // no other worker counts before the node has run
		s.phase = phaseReady
		if k := Ready(s.out); next == 0 && (k.Where() == 0 || k.Where() == uint32(c.self)) {
			next = k
		} else {
			c.nodeReady(k)
		}
	}
	c.current = 0
	return next
}

func (c *Ctx) endSink(r *Recording) Ready {
	c.atReady |= readyPicks
	if r.sinks == 1 || r.run.left.CountDown() {
		r.ends(c)
	}
	next := c.next
	c.next, c.current = 0, 0
	c.atReady &^= readyPicks
	return next
}

// nodeReady does for a node what [Ctx.ready] does for an EDT.
func (c *Ctx) nodeReady(k Ready) {
	if c.atReady&readyPicks != 0 && c.next == 0 && (k.Where() == 0 || k.Where() == uint32(c.self)) {
		c.next = k
		return
	}
	if !k.Placed() && c.nextSlot.EDT.Own() == 0 {
		c.nextSlot.EDT.Publish(uint64(k))
		if c.nextSlot.wanted() {
			c.nextSlot.Share()
		}
		return
	}
	c.host.Ready(k)
}

// finishNode does what few nodes need at their end.
func (c *Ctx) finishNode(ret guid.GUID) {
	if len(c.created) > 0 {
		c.releaseCreated()
	}
	if ret != guid.Null {
		c.checkReturn(ret)
	}
	for _, a := range c.altered {
		c.deps[a.slot] = a.was
	}
	c.altered = c.altered[:0]
}

// An alteredDep is the description of a slot whose block the body has given up. The end of the node restores it.
type alteredDep struct {
	slot int
	was  dep.State
}

// giveUpInGraph makes a body give up its access to a block of a recorded graph. The hold stays with the run.
func (c *Ctx) giveUpInGraph(block guid.GUID) {
	for k := range c.deps {
		if d := &c.deps[k]; d.ID == block && d.Access.Hold() == dep.OfGraph {
			c.altered = append(c.altered, alteredDep{k, *d})
			d.SetHold(dep.NotHeld)
		}
	}
}

// refuseOfGraph ends the run if the running EDT is a node with the block on a slot: the run of the graph holds the
// block.
func (c *Ctx) refuseOfGraph(op string, block guid.GUID) {
	if block.IsNull() || c.current == 0 || c.running().code&flagNode == 0 && c.again.stage != againInGraph {
		return
	}
	for k := range c.deps {
		if c.deps[k].ID == block {
			c.misuse(op, ErrHeldByGraph, block, "it comes on slot %d", k)
		}
	}
}

// Destroy frees the recording, which must not run ([ErrRuns]), and cannot be used afterwards. Its blocks stay.
func (r *Recording) Destroy(c *Ctx) {
	r.check(c, opUnrecord)
	for _, i := range r.records {
		c.freeEDT(i, c.edts.At(i))
	}
	if r.plan != nil {
		r.pinTemplates(-1)
	}
	if r.template != nil {
		r.template.gone.Store(true)
		c.local.remove(r.template)
	}
	*r = Recording{}
}
