package edt

import (
	"slices"
	"sync/atomic"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/rank"
)

// A rank represents a block of another rank by a proxy, whose low GUID word is in events and slots. Home knows which
// ranks may have one: it has sent them the block's GUID, or they report by KNOWN that they got it from a third rank.
//
// When the block is destroyed home sends GONE to these ranks. A rank frees its proxy as soon as no EDT there holds the
// block, keeps it, or waits for it, and gives back what it has. Home frees the block when it has everything back and no
// rank waits. An EDT that acquires the block later, on any rank, ends the run with [ErrStale].

// A proxy stands for a block of another rank.
type proxy struct {
	id    guid.GUID
	i     uint32
	r     *block.Record
	has   right
	asked right // by a GET that has yet to be answered

	destroyed bool // by a call on this rank, or home says so
	leaving   bool // home says so: the proxy is among those that are freed
}

// ask asks home for a block for the first EDT that waits, unless this rank has what that needs, or has asked. The
// caller has the lock.
func (c *Ctx) ask(p *proxy) {
	w := p.r.First()
	need := needOf(w)
	if p.asked != noRight || need <= p.has || w.EDT&block.ForRank != 0 {
		return
	}
	p.asked = need
	t := c.edts.At(w.EDT)
	words := uint64(need) | uint64(c.g.template(t).index)<<getTemplate
	c.sendTo(p.id.Home(), about(msgGet, p.id, c.g.edtGUID(w.EDT, t), words))
}

// handleData takes a block, or the right to write one of which this rank has a copy.
func (c *Ctx) handleData(m *rank.Message) {
	p, what := c.takeData(m), m.Words[blockRight]
	switch {
	case what&sameBytes != 0:
		c.grant(c.blocks.Release(p.i, p.r, datablock.Const, nil))
	case right(what) == toRead:
		c.grant(c.blocks.ReceiveCopy(p.i, p.r, nil))
	default:
		c.grant(c.blocks.Receive(p.i, p.r, nil))
	}
	c.seek(uint64(p.i)) // a copy does not do for all that wait
}

// takeData takes the bytes of a block.
func (c *Ctx) takeData(m *rank.Message) *proxy {
	b, id, what := &c.g.away.shared, getGUID(m, 0), m.Words[blockRight]
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.names[id]
	if p == nil { // what names the block is behind this
		p = c.newProxy(id)
	}
	if what&sameBytes == 0 {
		size := int(m.Words[blockSize])
		if err := c.blocks.Provide(p.r, size); err != nil {
			c.noMemory("acquire", id, size, err)
		}
		takeBytes(p.r.Bytes(), m.Tail)
	}
	p.has = right(what & rightMask)
	if p.asked <= p.has { // else home has not seen GET yet
		p.asked = noRight
	}
	return p
}

// handleRecall gives a block back as soon as that can be.
func (c *Ctx) handleRecall(m *rank.Message) {
	b := &c.g.away.shared
	b.mu.Lock()
	defer b.mu.Unlock()
	if p := b.names[getGUID(m, 0)]; p != nil {
		c.recall(p, right(m.Words[blockRight]))
	}
}

// recall queues home for the block; that of a copy becomes a hold in mode EW, ahead of all that wait. The caller has
// the lock.
func (c *Ctx) recall(p *proxy, need right) {
	w := block.Waiter{EDT: block.ForRank | uint32(p.id.Home()), Cursor: p.i, Mode: need.mode()}
	switch {
	case p.has == noRight: // it has gone back already
	case p.has == toRead:
		if c.g.blocks.Upgrade(p.i, p.r, w) {
			c.sendBack(p, toWrite)
		}
	case c.g.blocks.Wait(p.r.Low(p.i), p.r, w) == block.Granted:
		c.sendBack(p, need)
	}
}

// sendBack returns what this rank has of a block. If home needs only to read, the rank keeps a copy. The caller has the
// block for it, in the mode of what home needs, and the lock.
func (c *Ctx) sendBack(p *proxy, need right) {
	kept, bytes := noRight, p.changed()
	if need == toRead {
		kept = toRead
	} else {
		p.r.Send()
	}
	p.has = kept
	c.sendBlock(p.id.Home(), msgBack, p.id, uint64(kept), bytes)
	if kept == noRight {
		c.blocks.Unload(p.r)
	}
	c.ask(p)
}

// changed returns the bytes that home needs back: none of a copy.
func (p *proxy) changed() []byte {
	if p.has == toWrite {
		return p.r.Bytes()
	}
	return nil
}

// returnUnasked gives a block back that this rank passes on to another one, unless it is in use. The caller has the
// lock.
func (c *Ctx) returnUnasked(p *proxy) {
	if p.has == toWrite && p.r.Size() <= alongSize && p.r.TryAcquire(datablock.EW) {
		c.sendBack(p, toWrite)
	}
}

