package remote

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/rank"
)

// An entry of the directory is a block of this rank that other ranks know. It holds the block in mode RO, which keeps
// the memory.
type entry struct {
	id        guid.GUID
	i         uint32
	r         *block.Record
	writer    int     // the rank that may write, -1 for none
	recalled  bool    // home has sent RECALL to the writer
	readers   rankSet // the ranks that have copies; home has a hold in mode Const for each
	called    rankSet // the ranks whose copies are recalled
	upgrades  int     // 1 + the rank that has a copy and waits for the right to write, 0 for none
	reads     bool    // the latest GET was to read
	known     rankSet // the ranks that know the block
	destroyed bool
	leaving   bool // the entry is in the list of those to be freed
}

// entryOf returns the entry of a block of this rank, and makes it if there is none. It returns nil if the block was
// destroyed before it got an entry, or its entry was freed. The caller has the lock.
func (p *Part) entryOf(id guid.GUID) *entry {
	b, lo := &p.shared, low(id)
	if e := b.directory[uint32(lo)]; e != nil && e.id == id {
		return e
	}
	r := p.blocks.Lookup(lo)
	if r == nil || !r.TryAcquire(datablock.RO) {
		return nil
	}
	e := &entry{id: id, i: uint32(lo), r: r, writer: -1}
	if b.directory == nil {
		b.directory = make(map[uint32]*entry)
	}
	b.directory[e.i] = e
	return e
}

// isAt reports whether a rank has the right that it needs, or DATA with this right is on its way there.
func (e *entry) isAt(to int, need right) bool {
	return e.writer == to || need == toRead && e.readers.has(to)
}

func (e *entry) addReader(r int) {
	e.readers.add(r)
	e.r.SetCopied(true)
}

func (e *entry) loseReader(r int) {
	e.readers.remove(r)
	e.called.remove(r)
	e.r.SetCopied(len(e.readers) > 0)
}

// handleGet gives a block to the rank that asks for it, at once or when it is free. If the block is destroyed, and the
// rank has no right that suffices, the run ends.
func (p *Part) handleGet(m *rank.Message) {
	b, id, need, from := &p.shared, getGUID(m, 0), right(m.Words[getNeed]&rightMask), p.caller.From
	b.mu.Lock()
	e := p.entryOf(id)
	stale := e == nil || e.destroyed && !e.isAt(from, need)
	if !stale {
		p.get(e, from, need)
	}
	b.mu.Unlock()
	if stale {
		p.courier.Stale(id, getGUID(m, getEDT), uint32(m.Words[getNeed]>>getTemplate))
	}
}

// get queues a rank for a right to a block, unless the rank has it or DATA with it is on its way. The caller has the
// lock.
func (p *Part) get(e *entry, to int, need right) {
	e.known.add(to)
	e.reads = need == toRead
	w := block.Waiter{EDT: block.ForRank | uint32(to), Cursor: e.i, Mode: need.mode()}
	switch {
	case e.isAt(to, need): // DATA has crossed GET
		return
	case e.readers.has(to) && !e.called.has(to):
		p.upgrade(e, to, w)
		return
	}
	switch p.blocks.Wait(e.r.Low(e.i), e.r, w) {
	case block.Granted:
		p.give(p.courier, e, to, need)
	case block.QueuedLent:
		p.recallFor(e)
	}
}

// upgrade queues a rank, which has a copy, for the right to write, ahead of all others. The caller has the lock.
func (p *Part) upgrade(e *entry, to int, w block.Waiter) {
	e.loseReader(to)
	e.upgrades = to + 1
	p.recallCopies(e)
	if p.blocks.Upgrade(e.i, e.r, w) {
		p.give(p.courier, e, to, toWrite)
	}
}

