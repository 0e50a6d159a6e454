package edt

import "ocr/guid"

// What follows is for packages that put a layer on this one, such as ocr/task/par: memory that EDTs of a
// finish scope use without acquiring it, each worker its own part. It is a block that no EDT has while the scope is
// open: the creator of the scope has released it, and the EDT that waits for the scope's output event acquires it.
//
// The block is noted with the output event, a once event: that lives exactly as long as the scope.

// SetScopeMemory gives a block to the finish scope that is about to be made with this output event: a once event
// that nothing else satisfies. The block begins with owner, and must not be destroyed before the event triggers.
func (c *Ctx) SetScopeMemory(output, block guid.GUID) {
	hi, lo := output.Words()
	e := c.g.events.Lookup(lo)
	if hi != c.highEvent || e == nil || e.typ != Once {
		c.misuse("set scope memory", ErrKind, output, "need a once event")
	}
	c.block("set scope memory", block, ErrStale)
	_, e.label = block.Words()
	e.flags |= eventMemory
}

// ScopeMemory returns the memory that begins with owner of the innermost finish scope around the EDT that runs
// which has such memory, nil if none has. It is valid until the EDT ends.
func (c *Ctx) ScopeMemory(owner uint64) []byte {
	for s := c.scope; s != 0; {
		e := c.events.At(s)
		if out := c.g.events.Lookup(e.out); out != nil && out.flags&eventMemory != 0 {
			if r := c.blocks.At(uint32(out.label)); r.FirstWord() == owner {
				return r.Bytes()
			}
		}
		s = e.parent
	}
	return nil
}
