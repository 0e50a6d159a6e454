package edt

import (
	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/dep"
	"ocr/internal/core/ids"
	"ocr/internal/graph/plan"
)

const (
	opSeal      = "seal recorded graph"
	opReplay    = "run recorded graph"
	opUnrecord  = "destroy recorded graph"
	replayName  = "recorded graph"
	maxRecorded = 1 << 29
)

// Seal checks the graph, and lays it out for its runs. The run of the program ends with an [*Error] that names the line
// of the app, if the graph has a cycle ([ErrCycle]), if a slot has no source ([ErrNoSource]) or a wrong one, if a
// template has other numbers of parameters or slots ([ErrCount]), if a node names one block in two modes
// ([ErrMixedModes]), or if no path of edges orders two nodes that name one block in modes that exclude each other
// ([ErrUnordered]). The first [Recording.Run] seals an open recording. Seal does nothing if the recording is sealed. If
// the recording runs, Seal ends the run of the program ([ErrRuns]).
func (r *Recording) Seal(c *Ctx) {
	r.check(c, opSeal)
	if r.sealed {
		return
	}
	if n := len(r.draft.sources); n > maxRecorded {
		c.misuse(opSeal, ErrCount, guid.Null, "%d slots, at most %d", n, maxRecorded)
	}
	s := planner{r: r, c: c, d: &r.draft}
	s.checkNodes()
	s.findBlocks()
	p := s.order()
	r.template = makeTemplate(replayName, 0, Unknown, r.begin)
	if !c.local.add(r.template) {
		c.misuse(opSeal, ErrMemory, guid.Null, tooManyTemplates, runTemplate)
	}
	c.noteSite(guid.KindTemplate, r.template.index) // a recording that is never destroyed is a template that leaks
	if c.obs != nil {
		r.plan = p
		r.pinTemplates(1)
	} else {
		r.layOut(c, p)
		r.draft = draft{}
	}
	r.sealed = true
}

// pinTemplates adds n to the pins of each node's template.
func (r *Recording) pinTemplates(n int32) {
	for _, k := range r.draft.nodes {
		k.template.pins.Add(n)
	}
}

// check ends the run if the recording cannot be used on this Ctx now.
func (r *Recording) check(c *Ctx, op string) {
	c.needRun(op)
	switch {
	case r == nil || r.g == nil:
		c.misuse(op, ErrKind, guid.Null, "nil, zero or destroyed, need a recording that NewRecording made")
	case r.high != c.highEDT:
		c.misuse(
			op, ErrForeign, guid.Null, "it was recorded in another run, or on another rank: a recording lives on one rank",
		)
	case r.run.on.Load():
		c.misuse(op, ErrRuns, guid.Null, "")
	}
}

// described returns the running EDT as the origin of an error, with the line of a call that described the graph. If the
// app made that call through too many functions of layers on this package, the line is that of the EDT's own call.
func (at callers) described(c *Ctx) *origin {
	o, p := c.describedOrigin(), at.position()
	if file, _ := p.Line(); file != "" {
		o.at = p
	}
	return o
}

// A planner is what Seal knows of the graph that it checks.
type planner struct {
	r *Recording
	c *Ctx
	d *draft

	uses   []plan.Use           // of all slots
	number map[guid.GUID]uint32 // the index in r.holds of each block of the graph
}

// refuse ends the run by an error at the line that added a node.
func (s *planner) refuse(k *draftNode, cause *Condition, format string, args ...any) {
	s.c.behalf = k.at.described(s.c)
	defer func() { s.c.behalf = nil }()
	s.c.misuse(opSeal, cause, guid.Null, format, args...)
}

// checkNodes checks each node by itself.
func (s *planner) checkNodes() {
	c := s.c
	defer func() { c.behalf = nil }()
	for n := range s.d.nodes {
		k := &s.d.nodes[n]
		if s.plain(k) {
			continue
		}
		c.behalf = k.at.described(c)
		c.checkTemplate(opSeal, k.template)
		c.checkCounts(opSeal, k.template, k.paramc, k.depc)
		c.checkPlace(opSeal, k.place)
		if to, _, other := c.homeOf(k.place); other {
			c.misuse(opSeal, ErrHint, guid.Null, "worker %d is on rank %d: a recording lives on one rank", k.place.Worker(), to)
		}
		c.behalf = nil
	}
}

// plain reports whether a node surely passes all checks of checkNodes, as most nodes do.
func (s *planner) plain(k *draftNode) bool {
	c, t := s.c, k.template
	return t != nil && (t.registered || t.of == c.local && !t.gone.Load()) && k.paramc == t.paramc && k.depc == t.depc &&
		(k.place == 0 || c.g.ranks == nil && uint(k.place.Worker()) < uint(c.g.config.Workers))
}

