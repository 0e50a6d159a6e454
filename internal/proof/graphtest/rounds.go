package graphtest

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A Round is one more run of a node's EDT by Again. The EDT checks that the blocks on its slots are those of the run
// before.
type Round struct {
	Early bool          // in the first round: the node calls Again at the beginning of its body, not at the end
	Slot  int           // the slot that changes, modulo the number of slots
	Event edt.EventType // type of the event that brings the same block again (a latch brings none); 0 for no event
	Later bool          // another EDT satisfies the event, else the body does
}

// rounds adds rounds to node i.
func (g *generator) rounds(i int) {
	g.draw(choosingRounds, i)
	if !g.may(GoesOn, 25) {
		return
	}
	for range 1 + g.rng.IntN(4) {
		g.Nodes[i].Rounds = append(g.Nodes[i].Rounds, Round{
			Early: g.chance(50), Slot: g.rng.IntN(64), Later: g.chance(50),
			Event: edt.EventType(g.rng.IntN(int(edt.Channel) + 1)),
		})
	}
}

// count counts the objects that a round makes.
func (r *Round) count(n *edt.Counters, slots int) {
	n.EDTCreated++
	n.EDTRun++
	if slots == 0 || r.Event == 0 {
		return
	}
	n.EventCreated++
	n.EventSatisfied++
	if r.Later {
		n.EDTCreated++
		n.EDTRun++
		n.TemplateCreated++
	}
}

// onwards is the state that one round passes to the next.
type onwards struct {
	rounds int         // so far
	self   guid.GUID   // the EDT of the last round
	slots  []guid.GUID // the blocks that the next round must find
	event  guid.GUID   // an event that the next round must destroy, Null for none
}

// goOn calls Again if a round is left.
func (x *Execution) goOn(c *edt.Ctx, i int, in edt.Args) {
	n, o := &x.p.Nodes[i], &x.onwards[i]
	if o.rounds == len(n.Rounds) {
		return
	}
	r := n.Rounds[o.rounds]
	o.rounds++
	o.self = c.Self()
	var changes []edt.Change
	if o.rounds == 1 {
		for k, s := range n.Slots {
			o.slots = append(o.slots, in.Dep(k).GUID())
			if s.Consume {
				o.slots[k] = guid.Null
				if k != r.Slot%len(n.Slots) {
					changes = append(changes, edt.Change{Slot: k, Source: guid.Null})
				}
			}
		}
	}
	if len(n.Slots) == 0 {
		c.Again()
		return
	}
	k := r.Slot % len(n.Slots)
	if r.Event == 0 {
		c.Again(append(changes, edt.Change{Slot: k, Source: o.slots[k]})...)
		return
	}
	e := newEvent(c, r.Event, 1, 0)
	if r.Event == edt.Latch {
		o.slots[k] = guid.Null
	}
	block := o.slots[k]
	if (&Event{Type: r.Event}).persistent() {
		o.event = e
	}
	c.Again(append(changes, edt.Change{Slot: k, Source: e})...)
	if !r.Later {
		c.Satisfy(e, block)
		return
	}
	part(c, 0, func(c *edt.Ctx, _ edt.Args) { c.Satisfy(e, block) })
}

// nextRound is the body of a round.
func (x *Execution) nextRound(c *edt.Ctx, i int, in edt.Args) {
	n, o := &x.p.Nodes[i], &x.onwards[i]
	if c.Self() == o.self || !c.Output().IsNull() {
		x.problem("node %d goes on as %v, with output %v; it was %v", i, c.Self(), c.Output(), o.self)
	}
	x.checkParams(i, in)
	for k := range n.Slots {
		d := in.Dep(k)
		if d.GUID() != o.slots[k] || !d.IsNull() && d.Mode() != n.Slots[k].Mode {
			x.problem("slot %d of node %d, round %d: block %v in mode %v, want %v in mode %v", k, i, o.rounds, d.GUID(),
				d.Mode(), o.slots[k], n.Slots[k].Mode)
		}
		if d.IsNull() && d.Bytes() != nil {
			x.problem("slot %d of node %d, round %d: memory without a block", k, i, o.rounds)
		}
		if s := &n.Slots[k]; s.First && d.Bytes() != nil && s.Payload.Kind == shared &&
			x.p.Blocks[s.Payload.Block].Kind == tally {
			if ws := datablock.Slice[uint64](d); ws[2] != ^ws[0] && s.Mode != datablock.RW {
				x.problem("node %d, round %d, sees a half-done write: %x", i, o.rounds, ws)
			}
		}
	}
	if !o.event.IsNull() {
		c.DestroyEvent(o.event)
		o.event = guid.Null
	}
}
