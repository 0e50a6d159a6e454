package edt

import (
	"fmt"
	"math"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/ids"
	"ocr/internal/graph/plan"
)

const (
	opSeal      = "seal recorded graph"
	opReplay    = "run recorded graph"
	opUnrecord  = "destroy recorded graph"
	replayName  = "recorded graph"
	maxRecorded = math.MaxUint32 >> holdModeBits
)

// Seal checks the graph, and lays it out for its runs. The run of the program ends with an [*Error] that names the line
// of the app, if the graph has a cycle ([ErrCycle]), if a slot has no source ([ErrNoSource]) or a wrong one, if a
// template has other numbers of parameters or slots ([ErrCount]), if a node names one block in two modes
// ([ErrMixedModes]), or if no path of edges orders two nodes that name one block in modes that exclude each other
// ([ErrUnordered]). It also reports the first wrong call that described the graph. [Recording.Run] seals a recording
// that is open; a recording that is sealed stays as it is.
//
// Nodes that name one block by two inputs, or by an input and the block's GUID, are not compared: Run refuses them.
func (r *Recording) Seal(c *Ctx) {
	r.check(c, opSeal)
	if r.sealed {
		return
	}
	d := &r.draft
	if len(d.sources) > maxRecorded {
		c.misuse(opSeal, ErrCount, guid.Null, "%d slots, at most %d", len(d.sources), maxRecorded)
	}
	if f := d.fault; f != nil {
		r.refuse(c, f.cause, f.at, "%s", f.detail)
	}
	s := planner{r: r, c: c, d: d}
	s.checkNodes()
	s.resolveSources()
	s.order()
	r.layOut(&s)
	if !c.watched {
		r.draft = draft{inputs: d.inputs}
	}
	r.sealed = true
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

// refuse ends the run by an error at a line of the recording.
func (r *Recording) refuse(c *Ctx, cause *Condition, at callers, format string, args ...any) {
	c.behalf = at.described(c)
	defer func() { c.behalf = nil }()
	c.misuse(opSeal, cause, guid.Null, format, args...)
}

// described returns the running EDT as the origin of an error, with the line of a call that described the graph. If the
// app made that call through too many functions of ours, the line is that of the EDT's own call.
func (at callers) described(c *Ctx) *origin {
	o, p := c.origin(), at.position()
	if file, _ := p.Line(); file != "" {
		o.at = p
	}
	return o
}

// where names the line at which a node was added.
func (r *Recording) where(n uint32) string {
	p := r.draft.nodes[n].at.position()
	return p.String()
}

// slotText names a slot of the graph.
func (r *Recording) slotText(slot int) string {
	text := func(n int, at callers) string {
		p := at.position()
		return fmt.Sprintf("%d of node %d, added at %v", slot, n, p.String())
	}
	for n, i := range r.records {
		p := r.g.edts.At(i).node()
		if slot < int(p.depc) {
			return text(n, p.at)
		}
		slot -= int(p.depc)
	}
	for n := range r.draft.nodes { // the runs are watched, and have no records
		k := &r.draft.nodes[n]
		if slot < k.depc {
			return text(n, k.at)
		}
		slot -= k.depc
	}
	return ""
}

// A planner is what Seal knows of the graph while it checks it.
type planner struct {
	r *Recording
	c *Ctx
	d *draft

	blocks []plan.Use // what comes on each slot
	ids    []guid.GUID
	known  []bool // which of ids are known
	first  []int  // for each block of the graph, its first slot
	number map[guid.GUID]uint32

	*plan.Plan
}

// checkNodes checks each node without the others.
func (s *planner) checkNodes() {
	c := s.c
	for n := range s.d.nodes {
		k := &s.d.nodes[n]
		if s.plain(k) {
			continue
		}
		c.behalf = k.at.described(c)
		c.checkTemplate(opSeal, k.template)
		if t := k.template; t.paramc != Unknown && t.paramc != k.paramc || t.depc != Unknown && t.depc != k.depc {
			c.refuseCounts(opSeal, t, k.paramc, k.depc)
		}
		c.checkPlace(opSeal, k.place)
		if to, other := c.onOtherRank(k.place); other {
			c.misuse(opSeal, ErrHint, guid.Null, "worker %d is on rank %d: a recording lives on one rank", k.place.Worker(), to)
		}
		c.behalf = nil
	}
}

// plain reports whether a node passes all checks of checkNodes, as most nodes do.
func (s *planner) plain(k *draftNode) bool {
	c, t := s.c, k.template
	return t != nil && (t.registered || t.of == c.local && !t.gone.Load()) && k.paramc == t.paramc && k.depc == t.depc &&
		(k.place == 0 || c.g.ranks == nil && uint(k.place.Worker()) < uint(c.g.config.Workers))
}

// resolveSources finds the block that comes on each slot.
func (s *planner) resolveSources() {
	s.ids, s.blocks = make([]guid.GUID, len(s.d.sources)), make([]plan.Use, len(s.d.sources))
	s.known, s.number = make([]bool, len(s.d.sources)), make(map[guid.GUID]uint32)
	for n := range s.d.nodes {
		k := &s.d.nodes[n]
		for slot := range k.depc {
			src := &s.d.sources[k.slots+slot]
			id := s.resolve(uint32(n), slot)
			if !src.mode.Valid() {
				s.r.refuse(s.c, ErrMode, k.at, "%v on slot %d", src.mode, slot)
			}
			s.blocks[k.slots+slot] = s.use(uint32(n), k.slots+slot, id, src.mode)
		}
	}
}

// use numbers the blocks of the graph.
func (s *planner) use(node uint32, slot int, id guid.GUID, mode datablock.Mode) plan.Use {
	if id == guid.Null {
		return plan.Use{Block: plan.None, Node: node, Mode: mode}
	}
	b, ok := s.number[id]
	if !ok {
		b = uint32(len(s.first))
		s.number[id] = b
		s.first = append(s.first, slot)
	}
	return plan.Use{Block: b, Node: node, Mode: mode}
}

// resolve returns the block or input that comes on a slot, through any slots that pass it on. It notes the result for
// each of these slots, so that a block is followed through many nodes only once.
func (s *planner) resolve(n uint32, slot int) guid.GUID {
	k := &s.d.nodes[n]
	first := k.slots + slot
	at := first
	for hops := 0; !s.known[at]; hops++ {
		id := s.d.sources[at].id
		from, passed, ok := s.r.isNodeSlot(id)
		if !ok {
			s.ids[at], s.known[at] = s.checkSource(k.at, slot, id), true
			break
		}
		if hops > len(s.d.nodes) {
			s.r.refuse(s.c, ErrCycle, k.at, "slot %d gets what comes on itself", slot)
		}
		at = s.d.nodes[from].slots + passed
	}
	id := s.ids[at]
	for at = first; !s.known[at]; {
		s.ids[at], s.known[at] = id, true
		from, passed, _ := s.r.isNodeSlot(s.d.sources[at].id)
		at = s.d.nodes[from].slots + passed
	}
	return id
}

// checkSource ends the run if id is not a source of a node's slot.
func (s *planner) checkSource(at callers, slot int, id guid.GUID) guid.GUID {
	c := s.c
	hi, lo := id.Words()
	cause, detail := (*Condition)(nil), ""
	switch {
	case hi == c.highBlock:
		if c.g.blocks.Lookup(lo) == nil {
			cause, detail = ErrStale, "the data block was destroyed"
		}
	case hi == c.highBlock|inputBit && lo-s.r.number < uint64(s.d.inputs):
	case hi == c.highBlock|inputBit || hi&^slotBits == c.highEDT && hi&slotBits != 0:
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
		cause, detail = ErrKind, "need a data block, an input or a node's slot"
	}
	if cause != nil {
		s.r.refuse(c, cause, at, "slot %d: %s", slot, detail)
	}
	return id
}

// order plans the graph. It ends the run if the graph cannot run.
func (s *planner) order() {
	p, fault := plan.Of(plan.Graph{Nodes: len(s.d.nodes), Blocks: len(s.first), Edges: s.eachEdge, Uses: s.blocks})
	if fault != nil {
		s.refuse(fault)
	}
	s.Plan = p
}

func (s *planner) refuse(f *plan.Fault) {
	node, first := &s.d.nodes[f.Node], f.First
	switch f.Why {
	case plan.Cycle:
		s.r.refuse(s.c, ErrCycle, node.at, "this node of template %s is one of %d that wait for each other",
			node.template.name, f.Cycle)
	case plan.Mixed:
		s.r.refuse(s.c, ErrMixedModes, node.at, "slot %d: %v, and %v on another slot", f.Slot, f.Second.Mode, first.Mode)
	default:
		s.r.refuse(s.c, ErrUnordered, node.at,
			"this node of template %s has %v in mode %v, and the node of template %s added at %s in mode %v",
			node.template.name, s.ids[s.first[first.Block]], f.Second.Mode,
			s.d.nodes[first.Node].template.name, s.r.where(first.Node), first.Mode)
	}
}

// eachEdge yields the edges of the draft, some more than once.
func (s *planner) eachEdge(yield func(from, to uint32) bool) {
	for _, e := range s.d.after {
		if !yield(e.from, e.to) {
			return
		}
	}
	for n := range s.d.nodes {
		k := &s.d.nodes[n]
		for _, src := range s.d.sources[k.slots : k.slots+k.depc] {
			if from, _, ok := s.r.isNodeSlot(src.id); ok && !yield(from, uint32(n)) {
				return
			}
		}
	}
}
