package edt

import (
	"unsafe"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/dep"
	"ocr/internal/graph/record"
)

// layOut makes the records and lists of the runs.
func (r *Recording) layOut(s *planner) {
	r.layOutBlocks(s)
	if r.template == nil {
		r.template = makeTemplate(replayName, 0, Unknown, r.begin)
		if !s.c.local.add(r.template) {
			s.c.misuse(opSeal, ErrMemory, guid.Null, tooManyTemplates, runTemplate)
		}
		s.c.noteSite(guid.KindTemplate, r.template.index) // a recording that is never destroyed is a template that leaks
	}
	r.free(s.c)
	if !s.c.watched {
		r.layOutNodes(s)
	}
}

// layOutBlocks lists the blocks that come on the slots, and the holds of a run.
func (r *Recording) layOutBlocks(s *planner) {
	r.holds, r.asNamed, r.named = make([]hold, len(s.first)), nil, make(map[uint32]guid.GUID)
	for b, slot := range s.first {
		r.holds[b] = newHold(slot, s.blocks[slot].Mode)
		if id := s.ids[slot]; !s.isBlock(id) {
			r.named[uint32(b)] = id
		}
	}
	r.holdOf = make([]uint32, len(s.ids))
	r.deps = make([]dep.State, len(s.ids))
	for k, u := range s.blocks {
		r.holdOf[k] = u.Block
		if u.Block != noHold {
			r.deps[k] = dep.State{ID: s.ids[k], Access: dep.Access(u.Mode)}
			h := &r.holds[u.Block]
			if *h = newHold(h.slot(), widest(h.mode(), u.Mode)); s.blocks[h.slot()].Mode == datablock.Null {
				*h = newHold(k, h.mode())
			}
		}
		if id := s.d.sources[k].id; id != s.ids[k] || !s.isBlock(id) && id != guid.Null {
			r.asNamed = append(r.asNamed, namedSource{k, id})
		}
	}
}

// isBlock reports whether a source that is not Null names a block, and is no input.
func (s *planner) isBlock(id guid.GUID) bool {
	hi, _ := id.Words()
	return hi == s.c.highBlock || s.c.isRemote(id, guid.KindBlock)
}

// widest returns a mode that gives what a and b give, and excludes all that they exclude.
func widest(a, b datablock.Mode) datablock.Mode {
	switch {
	case a == b || b == datablock.Null || b == datablock.RO && a != datablock.Null:
		return a
	case a == datablock.Null || a == datablock.RO:
		return b
	}
	return datablock.EW
}

// layOutNodes makes a record for each node.
func (r *Recording) layOutNodes(s *planner) {
	c, d := s.c, s.d
	r.records, r.edges, r.sources, r.sinks = make([]uint32, len(d.nodes)), make([]*edtRecord, len(s.Edges)), nil, 0
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
		c.setParams(i, t, k, d.params[k.params:k.params+k.paramc])
		t.code |= flagNode
		t.need, t.depc, t.scope = record.NewNeed(s.Predecessors[n]), 0, scopeOfGraph|s.Predecessors[n]
		t.place, t.prio, t.phase = c.placeHere(k.place), k.prio, phaseRecorded
		t.out = uint64(Ready(i) | Ready(t.place)<<readyPlaceShift | Ready(uint8(k.prio))<<readyPrioShift)
		*t.node() = nodePart{
			r:     r.word(),
			first: uintptr(unsafe.Pointer(unsafe.SliceData(r.deps[k.slots:]))), depc: uint32(k.depc),
			next: uintptr(unsafe.Pointer(unsafe.SliceData(r.edges[s.Begin[n]:]))), edges: s.Begin[n+1] - s.Begin[n],
			number: uint32(n), at: k.at,
		}
		if s.Predecessors[n] == 0 {
			r.sources = append(r.sources, Ready(t.out))
		}
		if s.Begin[n] == s.Begin[n+1] {
			r.sinks++
		}
	}
	for k, to := range s.Edges {
		r.edges[k] = c.edts.At(r.records[to])
	}
}

func (c *Ctx) setParams(i uint32, t *edtRecord, k *draftNode, params []uint64) {
	if len(params) > inlineParams {
		c.spillEDT(k.template, t, params, 0)
		return
	}
	t.code = k.template.index | uint32(len(params))<<paramShift
	copy(t.params[:], params)
}

// free frees the records of the nodes.
func (r *Recording) free(c *Ctx) {
	for _, i := range r.records {
		c.freeEDT(i, c.edts.At(i))
	}
	r.records = nil
}

// recover makes the draft of a sealed recording. The records stay until the next Seal.
func (r *Recording) recover() {
	r.sealed = false
	if len(r.draft.nodes) > 0 {
		return // the runs are watched, and have no records
	}
	d := draft{inputs: r.draft.inputs}
	d.nodes = make([]draftNode, len(r.records))
	d.sources = make([]Source, len(r.deps))
	for k := range r.deps {
		d.sources[k] = Source{r.deps[k].ID, modeOf(&r.deps[k])}
	}
	for _, g := range r.asNamed {
		d.sources[g.slot].id = g.id
	}
	slots := 0
	for n, i := range r.records {
		t := r.g.edts.At(i)
		p := t.node()
		params := r.g.paramsOf(t)
		d.nodes[n] = draftNode{
			template: r.g.template(t), params: len(d.params), paramc: len(params), slots: slots, depc: int(p.depc),
			place: r.g.globalPlace(t.place), prio: t.prio, at: p.at,
		}
		slots += int(p.depc)
		d.params = append(d.params, params...)
		for _, to := range p.successors() {
			d.after = append(d.after, draftEdge{uint32(n), to.node().number})
		}
	}
	r.draft = d
}
