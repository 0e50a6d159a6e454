package edt

import (
	"slices"
	"sync/atomic"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/dep"
	"ocr/internal/rank"
)

// A rank represents a block of another rank by a proxy, whose low GUID word is in events and slots. Home knows which
// ranks may have one: it has sent them the block's GUID, or they report by NAME that they got it from a third rank.
//
// When the block is destroyed home sends DROP to these ranks. A rank frees its proxy as soon as no EDT there holds the
// block, keeps it, or waits for it, and returns the lease or copy that it has. Home frees the block when it has all of
// them back and no rank waits. An EDT that acquires the block later, on any rank, ends the run with [ErrStale].

// tell prepares a message with a block to a rank: home notes that the rank knows the block, and the lease or a copy
// goes ahead of the message, as along says, if that can be. If the block is gone the caller calls tellGone after the
// message.
func (c *Ctx) tell(id guid.GUID, to int, along share) (gone bool) {
	if id.Kind() != guid.KindBlock {
		return false
	}
	l := &c.g.away.leases
	l.mu.Lock()
	defer l.mu.Unlock()
	if id.Home() != c.g.away.me {
		if p := l.names[id]; p != nil && along != noShare {
			c.returnUnasked(p, to)
		}
		return false
	}
	e := c.lentBlock(id)
	if e == nil || e.destroyed {
		return true
	}
	c.introduce(e, to)
	if along != noShare {
		c.lendUnasked(e, to, along)
	}
	return false
}

// tellGone reports to a rank that a block is destroyed.
func (c *Ctx) tellGone(id guid.GUID, to int) { c.sendLease(to, msgDrop, id, 0, 0, nil) }

// proxyWord returns the low GUID word of the proxy of a block.
func (c *Ctx) proxyWord(id guid.GUID) uint64 {
	k := c.knownProxy(id)
	if k.id != id || !c.blocks.At(uint32(k.word)).Is(k.word) {
		l := &c.g.away.leases
		l.mu.Lock()
		defer l.mu.Unlock() // there may be no record for it
		p := c.proxyFor(id)
		*k = knownProxy{id, p.r.Low(p.i)}
	}
	return k.word
}

// A knownProxy is the proxy of a block that a worker has used: so it need not look for it under the lock. A proxy that
// is freed has another word.
type knownProxy struct {
	id   guid.GUID
	word uint64
}

// knownProxies is how many a worker knows.
const knownProxies = 16

// knownProxy is where the proxy of a block is, if it is known.
func (c *Ctx) knownProxy(id guid.GUID) *knownProxy {
	_, lo := id.Words()
	return &c.proxies[uint32(lo)%knownProxies]
}

// proxyFor returns the proxy of a block. A new one is reported to home, unless the block has come from there. The
// caller has the lock.
func (c *Ctx) proxyFor(id guid.GUID) *proxy {
	p := c.g.away.leases.names[id]
	if p == nil {
		p = c.newProxy(id)
		if c.message == nil || c.from != id.Home() {
			c.sendTo(id.Home(), about(msgName, id, guid.Null, 0))
		}
	}
	return p
}

// newProxy makes the proxy of a block. The caller has the lock.
func (c *Ctx) newProxy(id guid.GUID) *proxy {
	i, r, err := c.blocks.CreateProxy()
	if err != nil {
		c.misuse("acquire", ErrMemory, id, "too many blocks of other ranks")
	}
	l := &c.g.away.leases
	if l.names == nil {
		l.proxies, l.names = make(map[uint32]*proxy), make(map[guid.GUID]*proxy)
	}
	p := &proxy{id: id, i: i, r: r}
	l.names[id], l.proxies[i] = p, p
	return p
}

// handleName notes that another rank knows a block.
func (c *Ctx) handleName(m *rank.Message) {
	id := getGUID(m, 0)
	if c.tell(id, c.from, noShare) {
		c.tellGone(id, c.from)
	}
}

// introduce notes that a rank knows a block. The caller has the lock.
func (c *Ctx) introduce(e *lent, to int) {
	if !slices.Contains(e.named, to) {
		e.named = append(e.named, to)
	}
}

// destroyProxied destroys a block of another rank.
func (c *Ctx) destroyProxied(id guid.GUID) {
	if c.hold(id) != nil {
		c.releaseAny(id)
	}
	l := &c.g.away.leases
	l.mu.Lock()
	if p := l.names[id]; p != nil {
		p.destroyed = true
	}
	l.mu.Unlock()
	c.sendDestroy(id)
}

// isDestroyed reports whether a block, by the low GUID word of its record, is destroyed, though its record is in use.
func (g *Graph) isDestroyed(word uint64) bool {
	l, i := &g.away.leases, uint32(word)
	l.mu.Lock()
	defer l.mu.Unlock()
	e, p := l.lent[i], l.proxies[i]
	return e != nil && e.destroyed || p != nil && p.destroyed
}

