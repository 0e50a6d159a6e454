package edt

import (
	"slices"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/dep"
	"ocr/internal/rank"
)

// An entry of the directory is a block of this rank that others know. It has a hold in mode RO of the block, and so
// keeps its memory.
type entry struct {
	id        guid.GUID
	i         uint32
	r         *block.Record
	writer    int     // the rank that may write, -1 for none
	recalled  bool    // from the writer
	readers   rankSet // the ranks that have copies; home has a hold in mode Const for each
	called    rankSet // those of them whose copies are recalled
	upgrades  int     // one more than the rank with a copy that waits for the right to write, or 0
	reads     bool    // the latest GET was to read
	known     []int   // the ranks that know the block
	destroyed bool
	leaving   bool // it is among those that are freed
}

// entryOf returns the entry of a block of this rank, from now on if need be; nil if the block is no more. The caller
// has the lock.
func (c *Ctx) entryOf(id guid.GUID) *entry {
	b := &c.g.away.shared
	_, lo := id.Words()
	if e := b.directory[uint32(lo)]; e != nil && e.id == id {
		return e
	}
	r := c.g.blocks.Lookup(lo)
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

// introduce notes that a rank knows a block. The caller has the lock.
func (c *Ctx) introduce(e *entry, to int) {
	if !slices.Contains(e.known, to) {
		e.known = append(e.known, to)
	}
}

// isAt reports whether a rank has what it needs of a block, or DATA with that is on its way.
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
	e.r.SetCopied(!e.readers.empty())
}

// handleGet gives a block to the rank that asks for it, now or later.
func (c *Ctx) handleGet(m *rank.Message) {
	b, id, need := &c.g.away.shared, getGUID(m, 0), right(m.Words[getNeed]&rightMask)
	b.mu.Lock()
	e := c.entryOf(id)
	stale := e == nil || e.destroyed && !e.isAt(c.from, need)
	if !stale {
		c.get(e, c.from, need)
	}
	b.mu.Unlock()
	if stale {
		name := "?"
		if t := c.g.templateAt(uint32(m.Words[getNeed] >> getTemplate)); t != nil {
			name = t.name
		}
		c.misuse("acquire", ErrStale, id, "by EDT %v of rank %d, template %s"+acquiredFirst, getGUID(m, getEDT), c.from,
			name)
	}
}

// get queues a rank for a block, unless that is on its way there. The caller has the lock.
func (c *Ctx) get(e *entry, to int, need right) {
	c.introduce(e, to)
	e.reads = need == toRead
	w := block.Waiter{EDT: block.ForRank | uint32(to), Cursor: e.i, Mode: need.mode()}
	switch {
	case e.isAt(to, need): // DATA has crossed GET
		return
	case e.readers.has(to) && !e.called.has(to):
		c.upgrade(e, to, w)
		return
	}
	switch c.g.blocks.Wait(e.r.Low(e.i), e.r, w) {
	case block.Granted:
		c.give(e, to, need)
	case block.QueuedAway:
		c.recallFor(e)
	}
}

// upgrade has a rank that has a copy wait for the right to write, ahead of all others. The caller has the lock.
func (c *Ctx) upgrade(e *entry, to int, w block.Waiter) {
	e.loseReader(to)
	e.upgrades = to + 1
	c.recallCopies(e)
	if c.g.blocks.Upgrade(e.i, e.r, w) {
		c.give(e, to, toWrite)
	}
}

// recallFor recalls what is in the way of the first that waits at home. The caller has the lock.
func (c *Ctx) recallFor(e *entry) {
	switch need := needOf(e.r.First()); {
	case need == noRight:
	case e.writer < 0 && need == toWrite:
		c.recallCopies(e)
	case e.writer >= 0 && !e.recalled:
		e.recalled = true
		c.sendBlock(e.writer, msgRecall, e.id, uint64(need), nil)
	}
}

// recallCopies recalls the copies of a block that are not recalled yet. The caller has the lock.
func (c *Ctx) recallCopies(e *entry) {
	for to := range e.readers.all {
		if !e.called.has(to) {
			e.called.add(to)
			c.sendBlock(to, msgRecall, e.id, uint64(toWrite), nil)
		}
	}
}

