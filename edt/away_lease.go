package edt

import (
	"bytes"
	"sync"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/rank"
)

// The home of a block lends it to one rank, or gives copies to several. The rank that has the *lease* uses the block by
// a record of its own, its proxy, in all modes and as fast as its own blocks; one that has a *copy* does so in modes RO
// and Const, see away_copy.go. Elsewhere the block is away, and an EDT that wants it waits in the record's queue; for
// the first one the rank asks home. At home a rank that asks for the lease waits in the queue as an EDT in mode EW
// would, for a copy as one in mode Const. When an EDT waits at home, home recalls what is in its way, and the recall
// waits on the other rank in the same way. docs/ranks.md has the argument.

// leases is what a rank knows of blocks that several ranks use.
//
// Concurrency: everything is under mu, and messages of leases are sent under it, so that they leave in the order of
// what they say. A record's state and queue are changed as always. The courier alone frees lent blocks and proxies.
type leases struct {
	mu      sync.Mutex
	lent    map[uint32]*lent  // by record: blocks of this rank that others know
	proxies map[uint32]*proxy // by record
	names   map[guid.GUID]*proxy
	leaving
}

// A lent is a block of this rank that others know. It has a hold in mode RO of the block, and so keeps its memory.
type lent struct {
	id        guid.GUID
	i         uint32
	r         *block.Record
	lessee    int // the rank that has the lease, -1 for none
	recalled  bool
	copies    rankSet // the ranks that have copies; home has a hold in mode Const for each
	returning rankSet // those whose copies are recalled
	upgrades  int     // one more than the rank with a copy that waits for the lease, or 0
	reads     bool    // what was requested last is a copy
	named     []int   // the ranks that know the block
	destroyed bool
	leaving   bool // it is among those that are freed
}

// A proxy stands for a block of another rank.
type proxy struct {
	id    guid.GUID
	i     uint32
	r     *block.Record
	has   share
	asked share

	destroyed bool // by a call on this rank, or home says so
	leaving   bool // home says so: the proxy is among those that are freed
}

// What the words of a message about a lease hold, behind the block's GUID.
const (
	leaseFlag = 2 // flags; of RECALL: what is needed
	leaseSize = 3
	leaseNext = 3 // of RETURN: one more than the rank that is to get the lease next, or 0
	leaseEDT  = 2 // of LEASE: the EDT that waits, two words,
	leaseNeed = 4 // what is needed, and from bit leaseTemplate on the index of its template

	leaseTemplate = 8

	leaseShare = 3      // of GRANT: it is recalled at once for this; of RETURN: this is asked for again
	leaseCopy  = 1 << 2 // of GRANT: of a copy; of RETURN: the rank keeps a copy
	leaseSame  = 1 << 3 // of GRANT: the rank has a copy, so no bytes come
)

// sendLease sends a message about a block's lease. It follows from no call, so it is not signed.
func (c *Ctx) sendLease(to int, kind uint8, id guid.GUID, flags uint64, size int, bytes []byte) {
	m := &rank.Message{Kind: kind, Count: leaseSize + 1, Tail: bytes}
	putGUID(m, 0, id)
	m.Words[leaseFlag] = flags
	m.Words[leaseSize] = uint64(size)
	c.sendMessage(to, m)
}

// requestLease asks for a block, or recalls it, if an EDT waits for it.
func (c *Ctx) requestLease(word uint64) {
	l, i := &c.g.away.leases, uint32(word)
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.proxies[i]; p != nil {
		if need, i := p.lacks(); need != noShare {
			t := c.edts.At(i)
			words := uint64(need) | uint64(c.g.template(t).index)<<leaseTemplate
			c.sendTo(p.id.Home(), about(msgLease, p.id, c.g.edtGUID(i, t), words))
		}
	}
	if e := l.lent[i]; e != nil {
		c.recallFor(e)
	}
}

// lacks notes and returns what the rank has to ask for, if that is not under way, and for which EDT. The caller has the
// lock.
func (p *proxy) lacks() (need share, edt uint32) {
	w := p.r.First()
	need = needOf(w)
	if p.asked != noShare || need <= p.has || w.EDT&block.ForRank != 0 {
		return noShare, 0
	}
	p.asked = need
	return need, w.EDT
}

// recallFor recalls what is in the way of the first that waits at home. The caller has the lock.
func (c *Ctx) recallFor(e *lent) {
	switch need := needOf(e.r.First()); {
	case need == noShare:
	case e.lessee < 0 && need == theLease:
		c.recallCopies(e)
	case e.lessee >= 0 && !e.recalled:
		e.recalled = true
		c.sendLease(e.lessee, msgRecall, e.id, uint64(need), 0, nil)
	}
}

