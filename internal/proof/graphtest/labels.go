package graphtest

import (
	"errors"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// takeLabels gives every labelled object of the plan its label, before its first
// use. The ranges are destroyed at the end, or at once, which disturbs nothing.
func (x *Execution) takeLabels(c *edt.Ctx) {
	x.takeRange(c, guid.KindEvent, x.events, func(e int) bool { return x.p.Events[e].Label })
	x.takeRange(c, guid.KindBlock, x.blocks, func(b int) bool { return x.p.Blocks[b].Label })
	x.takeRange(c, guid.KindEDT, x.edts, func(i int) bool { return x.p.Nodes[i].Label })
}

func (x *Execution) takeRange(c *edt.Ctx, kind guid.Kind, all []guid.GUID, labelled func(int) bool) {
	var names []*guid.GUID
	for k := range all {
		if labelled(k) {
			names = append(names, &all[k])
		}
	}
	if len(names) == 0 {
		return
	}
	r := c.NewRange(len(names), kind)
	for k, name := range names {
		*name = c.Label(r, k)
	}
	if x.p.Seed%2 == 0 {
		c.DestroyRange(r)
		return
	}
	x.ranges = append(x.ranges, r)
}

func (x *Execution) dropLabels(c *edt.Ctx) {
	for _, r := range x.ranges {
		c.DestroyRange(r)
	}
}

// newLabelled creates a labelled event, or finds that another node was faster.
func (x *Execution) newLabelled(c *edt.Ctx, e int, ev *Event) {
	switch err := newLabelledEvent(c, x.events[e], ev.creationType(), ev.count()); {
	case err == nil:
		x.winners[e].Add(1)
	case !errors.Is(err, edt.ErrExists):
		x.problem("labelled event %d: %v", e, err)
	}
}

// newLabelledEvent creates an event of any type under a label; see [Event.count] for n.
func newLabelledEvent(c *edt.Ctx, label guid.GUID, typ edt.EventType, n int) error {
	switch typ {
	case edt.Latch:
		return c.NewLabelledLatch(label, int64(n))
	case edt.Counted:
		return c.NewLabelledCounted(label, n)
	case edt.Channel:
		return c.NewLabelledChannel(label, n)
	}
	return c.NewLabelledEvent(label, typ)
}

// checkWinners checks that each labelled event was created once.
func (x *Execution) checkWinners() {
	for e := range x.p.Events {
		if n := x.winners[e].Load(); x.p.Events[e].Label && n != 1 {
			x.problem("labelled event %d was created %d times", e, n)
		}
	}
}

// makeBlock creates a shared block that the node holds.
func (x *Execution) makeBlock(c *edt.Ctx, b int) (guid.GUID, []byte) {
	block := &x.p.Blocks[b]
	if !block.Label {
		return c.NewBlock(8 * block.Words)
	}
	bytes, err := c.NewLabelledBlock(x.blocks[b], 8*block.Words)
	if err != nil {
		x.problem("labelled block %d: %v", b, err)
	}
	return x.blocks[b], bytes
}

func (x *Execution) newLabelledNode(c *edt.Ctx, i int) {
	n := &x.p.Nodes[i]
	t := c.NewTemplate("labelled", len(n.Params), len(n.Slots), x.body)
	defer c.DestroyTemplate(t)
	if err := c.NewLabelledEDT(x.edts[i], t, n.Params); err != nil {
		x.problem("labelled node %d: %v", i, err)
	}
}

// newLabelledVictim creates an EDT to destroy under a label of its own.
func (x *Execution) newLabelledVictim(c *edt.Ctx, v *Victim) guid.GUID {
	r := c.NewRange(1, guid.KindEDT)
	defer c.DestroyRange(r)
	t := c.NewTemplate("victim", 1, len(v.Slots), x.body)
	defer c.DestroyTemplate(t)
	label := c.Label(r, 0)
	if err := c.NewLabelledEDT(label, t, edt.Params(uint64(len(x.p.Nodes)))); err != nil {
		x.problem("labelled victim: %v", err)
	}
	for k, s := range v.Slots {
		if s.Kind == fromEvent {
			c.AddDependence(x.guid(s), label, k, datablock.RO)
		}
	}
	return label
}
