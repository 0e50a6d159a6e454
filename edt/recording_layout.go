package edt

import (
	"unsafe"

	"ocr/guid"
	"ocr/internal/graph/plan"
	"ocr/internal/graph/record"
)

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
		c.setParams(t, k, d.params[k.params:k.params+k.paramc])
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

func (c *Ctx) setParams(t *edtRecord, k *draftNode, params []uint64) {
	if len(params) > inlineParams {
		c.spillEDT(k.template, t, params, 0)
		return
	}
	t.code = k.template.index | uint32(len(params))<<paramShift
	copy(t.params[:], params)
}
