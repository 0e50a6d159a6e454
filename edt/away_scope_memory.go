package edt

import (
	"bytes"
	"slices"

	"ocr/guid"
)

// Scope memory over ranks. An EDT that is made on another rank takes along how the memory of the scopes around it
// began, of each owner the innermost. A proxy that is made with it gets memory of its own, of which EDTs there know no
// difference. When the proxy closes all that its EDTs have added is merged into one lane, which goes back with the
// tokens; the courier merges that into the scope's memory, or that of a proxy, before it gives the tokens back. So a
// scope has everything when it closes, and each addition is counted once, whatever proxies close and are made anew.
//
// A scope with memory is always on the rank of its memory: if its root is made on another rank, that is in a scope
// which is opened here.

// A scopePart is a lane of an owner's on its way to another rank.
type scopePart struct {
	owner uint64
	lane  []byte
}

// partsAround returns how the memory that EDTs in a scope see began.
func (c *Ctx) partsAround(scope uint32) (parts []scopePart) {
	for scope != 0 {
		e := c.events.At(scope)
		if e.flags&eventMemory != 0 {
			r := c.blocks.At(uint32(e.memory))
			if owner := r.FirstWord(); !slices.ContainsFunc(parts, func(p scopePart) bool { return p.owner == owner }) {
				parts = append(parts, scopePart{owner, c.laneOf(r, laneZero)})
			}
		}
		scope = e.parent
	}
	return parts
}

// appendParts adds parts to the tail of a message: their number; of each the owner, its size, and how many bytes
// follow, as zeros at the end are left out.
func appendParts(tail []byte, parts []scopePart) []byte {
	tail = appendWords(tail, uint64(len(parts)))
	for _, p := range parts {
		kept := bytes.TrimRight(p.lane, "\x00")
		tail = appendWords(tail, p.owner, uint64(len(p.lane)), uint64(len(kept)))
		tail = append(tail, kept...)
	}
	return tail
}

// takeParts takes them from the front of a tail.
func takeParts(tail []byte) (parts []scopePart) {
	count, tail := appendFrom(nil, tail, 1), tail[8:]
	for range count[0] {
		head := appendFrom(nil, tail, 3)
		tail = tail[3*8:]
		lane := make([]byte, head[1])
		copy(lane, tail[:head[2]])
		parts, tail = append(parts, scopePart{head[0], lane}), tail[head[2]:]
	}
	return parts
}

// openProxyMemory gives a proxy memory: the first part to its own record, and each other to a record of its own, of
// which the proxy is inside.
func (c *Ctx) openProxyMemory(e *event, parts []scopePart) {
	for n, p := range parts {
		if n > 0 {
			e.parent, e = c.newScope(scopeProxy, 0)
		}
		i, r, err := c.blocks.Create(c.lanesSize(len(p.lane)), false)
		if err != nil {
			c.noMemory("create EDT", guid.Null, c.lanesSize(len(p.lane)), err)
		}
		r.SetFirstWord(p.owner)
		for w := range lanesAhead + c.g.config.Workers {
			copy(c.laneOf(r, w), p.lane)
		}
		e.flags, e.memory = eventMemory, r.Low(i)
	}
}

// closeProxyMemory frees the memory of a proxy, and returns what is in it.
func (c *Ctx) closeProxyMemory(e *event) (parts []scopePart) {
	for e.flags&eventMemory != 0 {
		i := uint32(e.memory)
		r := c.blocks.At(i)
		sum, owner := c.laneOf(r, laneRanks), r.FirstWord()
		for w := range c.g.config.Workers {
			mergeLanes(owner, sum, c.laneOf(r, lanesAhead+w))
		}
		if !bytes.Equal(sum, c.laneOf(r, laneZero)) {
			parts = append(parts, scopePart{owner, slices.Clone(sum)})
		}
		c.blocks.Destroy(i, r)
		e.flags = 0
		outer := e.parent
		e.parent = 0
		if outer == 0 {
			break
		}
		e = c.events.At(outer)
		defer c.freeScope(outer, e)
	}
	return parts
}

// mergeParts adds what EDTs of a scope have added on another rank.
func (c *Ctx) mergeParts(scope uint32, parts []scopePart) {
	for _, p := range parts {
		mergeLanes(p.owner, c.laneOf(c.scopeMemory(scope, p.owner), laneRanks), p.lane)
	}
}

// checkMemory ends the run if a finish scope of another rank has closed whose memory is here: what its EDTs have added
// is not in there.
func (c *Ctx) checkMemory(output guid.GUID) {
	_, lo := output.Words()
	if e := c.g.events.Lookup(lo); e != nil && e.flags&eventMemory != 0 {
		const why = "its finish scope was made on rank %d, and the value is on rank %d, which must make it"
		c.misuse("create EDT", ErrNoScope, output, why, c.from, c.g.away.me)
	}
}

// rootScope opens the scope of a finish EDT that is made on another rank, if the scope's memory is here. The EDT is in
// that scope, and no finish EDT itself.
func (c *Ctx) rootScope(output guid.GUID) (scope uint32) {
	hi, lo := output.Words()
	if hi != c.highEvent {
		return 0
	}
	if e := c.g.events.Lookup(lo); e == nil || e.flags&eventMemory == 0 {
		return 0
	}
	if c.scope != 0 {
		c.takeToken()
	}
	scope, e := c.newScope(scopeEvent, c.scope)
	e.out = lo
	c.inheritMemory(e)
	return scope
}