// give gives a rank the right to a block. The caller has the block for it, in the mode of that right, and the lock.
func (c *Ctx) give(e *entry, to int, what right) {
	flags, bytes := uint64(what), e.r.Bytes()
	switch {
	case what == toWrite:
		e.writer = to
		e.r.Send()
		if e.upgrades == to+1 {
			e.upgrades, flags, bytes = 0, flags|sameBytes, nil
		}
	case e.readers.has(to): // it got a copy unasked meanwhile
		c.blocks.Release(e.i, e.r, datablock.Const, nil)
		return
	default:
		e.addReader(to)
	}
	c.sendBlock(to, msgData, e.id, flags, bytes)
	c.recallFor(e)
}

// giveUnasked gives the right to a block to a rank to which it is passed on, unless an EDT here is in the way. The
// caller has the lock. Mostly it does not know in which mode EDTs there will use the block.
func (c *Ctx) giveUnasked(e *entry, to int, what right) {
	if e.reads {
		what = toRead
	}
	if e.writer < 0 && !e.destroyed && e.r.Size() <= alongSize && !e.readers.has(to) && e.r.TryAcquire(what.mode()) {
		c.give(e, to, what)
	}
}

// handleBack takes a block back from the rank that could write it, or a copy.
func (c *Ctx) handleBack(m *rank.Message) {
	b, keeps := &c.g.away.shared, right(m.Words[blockRight]) == toRead
	b.mu.Lock()
	e := c.entryOf(getGUID(m, 0))
	wrote := e.writer == c.from
	if wrote {
		takeBytes(e.r.Bytes(), m.Tail)
		e.writer, e.recalled = -1, false
	} else {
		e.loseReader(c.from)
	}
	if keeps {
		e.addReader(c.from)
	}
	b.mu.Unlock()
	switch {
	case !wrote:
		c.grant(c.blocks.Release(e.i, e.r, datablock.Const, nil))
	case keeps:
		c.grant(c.blocks.ReceiveCopy(e.i, e.r, nil))
	default:
		c.grant(c.blocks.Receive(e.i, e.r, nil))
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	c.recallFor(e) // for one that waits behind those that have got the block
	b.check(e)
}

// destroyShared destroys a block of this rank that others know. d is the calling EDT's hold of it, if any. It reports
// false if no other rank knows it.
func (c *Ctx) destroyShared(id guid.GUID, i uint32, d *dep.State) bool {
	b := &c.g.away.shared
	b.mu.Lock()
	e := b.directory[i]
	again := e != nil && e.destroyed
	if e != nil && !again {
		e.destroyed = true
		for _, to := range e.known {
			c.tellGone(id, to)
		}
		b.check(e)
	}
	b.mu.Unlock()
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

// check notes that a block may be freed, if it is destroyed and back from other ranks. The caller has the lock.
func (b *sharedBlocks) check(e *entry) {
	if e.destroyed && !e.leaving && e.isBack() {
		e.leaving = true
		b.entriesGone = append(b.entriesGone, e)
		b.going.Add(1)
	}
}

// isBack reports whether no other rank has a right to the block.
func (e *entry) isBack() bool { return e.writer < 0 && e.readers.empty() }

// dropEntry frees a block of this rank, unless another rank waits for it; if one has it again, check comes later. The
// caller has the lock, and grants the block to the EDTs that are appended to granted.
func (c *Ctx) dropEntry(e *entry, granted []block.Waiter) (all []block.Waiter, done bool) {
	switch {
	case !e.isBack():
		e.leaving = false
		return granted, true
	case e.r.Wanted():
		return granted, false
	}
	delete(c.g.away.shared.directory, e.i)
	c.blocks.Destroy(e.i, e.r)
	return c.blocks.Release(e.i, e.r, datablock.RO, granted), true
}

// A rankSet is a set of ranks: a word of bits, and a list of those that have no bit.
type rankSet struct {
	bits uint64
	more []int
}

const rankBits = 64

func (s *rankSet) has(r int) bool { return s.bits>>uint(r)&1 != 0 || slices.Contains(s.more, r) }
func (s *rankSet) empty() bool    { return s.bits == 0 && len(s.more) == 0 }

// add adds a rank that is not in the set.
func (s *rankSet) add(r int) {
	if r < rankBits {
		s.bits |= 1 << r
	} else {
		s.more = append(s.more, r)
	}
}

func (s *rankSet) remove(r int) {
	if r < rankBits {
		s.bits &^= 1 << r
	} else {
		s.more = slices.DeleteFunc(s.more, func(k int) bool { return k == r })
	}
}

func (s *rankSet) all(yield func(r int) bool) {
	for r := range rankBits {
		if s.bits>>r&1 != 0 && !yield(r) {
			return
		}
	}
	for _, r := range s.more {
		if !yield(r) {
			return
		}
	}
}
