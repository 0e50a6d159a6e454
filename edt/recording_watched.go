package edt

import (
	"ocr/datablock"
	"ocr/guid"
)

// makeRun makes one run of a graph that is watched, from ordinary EDTs. Each has an output event, and behind its own
// slots a control slot for each predecessor. The control slots of EDTs without predecessors wait for an event that
// makeRun satisfies when all is made. An EDT of the recording's own template waits for those without successors, and
// ends the run. None of these events, nor that EDT, counts as the program's.
func (r *Recording) makeRun(c *Ctx) {
	d, p := &r.draft, r.plan
	begin := c.NewEvent(Once)
	outs := make([]guid.GUID, len(d.nodes))
	controls := make([][]Source, len(d.nodes))
	var last []Source
	for n := range d.nodes {
		outs[n] = c.NewEvent(Once)
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
	by := &origin{edt: c.Self(), template: r.run.by.template}
	c.behalf = by
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
	made := uint64(len(outs) + 1)
	c.n.EventCreated -= made
	c.n.EventDestroyed -= made
}

// makeNode makes the EDT of one node.
func (r *Recording) makeNode(c *Ctx, k *draftNode, out guid.GUID, controls []Source) {
	var deps []Source
	for slot := k.slots; slot < k.slots+k.depc; slot++ {
		deps = append(deps, Source{r.deps[slot].ID, r.draft.sources[slot].mode})
	}
	deps = append(deps, controls...)
	i, t := c.allocEDT(k.template, r.draft.params[k.params:][:k.paramc], len(deps))
	t.place, t.prio = c.placeHere(k.place), k.prio
	_, t.out = out.Words()
	c.startSlow(i, t, c.g.edtGUID(i, t), deps)
	slots := c.g.slotsOf(t)
	for n := k.depc; n < len(deps); n++ { // no event has triggered yet
		slots[n].link |= modeControl
	}
}

// modeControl makes mode Null that of a control slot. No block comes on it, and the body does not see it.
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

// endHidden checks what the body of a node has returned, which satisfies nothing. From here on the EDT is as any other.
func (c *Ctx) endHidden(ret guid.GUID) {
	c.again.stage = 0
	c.checkReturn(ret)
}