// findBlocks finds the block that comes on each slot, and the blocks that a run holds.
func (s *planner) findBlocks() {
	r, slots := s.r, len(s.d.sources)
	r.deps, r.holdOf = make([]dep.State, slots), make([]uint32, slots)
	s.uses, s.number = make([]plan.Use, slots), make(map[guid.GUID]uint32)
	for n := range s.d.nodes {
		k := &s.d.nodes[n]
		for slot := k.slots; slot < k.slots+k.depc; slot++ {
			id, mode := s.d.sources[slot].id, s.d.sources[slot].mode
			if from, passed, ok := r.isNodeSlot(id); ok {
				id = r.deps[s.d.nodes[from].slots+passed].ID // this node was added before
			} else {
				s.checkSource(k, slot-k.slots, id)
			}
			if !mode.Valid() {
				s.refuse(k, ErrMode, "%v on slot %d", mode, slot-k.slots)
			}
			b := noHold
			if id != guid.Null {
				b = s.hold(id, hold{mode, uint32(slot), uint32(n), uint32(slot - k.slots)})
				r.deps[slot] = dep.State{ID: id, Access: dep.Access(mode)}
			}
			r.holdOf[slot], s.uses[slot] = b, plan.Use{Block: b, Node: uint32(n), Mode: mode}
		}
	}
}

// hold adds the block of a slot to the blocks that a run holds, or widens the mode in which the run holds the block. by
// is the hold for this slot alone. hold returns the index of the run's hold.
func (s *planner) hold(id guid.GUID, by hold) uint32 {
	r := s.r
	b, ok := s.number[id]
	if !ok {
		b = uint32(len(r.holds))
		s.number[id], r.holds = b, append(r.holds, by)
		return b
	}
	if h := &r.holds[b]; h.mode == datablock.Null {
		*h = by
	} else {
		h.mode = widest(h.mode, by.mode)
	}
	return b
}

// widest returns a mode that gives what modes a and b give, and excludes all that modes a and b exclude.
func widest(a, b datablock.Mode) datablock.Mode {
	switch {
	case a == b || b == datablock.Null || b == datablock.RO && a != datablock.Null:
		return a
	case a == datablock.Null || a == datablock.RO:
		return b
	}
	return datablock.EW
}

// checkSource ends the run if id, which names no slot of a node of r, cannot be a slot's source.
func (s *planner) checkSource(k *draftNode, slot int, id guid.GUID) {
	c := s.c
	hi, lo := id.Words()
	cause, detail := (*Condition)(nil), ""
	switch {
	case hi == c.highBlock:
		if c.g.blocks.Lookup(lo) == nil {
			cause, detail = ErrStale, "the data block was destroyed"
		}
	case hi&^slotBits == c.highEDT && hi&slotBits != 0:
		cause, detail = ErrForeign, "of another recorded graph"
	case id == guid.Null || c.isRemote(id, guid.KindBlock):
	case id.IsUninitialized():
		cause, detail = ErrNoSource, "the slot is open"
	case id == noSource:
		cause, detail = ErrNoSource, "the zero Source, Event or Block"
	case c.isEvent(id):
		cause, detail = ErrKind, "an event: a node waits for nodes, and gets blocks"
	case (hi^c.highEDT)>>ids.RunShift != 0 && id.Kind() != guid.KindNone:
		cause, detail = ErrForeign, "of another run"
	default:
		cause, detail = ErrKind, "need a data block, or a node's slot"
	}
	if cause != nil {
		s.refuse(k, cause, "slot %d: %s", slot, detail)
	}
}

// order plans the graph. It ends the run if the graph cannot run.
func (s *planner) order() *plan.Plan {
	p, fault := plan.Of(plan.Graph{Nodes: len(s.d.nodes), Blocks: len(s.r.holds), Edges: s.r.edgesOfDraft, Uses: s.uses})
	if fault == nil {
		return p
	}
	node, first := &s.d.nodes[fault.Node], fault.First
	switch fault.Why {
	case plan.Cycle:
		s.refuse(node, ErrCycle, "this node of template %s is one of %d that wait for each other",
			node.template.name, fault.Cycle)
	case plan.Mixed:
		s.refuse(node, ErrMixedModes, "slot %d: %v, and %v on another slot", fault.Slot, fault.Second.Mode, first.Mode)
	default:
		other := &s.d.nodes[first.Node]
		at := other.at.position()
		s.refuse(node, ErrUnordered,
			"this node of template %s has %v in mode %v, and the node of template %s added at %s in mode %v",
			node.template.name, s.r.deps[s.r.holds[first.Block].slot].ID, fault.Second.Mode,
			other.template.name, at.String(), first.Mode)
	}
	return nil
}

// edgesOfDraft yields the edges of the draft, some more than once.
func (r *Recording) edgesOfDraft(yield func(from, to uint32) bool) {
	d := &r.draft
	for _, e := range d.after {
		if !yield(e.from, e.to) {
			return
		}
	}
	for n := range d.nodes {
		k := &d.nodes[n]
		for _, src := range d.sources[k.slots : k.slots+k.depc] {
			if from, _, ok := r.isNodeSlot(src.id); ok && !yield(from, uint32(n)) {
				return
			}
		}
	}
}
