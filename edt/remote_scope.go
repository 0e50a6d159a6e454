package edt

import (
	"bytes"
	"slices"

	"ocr/guid"
	"ocr/internal/core/block"
)

// Finish scopes over ranks. An EDT that is created on another rank counts there in a proxy of its scope, an event
// record of type scopeProxy: count is the number of tokens that EDTs and workers have, as in each scope; head is the
// number of tokens that the proxy got, one with each such EDT; out is the low word of the scope's GUID, and index the
// scope's rank. When the last EDT in the proxy has ended, the proxy closes and sends all its tokens back.
//
// Only the courier adds tokens of other ranks to the count of a proxy, and only if the count is above 0: the worker
// that has taken it to 0 closes the proxy.
//
// A proxy has scope memory of its own, which its EDTs use as they use the memory of a scope. For each owner it begins
// with the initial values of the innermost memory, in the scope or around it. When the proxy closes, all that its
// EDTs have added is merged into one lane, which goes back with the tokens. The courier merges this lane into the
// memory of the scope, or of another proxy, before it returns the tokens. So the memory is complete when the scope
// closes, and each addition is counted once. A scope is always on the rank of its memory: if its finish EDT is created
// on another rank, the scope is opened here, and the EDT counts in it.

// OpenScope makes a proxy of the scope with this low GUID word on another rank. The proxy has the token of one EDT,
// and memory that begins with these lanes.
func (h Home) OpenScope(rank int, scope uint64, memory []RemoteLane) uint32 {
	i, e := h.newScope(scopeProxy, 0, scope)
	e.head.Begin(1)
	e.index.Begin(uint32(rank))
	h.openProxyMemory(e, memory)
	return i
}

// EnterScope adds the token of one more EDT to a proxy. It reports false if the proxy is closed.
func (h Home) EnterScope(proxy uint32) bool {
	e := h.events.At(proxy)
	if !e.count.Enter() {
		return false
	}
	e.head.Begin(e.head.Look().Waiters() + 1)
	return true
}

// GiveTokens takes tokens back from another rank, for a scope of this rank or a proxy, and merges the memory.
func (h Home) GiveTokens(scope uint64, tokens int64, memory []RemoteLane) {
	for _, p := range memory {
		mergeLanes(p.Owner, h.laneOf(h.scopeMemory(uint32(scope), p.Owner), laneRanks), p.Lane)
	}
	h.giveTokens(uint32(scope), tokens)
}

// closeProxy sends back all tokens of a proxy, after all EDTs and workers have returned theirs, and frees its record.
func (c *Ctx) closeProxy(i uint32, e *event) {
	memory := c.closeProxyMemory(e)
	c.g.ranks.Send(c, int(e.index.Get()), Act{
		Kind: ActReturn, On: number(e.out), With: number(uint64(i)), Slot: RemoteSlot(e.head.Look()), Lanes: memory,
	})
	e.index.Begin(0)
	c.freeScope(i, e)
}

// memoryAround returns the initial lane of each memory that EDTs in a scope use.
func (c *Ctx) memoryAround(scope uint32) (parts []RemoteLane) {
	for scope != 0 {
		e := c.events.At(scope)
		if e.flags&eventMemory != 0 {
			r := c.blocks.At(uint32(e.memory))
			if owner := r.FirstWord(); !slices.ContainsFunc(parts, func(p RemoteLane) bool { return p.Owner == owner }) {
				parts = append(parts, RemoteLane{owner, c.laneOf(r, laneZero)})
			}
		}
		scope = e.parent
	}
	return parts
}

// openProxyMemory gives a proxy its memory: the first part to the proxy itself, each other part to a further proxy
// around it.
func (c *Ctx) openProxyMemory(e *event, parts []RemoteLane) {
	for n, p := range parts {
		if n > 0 {
			e.parent, e = c.newScope(scopeProxy, 0, 0)
		}
		i, r, err := c.blocks.Create(c.lanesSize(len(p.Lane)), false)
		if err != nil {
			c.noMemory("create EDT", guid.Null, c.lanesSize(len(p.Lane)), err)
		}
		r.SetFirstWord(p.Owner)
		for w := range lanesAhead + c.g.config.Workers {
			copy(c.laneOf(r, w), p.Lane)
		}
		e.flags, e.memory = eventMemory, r.Low(i)
	}
}

// closeProxyMemory frees the memory of a proxy, and returns what is in it.
func (c *Ctx) closeProxyMemory(e *event) (parts []RemoteLane) {
	for e.flags&eventMemory != 0 {
		i := uint32(e.memory)
		r := c.blocks.At(i)
		parts = append(parts, c.mergeAll(r)...)
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

// mergeAll returns the lanes of all workers and of other ranks as one lane, or nothing if none has changed.
func (c *Ctx) mergeAll(r *block.Record) []RemoteLane {
	sum, owner := c.laneOf(r, laneRanks), r.FirstWord()
	for w := range c.g.config.Workers {
		mergeLanes(owner, sum, c.laneOf(r, lanesAhead+w))
	}
	if bytes.Equal(sum, c.laneOf(r, laneZero)) {
		return nil
	}
	return []RemoteLane{{owner, slices.Clone(sum)}}
}

// checkMemory ends the run if a finish scope of another rank has closed and its memory is here: what its EDTs have
// added is not in that memory.
func (c *Ctx) checkMemory(output guid.GUID) {
	if e := c.g.events.Lookup(low(output)); e != nil && e.flags&eventMemory != 0 {
		const why = "its finish scope was made on rank %d, and the value is on rank %d, which must make it"
		c.misuse("create EDT", ErrNoScope, output, why, c.signed.From, c.g.ranks.Rank)
	}
}

// rootScope opens the scope of a finish EDT that is created on another rank, if the memory of the scope is here. The
// EDT then counts in the scope as an ordinary EDT.
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
	scope, _ = c.newScope(scopeEvent, c.scope, lo)
	return scope
}
