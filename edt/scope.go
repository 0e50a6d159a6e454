package edt

import (
	"ocr/guid"
	"ocr/internal/graph/record"
)

// A finish scope counts the EDTs in it that have not ended. One shared counter would be the hottest cache line of the
// program, so the scope hands out tokens. Every EDT in the scope has one token, and a worker that runs EDTs of the
// scope keeps a stock of tokens. A new EDT takes its token from the stock, an EDT that ends puts it back: neither
// touches the shared count. The worker returns its stock when it runs an EDT of another scope and when it has nothing
// to run, so a worker that does not run EDTs of a scope does not keep the scope open.
//
// The shared count is the number of tokens that EDTs and stocks have. It reaches zero only after every EDT of the scope
// has ended, and then no EDT is left that could take another token.

// A finishEDT identifies the EDT of a scope, for errors: the EDT itself has ended when the scope closes.
type finishEDT struct {
	low  uint64 // GUID word, 0 for none
	code uint32 // its template's index
}

// openScope makes the finish scope of an EDT that is being created, and returns the
// output event. The new scope counts in the creator's scope as one member.
func (c *Ctx) openScope(edt guid.GUID, k *edtRecord, output guid.GUID, own bool) guid.GUID {
	if own {
		output = c.NewLatch(1)
	}
	i, e := c.newScope(scopeEvent, k.scope)
	e.owner = finishEDT{low(edt), k.code & templateMask}
	_, e.out = output.Words()
	c.inheritMemory(e)
	k.scope = i
	k.out = 0
	k.code |= flagFinish
	if own {
		k.code |= flagOwnOut
	}
	return output
}

// newScope makes the record of a scope inside parent, with one token handed out.
func (c *Ctx) newScope(typ EventType, parent uint32) (uint32, *event) {
	i := c.events.Get()
	if i == 0 {
		c.misuse("create finish scope", ErrMemory, guid.Null, "too many events alive")
	}
	e := c.events.At(i)
	e.typ, e.flags, e.parent, e.owner = typ, 0, parent, finishEDT{}
	e.count.Begin(1)
	e.index.Begin(0)
	return i, e
}

// freeScope frees the record of a scope that is closed.
func (c *Ctx) freeScope(i uint32, e *event) {
	e.typ = 0
	if e.Expire() {
		c.events.Put(i)
	}
}

// takeToken takes the token of a new EDT in the scope c.scope.
func (c *Ctx) takeToken() {
	if c.tokens == 0 {
		c.events.At(c.scope).count.Take(record.TokenBatch)
		c.tokens = record.TokenBatch
	}
	c.tokens--
}

// leaveScope returns the token of an EDT that has ended or was destroyed.
func (c *Ctx) leaveScope(scope uint32) {
	switch scope {
	case 0:
	case c.scope:
		c.tokens++
	default:
		c.giveTokens(scope, 1)
	}
}

// enterScope returns the worker's stock, and makes scope the worker's scope.
func (c *Ctx) enterScope(scope uint32) {
	c.dropTokens()
	c.scope = scope
}

// dropTokens returns the worker's stock to its scope.
func (c *Ctx) dropTokens() {
	if n := c.tokens; n > 0 {
		c.tokens = 0
		c.giveTokens(c.scope, n)
	}
}

// giveTokens returns n tokens to a scope. If these were the last, it closes the scope and returns the scope's own token
// to the scope around it, and so on.
func (c *Ctx) giveTokens(scope uint32, n int64) {
	for scope != 0 {
		e := c.events.At(scope)
		if !e.count.Give(n) {
			return
		}
		if e.typ == scopeProxy {
			c.closeProxy(scope, e)
			if c.scope == scope {
				c.scope = 0
			}
			return
		}
		parent, out, owner := e.parent, e.out, e.owner
		if c.obs != nil {
			c.obs.ScopeClosed(c.g.eventGUID(e.Low(scope)), c.g.eventGUID(out))
		}
		c.freeScope(scope, e)
		if c.scope == scope {
			c.scope = 0
		}
		if out != 0 {
			c.closing = owner
			c.fireOutput(opFinish, out, 0)
			c.closing = finishEDT{}
		}
		scope, n = parent, 1
	}
}
