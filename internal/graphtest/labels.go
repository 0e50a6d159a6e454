package graphtest

import (
	"errors"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// takeLabels gives every labelled object of the plan its label, before anybody can
// use it. The ranges are destroyed at the end, or at once, which disturbs nothing.
func (x *Execution) takeLabels(c *edt.Ctx) {
	var events, blocks, edts []*guid.GUID
	for e := range x.events {
		if x.p.Events[e].Label {
			events = append(events, &x.events[e])
		}
	}
	for b := range x.blocks {
		if x.p.Blocks[b].Label {
			blocks = append(blocks, &x.blocks[b])
		}
	}
	for i := range x.edts {
		if x.p.Nodes[i].Label {
			edts = append(edts, &x.edts[i])
		}
	}
	x.takeRange(c, guid.KindEvent, events)
	x.takeRange(c, guid.KindBlock, blocks)
	x.takeRange(c, guid.KindEDT, edts)
}

func (x *Execution) takeRange(c *edt.Ctx, kind guid.Kind, names []*guid.GUID) {
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
	var err error
	switch label := x.events[e]; ev.Type {
	case edt.Latch:
		err = c.NewLabelledLatch(label, int64(ev.Decrs))
	case edt.Counted:
		err = c.NewLabelledCounted(label, ev.Uses)
	case edt.Channel:
		err = c.NewLabelledChannel(label, ev.bound())
	default:
		err = c.NewLabelledEvent(label, ev.basicType())
	}
	switch {
	case err == nil:
		x.winners[e].Add(1)
	case !errors.Is(err, edt.ErrExists):
		x.problem("labelled event %d: %v", e, err)
	}
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

// waits is how many slots wait for an event.
func (v *Victim) waits() (n int) {
	for _, s := range v.Slots {
		if s.Kind == fromEvent {
			n++
		}
	}
	return n
}
