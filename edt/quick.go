package edt

import (
	"ocr/datablock"
	"ocr/internal/core/word"
)

// Most EDTs are small: parameters and slots fit into the record, and at most one slot waits
// for an event. The functions here create such an EDT in one pass. They call nothing, so that
// all they need stays in registers. In every other case, and on misuse, they leave the work to
// the general functions, and have changed nothing that those do not write again.

// makeEDT makes an EDT with open slots. deps is the length of its dependence list, 0 for none.
func (c *Ctx) makeEDT(at Affinity, t *Template, params []uint64, deps int) (uint32, *edtRecord) {
	if c.watched || c.edts.Empty() || t == nil || len(params) != t.small || deps != 0 && deps != t.depc ||
		c.scope != 0 && c.tokens == 0 {
		return c.makeAnyEDT(at, t, params, deps)
	}
	if !t.registered {
		number := t.index % runTemplate
		if t.of != c.local || int(number) >= len(c.made) || t.gone.Load() {
			return c.makeAnyEDT(at, t, params, deps)
		}
		word.Publish(&c.made[number], c.made[number]+1)
	}
	i := c.edts.Take()
	k := c.edts.At(i)
	switch len(params) {
	case 1:
		k.params[0] = params[0]
	case 2:
		k.params[0], k.params[1] = params[0], params[1]
	case 3:
		k.params[0], k.params[1], k.params[2] = params[0], params[1], params[2]
	case 4:
		k.params[0], k.params[1], k.params[2], k.params[3] = params[0], params[1], params[2], params[3]
	}
	k.edtHead, k.out = t.head, 0
	k.place, k.prio, k.phase = at, t.hint.Priority, phaseWaiting
	if k.scope = c.scope; k.scope != 0 {
		c.tokens--
	}
	if k.depc != 0 {
		k.slots = [inlineSlots]slot{}
	}
	c.n.EDTCreated++
	return i, k
}

// quickSlots fills the slots of a new record with the blocks and Nulls of the dependence list.
// The list may have one event: quickSlots stores its word in the slot, and returns the slot
// and the event. In other cases, and on misuse, it returns inlineSlots, and has changed nothing
// that start does not write again.
func (c *Ctx) quickSlots(k *edtRecord, deps []Source) (at int, e *event) {
	need := k.need.Left()
	for n := range deps {
		d, s := &deps[n], &k.slots[n&(inlineSlots-1)]
		hi, lo := d.id.Words()
		link := uint64(d.mode)<<linkModeAt | slotFilled
		switch {
		case d.mode > datablock.Null:
			return inlineSlots, nil
		case hi == c.highBlock:
			if c.g.blocks.Lookup(lo) == nil {
				return inlineSlots, nil
			}
		case hi == c.highEvent:
			if e != nil {
				return inlineSlots, nil
			}
			if e = c.g.events.Lookup(lo); e == nil {
				return inlineSlots, nil
			}
			at = n
			s.word = lo
			continue
		case hi|lo != 0:
			return inlineSlots, nil
		}
		need--
		s.word, s.link = lo, link
	}
	k.need.SetLeft(need)
	return at, e
}