// recallFor recalls the rights that keep the first waiter at home from the block. The caller has the lock.
func (p *Part) recallFor(e *entry) {
	switch need := needOf(e.r.First()); {
	case need == noRight:
	case e.writer < 0 && need == toWrite:
		p.recallCopies(e)
	case e.writer >= 0 && !e.recalled:
		e.recalled = true
		p.sendBlock(e.writer, msgRecall, e.id, uint64(need), nil)
	}
}

// recallCopies recalls the copies of a block that are not recalled yet. The caller has the lock.
func (p *Part) recallCopies(e *entry) {
	for _, to := range e.readers {
		if !e.called.has(to) {
			e.called.add(to)
			p.sendBlock(to, msgRecall, e.id, uint64(toWrite), nil)
		}
	}
}

// give gives a rank a right to the block. The caller has acquired the block for the rank, in the mode of that right,
// and has the lock.
func (p *Part) give(h edt.Home, e *entry, to int, what right) {
	flags, bytes := uint64(what), e.r.Bytes()
	switch {
	case what == toWrite:
		e.writer = to
		e.r.Send()
		if e.upgrades == to+1 {
			e.upgrades, flags, bytes = 0, flags|sameBytes, nil
		}
	case e.readers.has(to): // home has given it a copy without a request meanwhile
		h.Local().Release(e.i, e.r, datablock.Const, nil)
		return
	default:
		e.addReader(to)
	}
	p.sendBlock(to, msgData, e.id, flags, bytes)
	p.recallFor(e)
}

// giveUnasked gives a right to a small block to the rank to which the block is passed on, if no EDT or rank is in the
// way. In which mode EDTs there will use the block is mostly not known: if the latest GET was to read, the rank gets a
// copy. The caller has the lock.
func (p *Part) giveUnasked(h edt.Home, e *entry, to int, what right) {
	if e.reads {
		what = toRead
	}
	if e.writer < 0 && !e.destroyed && e.r.Size() <= alongSize && !e.readers.has(to) && e.r.TryAcquire(what.mode()) {
		p.give(h, e, to, what)
	}
}

// handleBack takes the right to write, or a copy, back from a rank.
func (p *Part) handleBack(m *rank.Message) {
	b, from, keeps := &p.shared, p.caller.From, right(m.Words[blockRight]) == toRead
	b.mu.Lock()
	e := p.entryOf(getGUID(m, 0))
	wrote := e.writer == from
	if wrote {
		takeBytes(e.r.Bytes(), m.Tail)
		e.writer, e.recalled = -1, false
	} else {
		e.loseReader(from)
	}
	if keeps {
		e.addReader(from)
	}
	b.mu.Unlock()
	own := p.courier.Local()
	if wrote {
		p.courier.Grant(own.Receive(e.i, e.r, keeps, nil))
	} else {
		p.courier.Grant(own.Release(e.i, e.r, datablock.Const, nil))
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	p.recallFor(e) // for the waiter behind those that have got the block
	b.check(e)
}

// DestroyShared implements [edt.Remote].
func (p *Part) DestroyShared(c *edt.Ctx, id guid.GUID) (known bool) {
	b := &p.shared
	b.mu.Lock()
	e := b.directory[uint32(low(id))]
	again := e != nil && e.destroyed
	if e != nil && !again {
		e.destroyed = true
		for _, to := range e.known {
			p.tellGone(id, to)
		}
		b.check(e)
	}
	b.mu.Unlock()
	if again {
		edt.Home{Ctx: c}.Misuse("destroy data block", edt.ErrDestroyed, id, "")
	}
	return e != nil
}

// check lists the entry of a block for freeing if the block is destroyed and no other rank has a right to it. The
// caller has the lock.
func (b *sharedBlocks) check(e *entry) {
	if e.destroyed && !e.leaving && e.isBack() {
		e.leaving = true
		b.entriesGone = append(b.entriesGone, e)
		b.going.Add(1)
	}
}

// isBack reports whether no other rank has a right to the block.
func (e *entry) isBack() bool { return e.writer < 0 && len(e.readers) == 0 }
