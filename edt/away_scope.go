package edt

import (
	"sync"
	"sync/atomic"

	"ocr/internal/rank"
)

// An EDT that is made on another rank takes a token of its creator's finish scope along. There it counts in a proxy of
// that scope, which has got a token with each such EDT. When the last EDT in the proxy has ended the proxy closes, and
// sends all its tokens back to the rank that they came from; what is there may be a proxy itself. So the scopes and
// proxies are a tree, in which each has a token outside for everything below it that is open, or on its way.

// scopeProxies finds the proxy for a scope of another rank.
//
// Concurrency: of is under mu. A proxy is one of the event records, with type scopeProxy: count is the tokens outside,
// as for each scope; head is how many tokens it has got, which the courier adds to while it holds one of the count's;
// out is the low word of the scope it stands for, and channel that scope's rank. Only the courier adds to the count of
// a proxy from outside, and only if it is above 0: at 0 the worker that has taken it there closes it, and a new one is
// made.
type scopeProxies struct {
	mu sync.Mutex
	of map[proxyKey]uint32
}

type proxyKey struct {
	rank int
	low  uint64
}

// enterProxy returns the proxy of a scope, in which one more EDT counts. A new one gets memory as the parts say.
func (c *Ctx) enterProxy(from int, low uint64, parts []scopePart) uint32 {
	if low == 0 {
		return 0
	}
	p := &c.g.away.proxies
	p.mu.Lock()
	defer p.mu.Unlock()
	key := proxyKey{from, low}
	if i := p.of[key]; i != 0 {
		if e := c.events.At(i); addToken(e) {
			e.head++
			return i
		}
	}
	i, e := c.newScope(scopeProxy, 0)
	e.head, e.out, e.channel = 1, low, uint32(from)
	c.openProxyMemory(e, parts)
	if p.of == nil {
		p.of = make(map[proxyKey]uint32)
	}
	p.of[key] = i
	return i
}

// addToken takes one more token of a scope, unless it is closed.
func addToken(e *event) bool {
	for {
		n := atomic.LoadInt64(&e.count)
		if n == 0 {
			return false
		}
		if atomic.CompareAndSwapInt64(&e.count, n, n+1) {
			return true
		}
	}
}

// closeProxy sends the tokens of a proxy back that has none outside.
func (c *Ctx) closeProxy(i uint32, e *event) {
	m := &rank.Message{Kind: msgScope}
	if parts := c.closeProxyMemory(e); len(parts) > 0 {
		m.Words[2], m.Tail = 1, appendParts(nil, parts)
	}
	p := &c.g.away.proxies
	p.mu.Lock()
	key := proxyKey{int(e.channel), e.out}
	m.Words[0], m.Words[1] = e.out, e.head
	if p.of[key] == i {
		delete(p.of, key)
	}
	p.mu.Unlock()
	c.sign(m)
	c.sendMessage(key.rank, m)
	e.channel = 0
	c.freeScope(i, e)
}

// handleScope takes tokens back that went to another rank.
func (c *Ctx) handleScope(m *rank.Message) {
	if m.Words[2] != 0 {
		c.mergeParts(uint32(m.Words[0]), takeParts(m.Tail))
	}
	c.giveTokens(uint32(m.Words[0]), int64(m.Words[1]))
}
