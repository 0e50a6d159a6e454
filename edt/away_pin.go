package edt

import (
	"slices"
	"sync/atomic"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/dep"
	"ocr/internal/rank"
)

// A block may be destroyed when its users are runnable, on any rank: they need not have it yet, and what makes them
// runnable may be on its way. So what carries a block to another rank carries a *pin* of it, and home keeps the block
// while pins are out. Home counts them: its own when they go out and come in; a proxy keeps those that came to it, one
// at least, and makes more if it needs some for messages of its own. It reports that to home by NAME, which is handled
// before what follows from it. If the block is destroyed, home sends DROP to all ranks that know it. They answer
// DROPPED, with their pins, when none of their EDTs waits for the block, holds it, or has it in a slot. Until all pins
// are back the block is alive for those that got it. An EDT that destroys the block often is the only one of its rank
// which has had it: then DESTROY brings the pins.

// newPins is how many pins a proxy makes at a time.
const newPins = 1 << 16

// pinFor takes a pin of a block for a message to a rank. It sends the lease or a copy there ahead of the message, as
// along says, if that can be. If late is set, pinned must be called when the message is sent.
func (c *Ctx) pinFor(id guid.GUID, to int, along share) (late bool) {
	if id.Kind() != guid.KindBlock {
		return false
	}
	l := &c.g.away.leases
	l.mu.Lock()
	defer l.mu.Unlock()
	return c.pin(id, to, along)
}

// pinCarried is pinFor for the block that an event has by this word, and returns the block's name. Another worker may
// be destroying the block: then the name may be stale, as one is that is asked for later.
func (c *Ctx) pinCarried(word uint64, to int, along share) (id guid.GUID, late bool) {
	if word == 0 {
		return guid.Null, false
	}
	l := &c.g.away.leases
	l.mu.Lock()
	defer l.mu.Unlock()
	id = guid.FromWords(c.highBlock, word)
	if r := c.g.blocks.Lookup(word); r != nil {
		if p := l.proxies[uint32(word)]; p != nil {
			id = p.id
		}
		late = c.pin(id, to, along)
	}
	return id, late
}

// pin is pinFor for callers that have the lock.
func (c *Ctx) pin(id guid.GUID, to int, along share) (late bool) {
	r := c.g.away
	if id.Home() != r.me {
		p := c.proxyFor(id)
		if to != id.Home() { // which gets this rank's pins later than the message
			if p.pins < 2 {
				c.makePins(p)
			}
			p.pins--
		}
		if along != noShare {
			c.returnUnasked(p, to)
		}
	} else if e := c.lentBlock(id); e != nil {
		e.pins++
		if late = e.destroyed; !late {
			c.introduce(e, to)
			if along != noShare {
				c.lendUnasked(e, to, along)
			}
		}
	}
	return late
}

// pinned reports to a rank that the block of which it has got a pin is destroyed. The rank may have given back the pins
// that it had before, and have no record of the block any more.
func (c *Ctx) pinned(id guid.GUID, to int) { c.sendLease(to, msgDrop, id, 0, 0, nil) }

// takePin takes the pin of a block that has come with a message. To its home a block comes without. sole says that it
// gets into one slot and nowhere else.
func (c *Ctx) takePin(id guid.GUID, sole bool) {
	r := c.g.away
	if id.Kind() != guid.KindBlock || id.Home() == r.me {
		return
	}
	l := &r.leases
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.names[id]
	if p == nil {
		p = c.newProxy(id)
		if c.from != id.Home() {
			c.sendPins(msgName, p, 0)
		}
	}
	p.pins++
	if p.came || !sole {
		p.r.Spread()
	}
	p.came = true
	*c.knownProxy(id) = knownProxy{id, p.r.Low(p.i), true}
}

// proxyWord returns the low GUID word of what stands here for a block of another rank. By that alone it gets into
// events and slots.
func (c *Ctx) proxyWord(id guid.GUID) uint64 {
	k := c.knownProxy(id)
	if k.id != id || !c.blocks.At(uint32(k.word)).Is(k.word) {
		*k = knownProxy{id, c.findProxy(id), false}
	} else if k.taken {
		k.taken = false
	} else {
		c.blocks.At(uint32(k.word)).Spread()
	}
	return k.word
}

// findProxy is proxyWord for a proxy that is not known. Spread is noted under the lock: an EDT that destroys the block
// at the same time either sees that, or has given the proxy up before.
func (c *Ctx) findProxy(id guid.GUID) (word uint64) {
	l := &c.g.away.leases
	l.mu.Lock()
	defer l.mu.Unlock() // there may be no record for it
	p := c.proxyFor(id)
	p.r.Spread()
	return p.r.Low(p.i)
}

// A knownProxy is the proxy of a block that a worker has used: so it need not look for it under the lock. A proxy that
// is given up has another word.
type knownProxy struct {
	id    guid.GUID
	word  uint64
	taken bool // takePin has noted in the proxy that the block comes
}