// grantRank goes on for a rank that has got a block: in mode EW or Const.
func (c *Ctx) grantRank(w block.Waiter) {
	l := &c.g.away.leases
	l.mu.Lock()
	defer l.mu.Unlock()
	p, e, to := l.proxies[w.Cursor], l.lent[w.Cursor], int(w.EDT&^block.ForRank)
	switch reads := w.Mode == datablock.Const; {
	case p != nil && reads:
		c.keepCopy(p)
	case p != nil:
		c.giveBackLease(p, 0)
	case reads:
		c.lendCopy(e, to)
	default:
		c.lend(e, to)
	}
}

// lend gives the lease of a block to a rank. The caller has the block in mode EW for it, and the lock.
func (c *Ctx) lend(e *lent, to int) {
	e.lessee = to
	e.r.Send()
	need := needOf(e.r.First())
	e.recalled = need != noShare
	flags, bytes := uint64(need), e.r.Bytes()
	if e.upgrades == to+1 {
		e.upgrades, flags, bytes = 0, flags|leaseSame, nil
	}
	c.sendLease(to, msgGrant, e.id, flags, e.r.Size(), bytes)
}

// giveBackLease returns the lease of a block, for another rank if next is its number and one, or a copy. The caller
// has the block in mode EW for it, and the lock.
func (c *Ctx) giveBackLease(p *proxy, next int) {
	bytes := p.changed()
	p.has = noShare
	p.r.Send()
	need, _ := p.lacks()
	c.sendLease(p.id.Home(), msgReturn, p.id, uint64(need), next, bytes)
	c.blocks.Unload(p.r)
}

// changed returns the bytes that home needs back: none of a copy.
func (p *proxy) changed() []byte {
	if p.has == theLease {
		return p.r.Bytes()
	}
	return nil
}

// alongSize is how large a block may be that moves unasked.
const alongSize = 4096

// lendUnasked gives the lease or a copy of a block to a rank to which it is passed on, unless an EDT here is in the
// way. The caller has the lock. Mostly it does not know in which mode EDTs there will use the block.
func (c *Ctx) lendUnasked(e *lent, to int, need share) {
	if e.reads {
		need = aCopy
	}
	if e.lessee >= 0 || e.destroyed || e.r.Size() > alongSize || e.hasCopy(to) || !e.r.TryAcquire(need.mode()) {
		return
	}
	c.introduce(e, to)
	if need == aCopy {
		c.lendCopy(e, to)
	} else {
		c.lend(e, to)
	}
}

// returnUnasked is lendUnasked for a block that this rank has a lease of. The caller has the lock.
func (c *Ctx) returnUnasked(p *proxy, to int) {
	if p.has != theLease || p.r.Size() > alongSize || !p.r.TryAcquire(datablock.EW) {
		return
	}
	next := 0
	if to != p.id.Home() {
		next = to + 1
	}
	c.giveBackLease(p, next)
}

// handleLease lends a block to the rank that asks for it, now or later.
func (c *Ctx) handleLease(m *rank.Message) {
	l, id, need := &c.g.away.leases, getGUID(m, 0), share(m.Words[leaseNeed]&leaseShare)
	l.mu.Lock()
	e := c.lentBlock(id)
	if e == nil || e.destroyed && !e.isAt(c.from, need) {
		l.mu.Unlock()
		name := "?"
		if t := c.g.templateAt(uint32(m.Words[leaseNeed] >> leaseTemplate)); t != nil {
			name = t.name
		}
		c.misuse("acquire", ErrStale, id, "by EDT %v of rank %d, template %s"+acquiredFirst, getGUID(m, leaseEDT), c.from,
			name)
	}
	c.introduce(e, c.from)
	l.mu.Unlock()
	c.wantFor(e, c.from, need)
}

// isAt reports whether a rank has what it needs of a block, or gets it: GRANT may have crossed LEASE.
func (e *lent) isAt(to int, need share) bool { return e.lessee == to || need == aCopy && e.hasCopy(to) }

// wantFor queues a rank for the lease or a copy of a block, unless that is on its way there.
func (c *Ctx) wantFor(e *lent, to int, need share) {
	l := &c.g.away.leases
	w := block.Waiter{EDT: block.ForRank | uint32(to), Cursor: e.i, Mode: need.mode()}
	l.mu.Lock()
	e.reads = need == aCopy
	done := e.isAt(to, need)
	if !done && e.copies.has(to) {
		c.upgrade(e, to, w)
		done = true
	}
	l.mu.Unlock()
	if done {
		return
	}
	word := e.r.Low(e.i)
	switch c.g.blocks.Wait(word, e.r, w) {
	case block.Granted:
		c.grantRank(w)
	case block.QueuedAway:
		c.requestLease(word)
	}
}

