package edt

import (
	"sync/atomic"

	"ocr/guid"
)

// A finish scope counts the EDTs in it that have not ended. Counting each of them
// on one shared word would make that word the hottest line of the program, so the
// count is kept in tokens: every EDT in the scope stands for one token outside,
// and a worker that runs EDTs of a scope keeps a stock of that scope's tokens. A
// new EDT takes one from the stock, an EDT that ends puts its own back: neither
// touches the shared word. The worker gives its stock back when it turns to an
// EDT of another scope and when it finds nothing to run, so a scope is never kept
// open by a worker that does not run EDTs of it.
//
// The shared count is the number of tokens outside: with EDTs and in stocks. It
// reaches zero only after every EDT of the scope has ended, and then no EDT is
// left that could take a token out again.

// tokenBatch is how many tokens a worker takes from a scope at a time.
const tokenBatch = 64

// A finishEDT is the EDT that a scope was made for, which is gone when the scope
// closes.
type finishEDT struct {
	low  uint64 // GUID word, 0 for none
	code uint32 // its template's index, and flagRemote
}

// openScope makes the finish scope of an EDT that is being created, which counts
// in the creator's scope as one member, and returns the output event.
func (c *Ctx) openScope(n uint32, k *edtRecord, output guid.GUID, own bool) guid.GUID {
	if own {
		output = c.NewLatch(1)
	}
	i, e := c.newScope(scopeEvent, k.scope)
	_, name := c.g.edtGUID(n, k).Words()
	e.owner = finishEDT{name, k.code & (templateMask | flagRemote)}
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

// newScope makes the record of a scope, with one token outside, inside another.
func (c *Ctx) newScope(typ EventType, parent uint32) (uint32, *event) {
	i := c.events.Get()
	if i == 0 {
		c.misuse("create finish scope", ErrMemory, guid.Null, "too many events alive")
	}
	e := c.events.At(i)
	e.typ, e.flags, e.head, e.count, e.parent, e.owner = typ, 0, 0, 1, parent, finishEDT{}
	return i, e
}

// freeScope frees the record of a scope that is closed.
func (c *Ctx) freeScope(i uint32, e *event) {
	e.typ = 0
	if e.Expire() {
		c.events.Put(i)
	}
}

// takeToken gives a new EDT its token of the present scope.
func (c *Ctx) takeToken() {
	if c.tokens == 0 {
		atomic.AddInt64(&c.events.At(c.scope).count, tokenBatch)
		c.tokens = tokenBatch
	}
	c.tokens--
}

// leaveScope takes back the token of an EDT that has ended or was destroyed.
func (c *Ctx) leaveScope(scope uint32) {
	switch scope {
	case 0:
	case c.scope:
		c.tokens++
	default:
		c.giveTokens(scope, 1)
	}
}

// enterScope makes scope the one whose tokens the worker keeps.
func (c *Ctx) enterScope(scope uint32) {
	c.dropTokens()
	c.scope = scope
}

// dropTokens gives the stock back.
func (c *Ctx) dropTokens() {
	if n := c.tokens; n > 0 {
		c.tokens = 0
		c.giveTokens(c.scope, n)
	}
}

// giveTokens returns tokens to a scope, and closes it, and the scopes around it,
// if these were the last.
func (c *Ctx) giveTokens(scope uint32, n int64) {
	for scope != 0 {
		e := c.events.At(scope)
		if atomic.AddInt64(&e.count, -n) != 0 {
			return
		}
		if e.typ == scopeProxy {
			c.closeScopeAway(scope, e)
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
