package remote

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/rank"
)

// A proxy stands for a block of another rank: events and slots here hold the word of the proxy's record. The home knows
// which ranks may have a proxy: it has sent them the GUID of the block, or they report by KNOWN that a third rank has
// sent them the GUID.
type proxy struct {
	id    guid.GUID
	i     uint32
	r     *block.Record
	has   right
	asked right // the right that a GET asks for, until DATA answers it

	destroyed bool // a call on this rank has destroyed the block, or GONE has come
	leaving   bool // GONE has come: the proxy is in the list of proxies to be freed
}

// askFor sends GET for the first EDT that waits, unless this rank has the right that the EDT needs, or has already
// asked. The caller has the lock.
func (p *Part) askFor(h edt.Home, x *proxy) {
	w := x.r.First()
	need := needOf(w)
	if x.asked != noRight || need <= x.has || w.EDT&block.ForRank != 0 {
		return
	}
	x.asked = need
	waits, template := h.Waiting(w)
	p.send(h.Ctx, x.id.Home(), about(msgGet, x.id, waits, uint64(need)|uint64(template)<<getTemplate))
}

// handleData takes a block, or the right to write a block of which this rank has a copy.
func (p *Part) handleData(m *rank.Message) {
	x, what := p.takeData(m), m.Words[blockRight]
	own := p.courier.Local()
	if what&sameBytes != 0 {
		p.courier.Grant(own.Release(x.i, x.r, datablock.Const, nil))
	} else {
		p.courier.Grant(own.Receive(x.i, x.r, right(what) == toRead, nil))
	}
	p.Want(p.courier.Ctx, uint64(x.i)) // the right may be too little for the next waiter
}

// takeData takes the bytes of a block.
func (p *Part) takeData(m *rank.Message) *proxy {
	b, id, what := &p.shared, getGUID(m, 0), m.Words[blockRight]
	b.mu.Lock()
	defer b.mu.Unlock()
	x := b.names[id]
	if x == nil { // the message that names the block comes after this one
		x = p.newProxy(p.courier, id)
	}
	if what&sameBytes == 0 {
		size := int(m.Words[blockSize])
		if err := p.courier.Local().Provide(x.r, size); err != nil {
			p.courier.NoMemory(id, size, err)
		}
		takeBytes(x.r.Bytes(), m.Tail)
	}
	x.has = right(what & rightMask)
	if x.asked <= x.has { // if asked > has, DATA has crossed GET, which home has yet to answer
		x.asked = noRight
	}
	return x
}

// handleRecall gives a block back as soon as no EDT uses it.
func (p *Part) handleRecall(m *rank.Message) {
	b := &p.shared
	b.mu.Lock()
	defer b.mu.Unlock()
	if x := b.names[getGUID(m, 0)]; x != nil {
		p.recall(x, right(m.Words[blockRight]))
	}
}

// recall queues the home for the block. If this rank has a copy, its hold in mode Const becomes a hold in mode EW,
// ahead of all that wait. The caller has the lock.
func (p *Part) recall(x *proxy, need right) {
	w := block.Waiter{EDT: block.ForRank | uint32(x.id.Home()), Cursor: x.i, Mode: need.mode()}
	switch {
	case x.has == noRight: // this rank has already given it back
	case x.has == toRead:
		if p.blocks.Upgrade(x.i, x.r, w) {
			p.sendBack(p.courier, x, toWrite)
		}
	case p.blocks.Wait(x.r.Low(x.i), x.r, w) == block.Granted:
		p.sendBack(p.courier, x, need)
	}
}

// sendBack returns to the home what this rank has of a block. If the home needs only to read, the rank keeps a copy.
// The caller has acquired the block for the home, in the mode that the home needs, and has the lock.
func (p *Part) sendBack(h edt.Home, x *proxy, need right) {
	kept, bytes := noRight, x.changed()
	if need == toRead {
		kept = toRead
	} else {
		x.r.Send()
	}
	x.has = kept
	p.sendBlock(x.id.Home(), msgBack, x.id, uint64(kept), bytes)
	if kept == noRight {
		h.Local().Unload(x.r)
	}
	p.askFor(h, x)
}

// changed returns the bytes that go back to the home: none if this rank has only a copy.
func (x *proxy) changed() []byte {
	if x.has == toWrite {
		return x.r.Bytes()
	}
	return nil
}

// returnUnasked gives a small block back to its home because this rank passes it on to another rank, if this rank may
// write the block and no EDT uses it. The caller has the lock.
func (p *Part) returnUnasked(h edt.Home, x *proxy) {
	if x.has == toWrite && x.r.Size() <= alongSize && x.r.TryAcquire(datablock.EW) {
		p.sendBack(h, x, toWrite)
	}
}

// Word implements [edt.Remote].
func (p *Part) Word(c *edt.Ctx, id guid.GUID) uint64 {
	h := edt.Home{Ctx: c}
	k := &p.own(c).proxies[uint32(low(id))%knownProxies]
	if k.id != id || !h.Local().At(uint32(k.word)).Is(k.word) {
		b := &p.shared
		b.mu.Lock()
		defer b.mu.Unlock() // proxyFor panics if no record is free
		x := p.proxyFor(h, id)
		*k = knownProxy{id, x.r.Low(x.i)}
	}
	return k.word
}

// A knownProxy is a proxy that a worker has used, so that the worker need not search for it under the lock. Freeing the
// proxy changes the word of its record, so an old knownProxy no longer matches.
type knownProxy struct {
	id   guid.GUID
	word uint64
}

// knownProxies is the number of knownProxy entries of a worker.
const knownProxies = 16

// proxyFor returns the proxy of a block. It reports a new proxy to the home, unless the block's GUID has come from the
// home. The caller has the lock.
func (p *Part) proxyFor(h edt.Home, id guid.GUID) *proxy {
	x := p.shared.names[id]
	if x == nil {
		x = p.newProxy(h, id)
		if h.Ctx != p.courier.Ctx || p.caller.From != id.Home() {
			p.send(h.Ctx, id.Home(), about(msgKnown, id, guid.Null, 0))
		}
	}
	return x
}

// newProxy makes the proxy of a block. The caller has the lock.
func (p *Part) newProxy(h edt.Home, id guid.GUID) *proxy {
	i, r, err := h.Local().CreateProxy()
	if err != nil {
		h.Misuse("acquire", edt.ErrMemory, id, "too many blocks of other ranks")
	}
	b := &p.shared
	if b.names == nil {
		b.proxies, b.names = make(map[uint32]*proxy), make(map[guid.GUID]*proxy)
	}
	x := &proxy{id: id, i: i, r: r}
	b.names[id], b.proxies[i] = x, x
	return x
}

// handleKnown notes that another rank knows a block.
func (p *Part) handleKnown(m *rank.Message) {
	id := getGUID(m, 0)
	if p.tell(p.courier.Ctx, id, p.caller.From, noRight) {
		p.tellGone(id, p.caller.From)
	}
}

// Name implements [edt.Remote].
func (p *Part) Name(word uint64) guid.GUID {
	b, i := &p.shared, uint32(word)
	b.mu.Lock()
	defer b.mu.Unlock()
	if x := b.proxies[i]; x != nil && x.r.Is(word) {
		return x.id
	}
	if n := &b.gone[i%goneNames]; n.word == word {
		return n.id
	}
	return p.name(p.me, guid.KindBlock, word)
}