// destroyLent destroys a block of this rank that others know. d is the calling EDT's hold of it, if any. It reports
// false if no other rank knows it.
func (c *Ctx) destroyLent(id guid.GUID, i uint32, d *dep.State) bool {
	l := &c.g.away.leases
	l.mu.Lock()
	e := l.lent[i]
	again := e != nil && e.destroyed
	if e != nil && !again {
		e.destroyed = true
		for _, to := range e.named {
			c.tellGone(id, to)
		}
		l.check(e)
	}
	l.mu.Unlock()
	if again {
		c.misuse("destroy data block", ErrDestroyed, id, "")
	}
	if e != nil && d != nil {
		word, mode := c.wordOf(d), heldMode(d)
		c.drop(d, id)
		c.letGo(word, mode)
	}
	return e != nil
}

// handleDrop notes that a block is destroyed.
func (c *Ctx) handleDrop(m *rank.Message) {
	l := &c.g.away.leases
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.names[getGUID(m, 0)]; p != nil && !p.leaving {
		p.destroyed, p.leaving = true, true
		l.proxiesGone = append(l.proxiesGone, p)
		l.going.Add(1)
	}
}

// Kept is for hosts: how many blocks this rank keeps that are destroyed, its own and those of others. When the run is
// over because nothing is left to do, that is none.
func (g *Graph) Kept() (n int) {
	if g.away == nil {
		return 0
	}
	l := &g.away.leases
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.lent {
		if e.destroyed {
			n++
		}
	}
	for _, p := range l.names {
		if p.destroyed {
			n++
		}
	}
	return n
}

// leaving is what is freed when no EDT of this rank and no other rank needs it.
type leaving struct {
	going       atomic.Int64 // how many are in the two lists, for those that look without the lock
	proxiesGone []*proxy
	lentGone    []*lent
	gone        [goneNames]goneName
}

// A goneName is the name of a block whose proxy was freed: errors name the block.
type goneName struct {
	word uint64
	id   guid.GUID
}

// goneNames is how many names are remembered.
const goneNames = 64

// check notes that a block may be freed, if it is destroyed and back from other ranks. The caller has the lock.
func (l *leases) check(e *lent) {
	if e.destroyed && !e.leaving && e.isBack() {
		e.leaving = true
		l.lentGone = append(l.lentGone, e)
		l.going.Add(1)
	}
}

// isBack reports whether no other rank has the lease or a copy.
func (e *lent) isBack() bool { return e.lessee < 0 && e.copies.empty() && e.returning.empty() }

// leave frees blocks and proxies of blocks that were destroyed, on the courier.
func (c *Ctx) leave() {
	l := &c.g.away.leases
	if l.going.Load() == 0 {
		return
	}
	l.mu.Lock()
	var granted []block.Waiter
	l.proxiesGone = slices.DeleteFunc(l.proxiesGone, c.dropProxy)
	l.lentGone = slices.DeleteFunc(l.lentGone, func(e *lent) (done bool) {
		granted, done = c.dropLent(e, granted)
		return done
	})
	l.going.Store(int64(len(l.proxiesGone) + len(l.lentGone)))
	l.mu.Unlock()
	c.grant(granted)
}

// dropProxy frees a proxy, unless an EDT holds the block here or waits for it. The caller has the lock.
func (c *Ctx) dropProxy(p *proxy) (done bool) {
	l, word := &c.g.away.leases, p.r.Low(p.i)
	if p.asked != noShare || !p.r.Retire(p.has == aCopy) {
		return false
	}
	if p.has != noShare {
		bytes := p.changed()
		p.has = noShare // RECALL may have found it here, and waits for the lock
		c.sendLease(p.id.Home(), msgReturn, p.id, 0, 0, bytes)
	}
	delete(l.names, p.id)
	delete(l.proxies, p.i)
	l.gone[p.i%goneNames] = goneName{word, p.id}
	c.blocks.FreeProxy(p.i, p.r)
	return true
}

// dropLent frees a block of this rank, unless another rank waits for it; if one has the lease or a copy again, check
// comes later. The caller has the lock, and grants the block to the EDTs that are appended to granted.
func (c *Ctx) dropLent(e *lent, granted []block.Waiter) (all []block.Waiter, done bool) {
	switch {
	case !e.isBack():
		e.leaving = false
		return granted, true
	case e.r.Wanted():
		return granted, false
	}
	delete(c.g.away.leases.lent, e.i)
	c.blocks.Destroy(e.i, e.r)
	return c.blocks.Release(e.i, e.r, datablock.RO, granted), true
}

// proxied returns the name of the block with this low GUID word, which may be that of a proxy that is or was in the
// record.
func (g *Graph) proxied(word uint64) guid.GUID {
	l := &g.away.leases
	l.mu.Lock()
	defer l.mu.Unlock()
	i := uint32(word)
	if p := l.proxies[i]; p != nil && p.r.Is(word) {
		return p.id
	}
	if n := &l.gone[i%goneNames]; n.word == word {
		return n.id
	}
	return guid.FromWords(g.highBlock, word)
}

// blockInOrder is blockGUID for a block that the EDT has in a slot. It does not look at the generation: a worker that
// destroys a block which the EDT keeps may be changing that.
func (c *Ctx) blockInOrder(word uint64) guid.GUID {
	if c.blocks.At(uint32(word)).Proxy() {
		return c.g.proxied(word)
	}
	return guid.FromWords(c.highBlock, word)
}