// describeProxies puts into the description of an EDT's blocks what is known of those of other ranks.
func (c *Ctx) describeProxies(slots []slot) {
	for k := range slots {
		if word := slots[k].word; word != 0 && c.blocks.At(uint32(word)).Proxy() {
			d := &c.deps[k]
			d.ID = c.g.blockGUID(word)
			if d.Access != noAccess {
				d.Access = d.Access.OfProxy(uint32(word))
			}
		}
	}
}

// proxyWord returns the low GUID word of the proxy of a block.
func (c *Ctx) proxyWord(id guid.GUID) uint64 {
	k := c.knownProxy(id)
	if k.id != id || !c.blocks.At(uint32(k.word)).Is(k.word) {
		b := &c.g.away.shared
		b.mu.Lock()
		defer b.mu.Unlock() // there may be no record for it
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
	p := c.g.away.shared.names[id]
	if p == nil {
		p = c.newProxy(id)
		if c.message == nil || c.from != id.Home() {
			c.sendTo(id.Home(), about(msgKnown, id, guid.Null, 0))
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
	b := &c.g.away.shared
	if b.names == nil {
		b.proxies, b.names = make(map[uint32]*proxy), make(map[guid.GUID]*proxy)
	}
	p := &proxy{id: id, i: i, r: r}
	b.names[id], b.proxies[i] = p, p
	return p
}

// handleKnown notes that another rank knows a block.
func (c *Ctx) handleKnown(m *rank.Message) {
	id := getGUID(m, 0)
	if c.tell(id, c.from, noRight) {
		c.tellGone(id, c.from)
	}
}

// destroyProxied destroys a block of another rank.
func (c *Ctx) destroyProxied(id guid.GUID) {
	if c.hold(id) != nil {
		c.releaseAny(id)
	}
	b := &c.g.away.shared
	b.mu.Lock()
	if p := b.names[id]; p != nil {
		p.destroyed = true
	}
	b.mu.Unlock()
	c.sendDestroy(id)
}

// isDestroyed reports whether a block, by the low GUID word of its record, is destroyed, though its record is in use.
func (g *Graph) isDestroyed(word uint64) bool {
	b, i := &g.away.shared, uint32(word)
	b.mu.Lock()
	defer b.mu.Unlock()
	e, p := b.directory[i], b.proxies[i]
	return e != nil && e.destroyed || p != nil && p.destroyed
}

// handleGone notes that a block is destroyed.
func (c *Ctx) handleGone(m *rank.Message) {
	b := &c.g.away.shared
	b.mu.Lock()
	defer b.mu.Unlock()
	if p := b.names[getGUID(m, 0)]; p != nil && !p.leaving {
		p.destroyed, p.leaving = true, true
		b.proxiesGone = append(b.proxiesGone, p)
		b.going.Add(1)
	}
}

// Kept is for hosts: how many blocks this rank keeps that are destroyed, its own and those of others. When the run is
// over because nothing is left to do, that is none.
func (g *Graph) Kept() (n int) {
	if g.away == nil {
		return 0
	}
	b := &g.away.shared
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.directory {
		if e.destroyed {
			n++
		}
	}
	for _, p := range b.names {
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
	entriesGone []*entry
	gone        [goneNames]goneName
}

// A goneName is the name of a block whose proxy was freed: errors name the block.
type goneName struct {
	word uint64
	id   guid.GUID
}

// goneNames is how many names are remembered.
const goneNames = 64

// leave frees blocks and proxies of blocks that were destroyed, on the courier.
func (c *Ctx) leave() {
	b := &c.g.away.shared
	if b.going.Load() == 0 {
		return
	}
	b.mu.Lock()
	var granted []block.Waiter
	b.proxiesGone = slices.DeleteFunc(b.proxiesGone, c.dropProxy)
	b.entriesGone = slices.DeleteFunc(b.entriesGone, func(e *entry) (done bool) {
		granted, done = c.dropEntry(e, granted)
		return done
	})
	b.going.Store(int64(len(b.proxiesGone) + len(b.entriesGone)))
	b.mu.Unlock()
	c.grant(granted)
}

// dropProxy frees a proxy, unless an EDT holds the block here or waits for it. The caller has the lock.
func (c *Ctx) dropProxy(p *proxy) (done bool) {
	b, word := &c.g.away.shared, p.r.Low(p.i)
	if p.asked != noRight || !p.r.Retire(p.has == toRead) {
		return false
	}
	if p.has != noRight {
		c.sendBlock(p.id.Home(), msgBack, p.id, uint64(noRight), p.changed())
	}
	delete(b.names, p.id)
	delete(b.proxies, p.i)
	b.gone[p.i%goneNames] = goneName{word, p.id}
	c.blocks.FreeProxy(p.i, p.r)
	return true
}

// proxied returns the name of the block with this low GUID word, which may be that of a proxy that is or was in the
// record.
func (g *Graph) proxied(word uint64) guid.GUID {
	b := &g.away.shared
	b.mu.Lock()
	defer b.mu.Unlock()
	i := uint32(word)
	if p := b.proxies[i]; p != nil && p.r.Is(word) {
		return p.id
	}
	if n := &b.gone[i%goneNames]; n.word == word {
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