// knownProxies is how many a worker knows.
const knownProxies = 16

// knownProxy is where the proxy of a block is, if it is known.
func (c *Ctx) knownProxy(id guid.GUID) *knownProxy {
	_, lo := id.Words()
	return &c.proxies[uint32(lo)%knownProxies]
}

// proxyFor returns the proxy of a block, with at least one pin. The caller has the lock.
func (c *Ctx) proxyFor(id guid.GUID) *proxy {
	p := c.g.away.leases.names[id]
	if p == nil {
		p = c.newProxy(id)
		c.makePins(p)
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

func (c *Ctx) makePins(p *proxy) {
	p.pins += newPins
	c.sendPins(msgName, p, newPins)
}

// sendPins reports pins to home. The caller has the lock.
func (c *Ctx) sendPins(kind uint8, p *proxy, pins int) {
	m := &c.g.away.leases.message
	*m = rank.Message{Kind: kind}
	putGUID(m, 0, p.id)
	m.Words[leasePins] = uint64(pins)
	c.sendTo(p.id.Home(), m)
}

// handleName counts pins that another rank has made.
func (c *Ctx) handleName(m *rank.Message) {
	l, id := &c.g.away.leases, getGUID(m, 0)
	l.mu.Lock()
	e := c.lentBlock(id)
	if e != nil {
		e.pins += int(m.Words[leasePins])
		c.introduce(e, c.from)
	}
	l.mu.Unlock()
	if e == nil {
		c.misuse("use", ErrStale, id, "")
	}
}

// destroyProxied destroys a block of another rank.
func (c *Ctx) destroyProxied(id guid.GUID) {
	held := c.hold(id) != nil
	if held {
		c.releaseAny(id)
	}
	if !c.destroyProxy(id, held) {
		c.sendDestroy(id)
	}
}

// destroyProxy notes that the block of a proxy is destroyed. It reports whether it has sent that home, with all pins of
// this rank. held is whether the EDT has held the block.
func (c *Ctx) destroyProxy(id guid.GUID, held bool) (sent bool) {
	l := &c.g.away.leases
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.names[id]
	if p == nil {
		return false
	}
	p.destroyed = true
	*c.knownProxy(id) = knownProxy{id, p.r.Low(p.i), false} // see goneName
	return held && p.came && !p.r.IsSpread() && !p.gone && !c.g.away.channelsFeed.Load() && c.dropProxy(p, msgDestroy)
}

// takeBack takes the pins of a rank that has destroyed a block. If no other pin is out, no rank needs a message. Else
// that rank gets DROP, as home may have sent it another pin, and from then on does not know the block: if it gets the
// block from a third rank it sends NAME, and gets DROP again.
func (c *Ctx) takeBack(from int, id guid.GUID, pins int) {
	l := &c.g.away.leases
	l.mu.Lock()
	defer l.mu.Unlock()
	e := c.lentBlock(id)
	if e == nil {
		return
	}
	if e.pins -= pins; e.pins == 0 {
		e.named = e.named[:0]
		return
	}
	e.forget(from)
	c.sendLease(from, msgDrop, id, 0, 0, nil)
}

// destroyedButKept reports whether a block, by the low GUID word of its record, is kept only for users that got it
// before it was destroyed, as far as this rank knows.
func (g *Graph) destroyedButKept(word uint64) bool {
	l, i := &g.away.leases, uint32(word)
	l.mu.Lock()
	defer l.mu.Unlock()
	e, p := l.lent[i], l.proxies[i]
	return e != nil && e.destroyed || p != nil && (p.destroyed || p.gone)
}

// destroyLent destroys a block of this rank that others know, or that an EDT here may have in a slot which waits for an
// event elsewhere as well. d is the calling EDT's hold of it, if any. It reports false if the block is neither.
func (c *Ctx) destroyLent(id guid.GUID, i uint32, d *dep.State) bool {
	l := &c.g.away.leases
	l.mu.Lock()
	e := l.lent[i]
	if e == nil && c.g.slotsAway.Load() != 0 { // an EDT may be runnable here, and FILL is on its way
		e = c.lentBlock(id)
	}
	again := e != nil && e.destroyed
	if e != nil && !again {
		e.destroyed = true
		for _, to := range e.named {
			c.sendLease(to, msgDrop, id, 0, 0, nil)
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
	if p := l.names[getGUID(m, 0)]; p != nil && !p.gone {
		p.gone = true
		l.proxiesGone = append(l.proxiesGone, p)
		l.going.Add(1)
	}
}

// handleDropped takes pins back.
func (c *Ctx) handleDropped(m *rank.Message) {
	l := &c.g.away.leases
	l.mu.Lock()
	defer l.mu.Unlock()
	e := c.lentBlock(getGUID(m, 0))
	e.pins -= int(m.Words[leasePins])
	e.forget(c.from)
	l.check(e)
}

// forget notes that a rank does not know the block any more.
func (e *lent) forget(from int) {
	e.named = slices.DeleteFunc(e.named, func(r int) bool { return r == from })
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
		if p.destroyed || p.gone {
			n++
		}
	}
	return n
}

// leaving is what goes when no EDT of this rank needs it any more.
type leaving struct {
	going       atomic.Int64 // how many are in the two lists, for those that look without the lock
	proxiesGone []*proxy
	lentGone    []*lent
	lastLook    int // EDTs that the last look has gone through
}

// check has a destroyed block freed of which no pin is out. The caller has the lock.
func (l *leases) check(e *lent) {
	if e.destroyed && e.pins == 0 && !e.leaving {
		e.leaving = true
		l.lentGone = append(l.lentGone, e)
		l.going.Add(1)
	}
}

// looksWorth is how many EDTs are gone through for each block that may go.
const looksWorth = 16

// leave lets blocks go that were destroyed, on the courier. As it goes through all EDTs that wait, it does so for many
// blocks at a time, or if there is nothing else to do.
func (c *Ctx) leave(idle bool) {
	l := &c.g.away.leases
	if l.going.Load() == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.proxiesGone) + len(l.lentGone)
	if n == 0 || !idle && n*looksWorth < l.lastLook {
		return
	}
	used := make(map[uint64]bool, n)
	for _, p := range l.proxiesGone {
		used[p.r.Low(p.i)] = false
	}
	for _, e := range l.lentGone {
		used[e.r.Low(e.i)] = false
	}
	c.findInSlots(used)
	l.proxiesGone = slices.DeleteFunc(l.proxiesGone, func(p *proxy) bool {
		return !used[p.r.Low(p.i)] && c.dropProxy(p, msgDropped)
	})
	l.lentGone = slices.DeleteFunc(l.lentGone, func(e *lent) bool { return !used[e.r.Low(e.i)] && c.dropLent(e) })
	l.going.Store(int64(len(l.proxiesGone) + len(l.lentGone)))
}

// findInSlots notes of blocks, by their low GUID words, whether EDTs have them in slots.
func (c *Ctx) findInSlots(blocks map[uint64]bool) {
	n := 0
	c.g.edts.Peek(func(i uint32) {
		n++
		r := c.g.edts.Find(i)
		if r == nil {
			return
		}
		t := peekEDT(r)
		if !t.phase.alive() || t.depc <= inlineSlots && t.blockless() {
			return
		}
		look := func() {
			for _, s := range peekSlots(c.g, i, &t) {
				if s.state() == slotFilled && s.mode() != datablock.Null && s.word != 0 {
					if _, asked := blocks[s.word]; asked {
						blocks[s.word] = true
					}
				}
			}
		}
		if t.depc <= inlineSlots { // they are in t
			look()
		} else {
			ignoreFault(look)
		}
	})
	c.g.away.leases.lastLook = n
}

// dropProxy gives all pins of a proxy back, by DROPPED or DESTROY, unless an EDT holds the block here or waits for it.
// The caller has the lock.
func (c *Ctx) dropProxy(p *proxy, kind uint8) bool {
	if p.asked != noShare || !p.r.Retire(p.has == aCopy) {
		return false
	}
	if p.has != noShare {
		bytes := p.changed()
		p.has = noShare // RECALL may have found it here, and waits for the lock
		c.sendLease(p.id.Home(), msgReturn, p.id, 0, 0, bytes)
	}
	c.sendPins(kind, p, p.pins)
	l := &c.g.away.leases
	delete(l.names, p.id)
	delete(l.proxies, p.i)
	c.blocks.FreeProxy(p.i, p.r)
	return true
}

// dropLent destroys a block of this rank for good, if no other has the lease or a copy. The caller has the lock.
func (c *Ctx) dropLent(e *lent) bool {
	if e.pins != 0 {
		e.leaving = false // check comes again
		return true
	}
	if e.lessee >= 0 || !e.copies.empty() || !e.returning.empty() {
		return false
	}
	l := &c.g.away.leases
	delete(l.lent, e.i)
	c.blocks.Destroy(e.i, e.r)
	c.blocks.Release(e.i, e.r, datablock.RO, nil)
	return true
}

// goneName is the name of a block that the EDT has destroyed.
func (c *Ctx) goneName(word uint64) guid.GUID {
	if c.proxies != nil {
		for k := range c.proxies {
			if c.proxies[k].word == word {
				return c.proxies[k].id
			}
		}
	}
	return c.g.blockGUID(word)
}

// blockInOrder is blockGUID for a block that the EDT has in a slot. It does not look at the generation: a worker that
// destroys a block which the EDT keeps may be changing that.
func (c *Ctx) blockInOrder(word uint64) guid.GUID {
	if r := c.blocks.At(uint32(word)); r.Proxy() {
		return c.g.away.leases.nameOf(uint32(word))
	}
	return guid.FromWords(c.highBlock, word)
}