// handleGrant takes a lease or a copy.
func (c *Ctx) handleGrant(m *rank.Message) {
	p := c.takeLease(m)
	switch flags := m.Words[leaseFlag]; {
	case flags&leaseSame != 0:
		c.grant(c.blocks.Release(p.i, p.r, datablock.Const, nil))
	case flags&leaseCopy != 0:
		c.grant(c.blocks.ReceiveCopy(p.i, p.r, nil))
	default:
		c.grant(c.blocks.Receive(p.i, p.r, nil))
	}
	if need := share(m.Words[leaseFlag] & leaseShare); need != noShare {
		c.recall(p, need)
	} else {
		c.requestLease(uint64(p.i)) // a copy does not do for all that wait
	}
}

// takeLease takes the bytes of a lease or a copy.
func (c *Ctx) takeLease(m *rank.Message) *proxy {
	l, id := &c.g.away.leases, getGUID(m, 0)
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.names[id]
	if p == nil { // what names the block is behind this
		p = c.newProxy(id)
	}
	flags := m.Words[leaseFlag]
	if flags&leaseSame == 0 {
		if err := c.blocks.Provide(p.r, int(m.Words[leaseSize])); err != nil {
			c.noMemory("acquire", id, int(m.Words[leaseSize]), err)
		}
		takeBytes(p.r.Bytes(), m.Tail)
	}
	p.has = theLease
	if flags&leaseCopy != 0 {
		p.has = aCopy
	}
	if p.asked <= p.has { // else home has not seen the request yet
		p.asked = noShare
	}
	return p
}

// takeBytes puts what has come with a lease where the block is. EDTs in mode RO may read there since before the lease
// went: they must not see a write if the block has not changed.
func takeBytes(into, came []byte) {
	if !bytes.Equal(into, came) {
		copy(into, came)
	}
}

// handleRecall gives a lease back as soon as that can be. It may have gone back already.
func (c *Ctx) handleRecall(m *rank.Message) {
	l := &c.g.away.leases
	l.mu.Lock()
	p := l.names[getGUID(m, 0)]
	l.mu.Unlock()
	if p != nil {
		c.recall(p, share(m.Words[leaseFlag]))
	}
}

// recall queues home for the block. If home needs only a copy, this rank keeps one.
func (c *Ctx) recall(p *proxy, need share) {
	l := &c.g.away.leases
	l.mu.Lock()
	defer l.mu.Unlock()
	w := block.Waiter{EDT: block.ForRank | uint32(p.id.Home()), Cursor: p.i, Mode: datablock.EW}
	switch {
	case p.has == noShare:
	case p.has == aCopy:
		if c.g.blocks.Upgrade(p.i, p.r, w) {
			c.giveBackLease(p, 0)
		}
	default:
		w.Mode = need.mode()
		if c.g.blocks.Wait(p.r.Low(p.i), p.r, w) != block.Granted {
			return
		}
		if need == aCopy {
			c.keepCopy(p)
		} else {
			c.giveBackLease(p, 0)
		}
	}
}

// handleReturn takes a block back from the rank that had its lease or a copy.
func (c *Ctx) handleReturn(m *rank.Message) {
	l := &c.g.away.leases
	l.mu.Lock()
	e := c.lentBlock(getGUID(m, 0))
	l.mu.Unlock()
	c.takeBack(e, m)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.check(e)
}

func (c *Ctx) takeBack(e *lent, m *rank.Message) {
	l, flags := &c.g.away.leases, m.Words[leaseFlag]
	l.mu.Lock()
	leased, keeps := e.lessee == c.from, flags&leaseCopy != 0
	switch {
	case !leased:
		e.loseCopy(c.from)
	default:
		takeBytes(e.r.Bytes(), m.Tail)
		e.lessee, e.recalled = -1, false
		if keeps {
			e.addCopy(c.from)
		}
	}
	l.mu.Unlock()
	switch {
	case !leased:
		c.grant(c.blocks.Release(e.i, e.r, datablock.Const, nil))
	case keeps:
		c.grant(c.blocks.ReceiveCopy(e.i, e.r, nil))
		c.requestLease(uint64(e.i)) // for a writer behind those that read
	default:
		c.grant(c.blocks.Receive(e.i, e.r, nil))
	}
	if need := share(flags & leaseShare); need != noShare {
		c.wantFor(e, c.from, need)
	}
	if next := int(m.Words[leaseNext]); next != 0 {
		l.mu.Lock()
		defer l.mu.Unlock()
		c.lendUnasked(e, next-1, theLease)
	}
}

// lentBlock returns a block of this rank that others know, from now on if need be; nil if it is no more. The
// caller has the lock.
func (c *Ctx) lentBlock(id guid.GUID) *lent {
	l := &c.g.away.leases
	_, lo := id.Words()
	if e := l.lent[uint32(lo)]; e != nil && e.id == id {
		return e
	}
	r := c.g.blocks.Lookup(lo)
	if r == nil || !r.TryAcquire(datablock.RO) {
		return nil
	}
	e := &lent{id: id, i: uint32(lo), r: r, lessee: -1}
	if l.lent == nil {
		l.lent = make(map[uint32]*lent)
	}
	l.lent[e.i] = e
	return e
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
